/* expect: complete.  searches: none, sleep, source, optimal.
 *
 * Who finds that the word is not what he expects does not wait, so he is never the one that is woken: else `waits` would sleep
 * for ever. And when the time of a wait is over, it has passed.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic unsigned word;

static long futex(int operation, unsigned value, const struct timespec *time)
{
    return syscall(SYS_futex, &word, operation, value, time, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void *waits(void *unused)
{
    while (word == 0)
        futex(FUTEX_WAIT_PRIVATE, 0, NULL);
    return unused;
}

static void *does_not(void *unused)
{
    assert(futex(FUTEX_WAIT_PRIVATE, 5, NULL) == -1 && errno == EAGAIN);
    return unused;
}

static void times_out(void)
{
    struct timespec before, after, second = {1, 0}, never = {0, 1000000000};
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert(futex(FUTEX_WAIT_PRIVATE, 0, &never) == -1 && errno == EINVAL);
    assert(futex(FUTEX_WAIT_PRIVATE, 0, &second) == -1 && errno == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec > before.tv_sec);
    after.tv_sec += 5;
    assert(futex(FUTEX_WAIT_BITSET_PRIVATE, 0, &after) == -1 && errno == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert(before.tv_sec >= after.tv_sec);
}

int main(void)
{
    pthread_t first, second;
    times_out();
    pthread_create(&first, NULL, waits, NULL);
    pthread_create(&second, NULL, does_not, NULL);
    word = 1;
    futex(FUTEX_WAKE_PRIVATE, 1, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
