/* A value is handed over by a flag that the other thread waits for: -DSTORE=, -DLOAD= memory orders; -DPLAIN: a flag that is not
 * atomic; -DVOLATILE: one that is only volatile; -DOVERWRITES: the other thread looks plainly, and reads atomically what it has written itself since.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int value;
#if defined VOLATILE
static volatile int flag;
#elif defined PLAIN
static int flag;
#endif
#if defined PLAIN || defined VOLATILE
#define SET()  (flag = 1)
#define GET()  flag
#else
static atomic_int flag;
#define WITH(order)  memory_order_##order
#define ORDER(order) WITH(order)
#define SET()  atomic_store_explicit(&flag, 1, ORDER(STORE))
#define GET()  atomic_load_explicit(&flag, ORDER(LOAD))
#endif

static void *give(void *unused)
{
    value = 42;
    SET();
    return unused;
}

static void *take(void *unused)
{
#ifdef OVERWRITES
    int seen = *(int *)&flag;
    *(int *)&flag = 2;
    if (GET() && !seen)
        return unused;
#else
    while (!GET())
        ;
#endif
    assert(value == 42);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, give, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
