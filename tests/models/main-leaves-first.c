/* expect: assertion */
#include <pthread.h>
#include <assert.h>
static int n;
static void *worker(void *arg) { (void)arg; assert(n == 0); return NULL; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    n = 1;
    pthread_detach(t);
    pthread_exit(NULL);
}
