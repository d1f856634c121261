/* flockfile and its like: a lock for each stream of the C library, that its holder can take again.
 *
 * The C library's own lock of the stream is taken, too, right after ours: whoever prints to the stream meanwhile waits for that one, where
 * nobody can set him aside; so that is told as what is not controlled. Invariant: whoever has ours has the C library's.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "sync.h"

#include <errno.h>
#include <stdio.h>
#pragma GCC poison malloc calloc free printf

enum { MOST = 32 };

/* What threads hold. It goes back with memory. */
static struct held { FILE *stream; int32_t process; uint32_t depth; } held[MOST];

static struct held *find(FILE *f, int32_t process)       /* NULL: it is not held */
{
    for (struct held *h = held; h < held + MOST; h++)
        if (h->depth && h->stream == f && h->process == process)
            return h;
    return NULL;
}

static struct held *unused(void)                         /* NULL: there are too many */
{
    for (struct held *h = held; h < held + MOST; h++)
        if (!h->depth)
            return h;
    return NULL;
}

RT_INLINE uint32_t operate(FILE *f, uint8_t code, const char *name)
{
    struct rt_call call = rt_operation(TYPE_MUTEX, code, f, MUTEX_RECURSIVE, false);
    call.text = name;
    return (uint32_t)RT_ENTER(&call);
}

/* 0: it is ours. */
RT_INLINE uint32_t take(FILE *f, uint8_t code, const char *name)
{
    uint32_t busy = operate(f, code, name);
    struct held *h = find(f, rt_self());
    if (busy)
        return busy;
    if (!h && (h = unused()))
        *h = (struct held){f, rt_self(), 0};
    if (!h)
        RT_REFUSE("flockfile (of more streams at a time than VeriSoft can control)");
    h->depth++;
    return 0;
}

RT_INLINE void give(FILE *f, const char *name)
{
    struct held *h = find(f, rt_self());
    if (!h)
        return;
    operate(f, MUTEX_UNLOCK, name);
    h->depth--;
}

RT_INLINE void lock(FILE *f)
{
    take(f, MUTEX_LOCK, "flockfile");
    RT_NEXT(flockfile)(f);
}

RT_GROUPED(void, flockfile, (FILE *f), (f), NEXT, DO(lock(f)))

RT_INLINE void unlock(FILE *f)
{
    give(f, "funlockfile");
    RT_NEXT(funlockfile)(f);
}

RT_GROUPED(void, funlockfile, (FILE *f), (f), NEXT, DO(unlock(f)))

RT_INLINE int try(FILE *f)
{
    if (take(f, MUTEX_TRYLOCK, "ftrylockfile"))
        return EBUSY;
    int busy = RT_NEXT(ftrylockfile)(f);
    if (busy)
        give(f, "ftrylockfile");
    return busy;
}

RT_GROUPED(int, ftrylockfile, (FILE *f), (f), NEXT, DO(try(f)))

/* Whoever closes a stream that he has locked has done with the lock. */
void rt_stream_closes(void *f)
{
    struct held *h = find(f, rt_self());
    while (h && h->depth)
        give(f, "fclose");
}
