/* expect: crash in process 2.
 * expect: complete.  optimal: 2 executions.  options: --timers late.
 * expect: crash in process 2.  options: --timers late.  arguments: stuck.
 *
 * A watchdog: an alarm that nobody handles. It may come at any time, unless it is to come late: then only when the others wait for each other.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int uses;

static void use(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    uses++;
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}

static void *work(void *unused)
{
    use(&first, &second);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    (void)argv;
    alarm(10);                       /* ERROR */
    pthread_create(&thread, NULL, work, NULL);
    if (argc > 1)
        use(&second, &first);
    else
        use(&first, &second);
    pthread_join(thread, NULL);
    return uses != 2;
}
