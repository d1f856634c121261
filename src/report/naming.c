/* SPDX-License-Identifier: MIT */
#include "report/naming.h"

#include "native/variable.h"
#include "objects/types.h"
#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

/* How far apart the elements of an array of such objects are; 0: they have no memory. */
static unsigned element_size(const struct created *c)
{
    const struct object_type *type = types_get(c->type);
    return type->memory ? type->memory(c->arg) : 0;
}

/* "mutex 3 made at pool.c:41", "mutex 1 of process 2 made at pool.c:41"; "mutex 3 of process 1" where nobody made it, or no line is known */
static char *by_count(const struct run *run, const struct trace *before, const struct op *op)
{
    const struct created *c = run->system->objects[op->object].created;
    struct made made = before ? trace_made(before, op) : (struct made){ .nth = c->nth, .op = { .process = (uint8_t)c->maker } };
    char *where = before && trace_makes(&made.op) ? run_location(run, &made.op) : NULL, *whose = NULL;
    if (made.op.process || !where)
        whose = prose_make(" of process %d", made.op.process + 1);
    char *name = prose_make("%s %u%s%s%s", types_get(c->type)->name, made.nth, whose ? whose : "",
                            where ? " made at " : "", where ? where : "");
    free(where);
    free(whose);
    return name;
}

bool naming_is_of_library(const struct run *run, const struct op *op)
{
    const struct created *c = op->object == NO_OBJECT || !run_shares(run) ? NULL : run->system->objects[op->object].created;
    return c && run->native && !types_get(c->type)->numbered && variable_of_the_system(native_where(run->native), c->address);
}

/* ---- processes ---- */

/* "pthread_create(producer)"; a timer has no function, and the name of what made it: "alarm()" */
static char *function_in(const char *text)
{
    const char *open = strchr(text, '('), *close = strrchr(text, ')');
    if (open && close == open + 1)
        return prose_make("%.*s", (int)(open - text), text);
    return open && close > open ? prose_make("%.*s", (int)(close - open - 1), open + 1) : NULL;
}

char *naming_thread(const struct run *run, const struct trace *trace, int process)
{
    for (uint32_t i = trace ? trace->count : 0; i-- > 0;) {
        const struct event *e = &trace->events[i];
        if (is_process(&e->op, PROCESS_CREATE) && e->result == (uint32_t)process)
            return function_in(texts_string(run->system->texts, e->op.text));
    }
    return NULL;
}

char *naming_process(const struct run *run, const struct trace *trace, int process)
{
    char *function = naming_thread(run, trace, process);
    char *name = prose_make(function ? "process %d (%s)" : "process %d", process + 1, function);
    free(function);
    return name;
}

/* ---- objects ---- */

/* The name by which it was opened, as the operation that made it has it. Gives; NULL: none. */
static char *opened_as(const struct run *run, const struct trace *before, const struct op *op)
{
    struct made made = trace_made(before, op);
    return types_traits(&made.op) & OP_NAMES ? prose_make("%s", texts_string(run->system->texts, made.op.text)) : NULL;
}

char *naming_object(const struct run *run, const struct trace *before, const struct op *op)
{
    const struct created *c = op->object == NO_OBJECT ? NULL : run->system->objects[op->object].created;
    char name[256];
    if (!run_shares(run) || !c) {
        system_object_name(run->system, op, name, sizeof name);
        return prose_make("%s", name);
    }
    if (run->program)                            /* each has its name there */
        return run->system->runner->name(run->system->runner->self, op->object, name, sizeof name) ? prose_make("%s", name) : prose_make("?");
    char *opened = before ? opened_as(run, before, op) : NULL;
    if (opened)
        return opened;
    if (types_get(c->type)->numbered)            /* its address is 1 + what the program calls it */
        return prose_make("%u", (unsigned)c->address - 1);
    if (variable_global(native_where(run->native), c->address, element_size(c), name, sizeof name))
        return prose_make("%s", name);
    uint64_t place = before ? trace_made(before, op).op.place : 0;
    const char *seen = native_object_name(run->native, op->object, place);
    return seen ? prose_make("%s", seen) : by_count(run, before, op);
}
