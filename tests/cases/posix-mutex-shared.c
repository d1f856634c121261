/* expect: complete.  optimal: 2 executions.
 * expect -DWRONG: assertion in process 1.
 *
 * A mutex in memory that two UNIX processes map. WRONG: what was read in one critical section is written back in the next.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct account { pthread_mutex_t lock; int balance; };

static void deposit(struct account *a)
{
    pthread_mutex_lock(&a->lock);
    int balance = a->balance;
#ifdef WRONG
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_lock(&a->lock);
#endif
    a->balance = balance + 1;
    pthread_mutex_unlock(&a->lock);
}

int main(void)
{
    pthread_mutexattr_t shared;
    int status;
    struct account *a = mmap(NULL, sizeof *a, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(a != MAP_FAILED);
    pthread_mutexattr_init(&shared);
    assert(pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutex_init(&a->lock, &shared) == 0);
    pid_t child = fork();
    deposit(a);
    if (child == 0)
        _exit(0);
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(a->balance == 2);                                     /* ERROR */
    assert(pthread_mutex_destroy(&a->lock) == 0 && munmap(a, sizeof *a) == 0);
    return 0;
}
