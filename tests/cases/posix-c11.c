/* expect: complete.
 *
 * The threads of C11: thrd, mtx, cnd, tss and call_once.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t full;
static tss_t own;
static once_flag once = ONCE_FLAG_INIT;
static int item, prepared, destroyed;

static void prepare(void) { prepared++; }
static void destroy(void *value) { destroyed += *(int *)value; }

static int producer(void *argument)
{
    call_once(&once, prepare);
    assert(tss_set(own, argument) == thrd_success && tss_get(own) == argument);
    assert(mtx_lock(&lock) == thrd_success);
    item = 7;
    assert(cnd_signal(&full) == thrd_success);
    mtx_unlock(&lock);
    thrd_yield();
    thrd_exit(3);
}

int main(void)
{
    thrd_t thread;
    int value = 10, result;
    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(cnd_init(&full) == thrd_success);
    assert(tss_create(&own, destroy) == thrd_success);
    assert(thrd_create(&thread, producer, &value) == thrd_success);
    call_once(&once, prepare);
    mtx_lock(&lock);
    while (item == 0)
        cnd_wait(&full, &lock);
    mtx_unlock(&lock);
    assert(!thrd_equal(thread, thrd_current()));
    assert(thrd_join(thread, &result) == thrd_success && result == 3);
    assert(item == 7 && prepared == 1 && destroyed == 10);
    cnd_destroy(&full);
    mtx_destroy(&lock);
    tss_delete(own);
    return 0;
}
