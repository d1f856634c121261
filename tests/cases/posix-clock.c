/* expect: complete.
 *
 * The clocks: they go on, more than an hour in an hour's sleep; and what one thread reads does not depend on the others' work.
 * There is no clock of any other number.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifdef VERIFY
enum { LONG = 3600 };
#else
enum { LONG = 0 };
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *argument)
{
    struct timespec before, after;
    assert(clock_gettime(CLOCK_MONOTONIC, &before) == 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    assert(clock_gettime(CLOCK_MONOTONIC, &after) == 0);
    assert(after.tv_sec > before.tv_sec || (after.tv_sec == before.tv_sec && after.tv_nsec >= before.tv_nsec));
    return argument;
}

int main(void)
{
    pthread_t thread;
    struct timeval start, end;
    struct timespec none;
    assert(clock_gettime(9999, &none) == -1 && errno == EINVAL && clock_nanosleep(9999, 0, &(struct timespec){0}, NULL) == EINVAL);
    assert(time(NULL) > 0 && gettimeofday(&start, NULL) == 0);
    time_t before = time(NULL);
    pthread_create(&thread, NULL, other, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    sleep(LONG);
    pthread_join(thread, NULL);
    assert(time(NULL) >= before + LONG);
    assert(gettimeofday(&end, NULL) == 0 && end.tv_sec >= start.tv_sec + LONG);
    return 0;
}
