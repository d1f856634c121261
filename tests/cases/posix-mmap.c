/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A process-shared condition in mapped memory. WRONG: the flag is in memory that a fork copies, so the parent never sees it
 * set.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct table { pthread_mutex_t lock; pthread_cond_t ready; int done; };

static int copied;

int main(void)
{
    pthread_mutexattr_t m;
    pthread_condattr_t c;
    int status;
    struct table *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_mutexattr_init(&m);
    pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&t->lock, &m);
    pthread_condattr_init(&c);
    pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&t->ready, &c);
#ifdef WRONG
    int *done = &copied;
#else
    int *done = &t->done;
    (void)copied;
#endif
    pid_t child = fork();
    if (child == 0) {
        pthread_mutex_lock(&t->lock);
        *done = 1;
        pthread_cond_signal(&t->ready);
        pthread_mutex_unlock(&t->lock);
        _exit(0);
    }
    pthread_mutex_lock(&t->lock);
    while (!*done)
        pthread_cond_wait(&t->ready, &t->lock);                  /* ERROR */
    pthread_mutex_unlock(&t->lock);
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(pthread_cond_destroy(&t->ready) == 0);
    return 0;
}
