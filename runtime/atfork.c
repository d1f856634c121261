/* The handlers of pthread_atfork: remembered here, because a fork under the controller is not the C library's.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "atfork.h"
#include "rt.h"

#pragma GCC poison malloc calloc free printf

enum { MOST = 64 };

static struct { void (*prepare)(void), (*parent)(void), (*child)(void); } handlers[MOST];
static int count;
static bool too_many;                /* more were wanted than there is room for: told at the first fork */

/* What pthread_atfork, which is a part of every program, comes down to. */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *owner);

static int add(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    if (count == MOST) {
        too_many = true;
        return 0;
    }
    handlers[count].prepare = prepare;
    handlers[count].parent = parent;
    handlers[count++].child = child;
    return 0;
}

/* Before the controller is known, too: a library may be first. */
static int add_to_both(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *owner)
{
    int error = RT_NEXT(__register_atfork)(prepare, parent, child, owner);
    return error ? error : add(prepare, parent, child);
}

RT_CONTROLLED(int, __register_atfork, (void (*prepare)(void), void (*parent)(void), void (*child)(void), void *owner), (),
    DO(add_to_both(prepare, parent, child, owner)), DO(add(prepare, parent, child)))

bool rt_knows_fork_handlers(void) { return !too_many; }

void rt_before_fork(void)
{
    for (int i = count; i-- > 0;)
        if (handlers[i].prepare)
            handlers[i].prepare();
}

void rt_after_fork(bool is_child)
{
    for (int i = 0; i < count; i++) {
        void (*handler)(void) = is_child ? handlers[i].child : handlers[i].parent;
        if (handler)
            handler();
    }
}
