/* Something is set up by whoever comes first, with a look before the lock. -DRIGHT: the pointer is atomic, else it is not.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct thing { int made; };
static struct thing one;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef RIGHT
static struct thing *_Atomic thing;
#else
static struct thing *thing;
#endif

static struct thing *get(void)
{
    struct thing *seen = thing;
    if (seen)
        return seen;
    pthread_mutex_lock(&lock);
    if (!thing) {
        one.made = 1;
        thing = &one;
    }
    seen = thing;
    pthread_mutex_unlock(&lock);
    return seen;
}

static void *use(void *unused)
{
    assert(get()->made == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
