/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A fork while another thread has a lock: in the child the lock is taken for ever, for its holder is not there. Right:
 * handlers of pthread_atfork take it before and let it go after, on both sides.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void before(void) { pthread_mutex_lock(&lock); }
static void after(void)  { pthread_mutex_unlock(&lock); }

static void note(void)
{
    pthread_mutex_lock(&lock);                                   /* ERROR */
    entries++;
    pthread_mutex_unlock(&lock);
}

static void *logger(void *argument)
{
    note();
    return argument;
}

int main(void)
{
    pthread_t other;
    int status;
#ifdef WRONG
    (void)before, (void)after;
#else
    assert(pthread_atfork(before, after, after) == 0);
#endif
    pthread_create(&other, NULL, logger, NULL);
    pid_t child = fork();
    if (child == 0) {
        note();
        _exit(entries);
    }
    assert(waitpid(child, &status, 0) == child);                 /* ERROR */
    assert(WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 2);
    pthread_join(other, NULL);
    assert(entries == 1);
    return 0;
}
