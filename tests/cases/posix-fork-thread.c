/* expect: complete.  optimal: 4 executions, 0 sleep_cut.  searches: optimal, source, sleep.
 * expect -DWRONG: deadlock.  searches: optimal, source, sleep.
 *
 * A thread other than the first forks, and its child has a thread of its own: memory is put back in a process whose first stack is that of a
 * thread. Two orders of the lock in each of the two processes.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *left)
{
    pthread_mutex_lock(&lock);
    count++;
#ifdef WRONG
    if (left && count == 2)
        return left;
#endif
    pthread_mutex_unlock(&lock);
    return left;
}

static void both(void)
{
    pthread_t other;
    pthread_create(&other, NULL, add, &count);
    add(NULL);
    pthread_join(other, NULL);
    pthread_mutex_lock(&lock);        /* ERROR */
    assert(count == 2);
    pthread_mutex_unlock(&lock);
}

static void *forks(void *unused)
{
    int status;
    pid_t child = fork();
    if (!child) {
        both();
        _exit(3);
    }
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);        /* ERROR */
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, forks, NULL);
    pthread_join(thread, NULL);        /* ERROR */
    both();
    return 0;
}
