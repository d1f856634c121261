/* Keys of thread-specific data. The values are the C library's business: it keeps them in the thread's control block, which
 * every context has. But it does not see our threads end, so the destructors are remembered here, too.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "key.h"
#include "rt.h"
#include "thread.h"

#include <limits.h>
#include <pthread.h>
#pragma GCC poison malloc calloc free printf

static void (*destructors[PTHREAD_KEYS_MAX])(void *);
static pthread_key_t used;                               /* those from here on never had one */

void rt_key_destructor(pthread_key_t key, void (*destructor)(void *))
{
    if (key >= PTHREAD_KEYS_MAX || (!destructor && key >= used))
        return;
    destructors[key] = destructor;
    if (key >= used)
        used = key + 1;
}

static bool run(pthread_key_t key)
{
    void *value = destructors[key] ? pthread_getspecific(key) : NULL;
    if (!value)
        return false;
    pthread_setspecific(key, NULL);
    destructors[key](value);
    return true;
}

/* A destructor may set values again. */
void rt_run_key_destructors(void)
{
    bool again = true;
    for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && again; i++) {
        again = false;
        for (pthread_key_t key = 0; key < used; key++)
            again |= run(key);
    }
}

RT_API int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    int error = RT_NEXT(pthread_key_create)(key, destructor);
    if (!error)
        rt_key_destructor(*key, destructor);
    return error;
}

RT_API int pthread_key_delete(pthread_key_t key)
{
    rt_key_destructor(key, NULL);
    return RT_NEXT(pthread_key_delete)(key);
}
