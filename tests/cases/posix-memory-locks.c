/* expect: complete.  optimal: 2 executions.
 *
 * Who locks memory against paging locks his own, not what the runtime has mapped: it is not too much, and what is no memory is told.
 * Without any right to lock memory it fails with EPERM.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[2 * PAGE] __attribute__((aligned(PAGE)));

static int is_done(int result) { return result == 0 || errno == EPERM; }

static void *user(void *unused)
{
    pthread_mutex_lock(&lock);
    assert(is_done(mlock(buffer, sizeof buffer)) && munlock(buffer, sizeof buffer) == 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    char *gone = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(is_done(mlockall(MCL_CURRENT | MCL_FUTURE)));
    assert(mlockall(0) == -1 && errno == EINVAL);
    pthread_create(&thread, NULL, user, NULL);
    user(NULL);
    pthread_join(thread, NULL);
    assert(munlockall() == 0);
    assert(gone != MAP_FAILED && is_done(mlock(gone + 1, 1)));
    assert(munlock((void *)PAGE, PAGE) == -1 && errno == ENOMEM);
    return 0;
}
