#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&turn);
        pthread_mutex_unlock(&turn);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    serve(NULL);
}
