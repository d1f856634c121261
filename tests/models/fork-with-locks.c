/* expect: none.  A forked child has the locks that its thread has, a stack of its own for each thread that it makes, and may be asked for before it ends. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *p) { *(int *)p += 3; return p; }
static void *t(void *p)
{
    int five = 5, status = 0;
    pthread_t h;
    pthread_mutex_lock(&m);
    pid_t child = fork();
    n++;
    pthread_mutex_unlock(&m);
    if (!child) {
        pthread_create(&h, 0, add, &five);
        pthread_join(h, 0);
        _exit(five + n);
    }
    pid_t ended = waitpid(child, &status, WNOHANG);
    assert(ended == 0 || ended == child);
    if (!ended)
        waitpid(child, &status, 0);
    assert(WEXITSTATUS(status) == 9);
    return p;
}
int main(void)
{
    pthread_attr_t a;
    pthread_t h;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    pthread_create(&h, &a, t, 0);
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    pthread_exit(0);
}
