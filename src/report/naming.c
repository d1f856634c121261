/* SPDX-License-Identifier: MIT */
#include "report/naming.h"

#include "native/variable.h"
#include "objects/types.h"
#include "report/prose.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

/* How far apart the elements of an array of such objects are; 0: they have no memory. */
static unsigned element_size(const struct created *c)
{
    switch (c->type) {
    case TYPE_MUTEX:   return (c->arg[0] & ~MUTEX_ROBUST) == MUTEX_SPIN ? sizeof(pthread_spinlock_t) : sizeof(pthread_mutex_t);
    case TYPE_COND:    return sizeof(pthread_cond_t);
    case TYPE_RWLOCK:  return sizeof(pthread_rwlock_t);
    case TYPE_BARRIER: return sizeof(pthread_barrier_t);
    case TYPE_ONCE:    return sizeof(pthread_once_t);
    case TYPE_COUNTER: return sizeof(sem_t);
    default:           return 0;
    }
}

/* Not by an address, but by 1 + what the program calls it. */
static bool is_numbered(unsigned type)
{
    return type == TYPE_QUEUE || type == TYPE_STREAMS || type == TYPE_SEMSET || type == TYPE_MESSAGES;
}

/* "mutex 3 of process 2" */
static char *by_count(const struct run *run, const struct trace *before, const struct op *op)
{
    const struct created *c = run->system->objects[op->object].created;
    struct made made = before ? trace_made(before, op) : (struct made){ .nth = c->nth, .op = { .process = (uint8_t)c->maker } };
    return prose_make("%s %u of process %d", types_get(c->type)->name, made.nth, made.op.process + 1);
}

char *naming_object(const struct run *run, const struct trace *before, const struct op *op)
{
    const struct created *c = op->object == NO_OBJECT ? NULL : run->system->objects[op->object].created;
    char name[256];
    if (!run->start.group || !c) {
        system_object_name(run->system, op, name, sizeof name);
        return prose_make("%s", name);
    }
    if (is_numbered(c->type))
        return prose_make("%u", (unsigned)c->address - 1);
    if (variable_global(native_where(run->native), c->address, element_size(c), name, sizeof name))
        return prose_make("%s", name);
    return by_count(run, before, op);
}
