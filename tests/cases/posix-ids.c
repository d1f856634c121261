/* expect: complete.  optimal: 1 executions.
 *
 * pthread_self, pthread_equal, getpid, gettid and getppid: stable, and as they must be to one another.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t process;

static void *thread(void *argument)
{
    static __thread int local = 3;
    assert(getpid() == process);
    assert(gettid() != process);
    assert(local++ == 3);
    *(pthread_t *)argument = pthread_self();
    return (void *)(long)gettid();
}

int main(void)
{
    pthread_t threads[2], selves[2];
    void *ids[2];
    process = getpid();
    assert(gettid() == process);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, &selves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &ids[i]);
    assert(pthread_equal(threads[0], selves[0]) && pthread_equal(threads[1], selves[1]));
    assert(!pthread_equal(selves[0], selves[1]) && !pthread_equal(selves[0], pthread_self()));
    assert(ids[0] != ids[1]);

    pid_t child = fork();
    if (child == 0) {
        assert(getppid() == process && getpid() != process && gettid() == getpid());
        _exit(0);
    }
    int status;
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(getpid() == process);
    return 0;
}
