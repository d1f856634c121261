/* expect: complete.
 *
 * What pthread_setattr_default_np says is true of threads that are made without attributes.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

enum { GUARD = 16384, STACK = 1 << 20 };

static void *thread(void *unused)
{
    pthread_attr_t mine;
    size_t guard, stack;
    assert(pthread_getattr_np(pthread_self(), &mine) == 0);
    assert(pthread_attr_getguardsize(&mine, &guard) == 0 && guard == GUARD);
    assert(pthread_attr_getstacksize(&mine, &stack) == 0 && stack >= STACK && stack < 2 * STACK);
    pthread_attr_destroy(&mine);
    return unused;
}

int main(void)
{
    pthread_attr_t usual;
    pthread_t t;
    pthread_attr_init(&usual);
    pthread_attr_setguardsize(&usual, GUARD);
    pthread_attr_setstacksize(&usual, STACK);
    assert(pthread_setattr_default_np(&usual) == 0);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
