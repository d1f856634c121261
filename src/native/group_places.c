/* Where in the program's own source a process of a sharing group stands: who called whom, if the call itself stands elsewhere.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include "objects/types.h"

/* A header of the compiler's (std::mutex::lock) is not where a person looks. */
static bool is_own_source(struct native *n, uint64_t address)
{
    struct known_place *k = &n->group.places[address / 2 % KNOWN_PLACES];
    if (k->address != address)
        *k = (struct known_place){.address = address, .own = where_is_own(native_where(n), address)};
    return k->own;
}

/* Who called whom, from the one in whom the program called the runtime; none where memory is not where it was first. */
void places_unwind(struct native *n, uint32_t slot, uint64_t saved)
{
    frames_of(native_where(n), n->members[slot].pid, native_fixed(n) ? saved : 0, &n->group.frames);
}

static uint64_t own_caller(struct native *n, uint64_t place)
{
    const struct frames *f = &n->group.frames;
    int from = 0;
    while (from < f->count && f->at[from].pc != place)
        from++;
    for (int i = from; i < f->count; i++)
        if (is_own_source(n, f->at[i].pc))
            return f->at[i].pc;
    for (int i = from; i < f->count; i++)                /* without debug information it is known by the file at least */
        if (where_is_of_program(native_where(n), f->at[i].pc))
            return f->at[i].pc;
    return 0;
}

/* A function that a thread began with has returned: where it ends, not where it begins. */
static uint64_t end_of_function(struct native *n, const struct wire_slot *s)
{
    const struct op op = slot_op(s);
    bool returned = is_process(&op, PROCESS_FINISH) && op.arg[1] == FINISH_RETURN;
    return returned ? where_end(native_where(n), s->place) : s->place;
}

int native_stack(struct native *n, uint64_t place, struct place *frames, int room)
{
    const struct frames *f = &n->group.frames;
    int from = 0, count = 0;
    if (!n->group.done || !n->told.stack || n->moved)
        return 0;
    frames_of(native_where(n), n->members[n->group.plan.steps[n->group.done - 1].host].pid, n->told.stack, &n->group.frames);
    while (from < f->count && f->at[from].pc != place)
        from++;
    for (int i = from; i < f->count && count < room; i++) {
        struct place at = where_call(native_where(n), f->at[i].pc);
        if (at.file && at.line && is_own_source(n, f->at[i].pc))
            frames[count++] = at;
    }
    return count;
}

/* The program may have loaded libraries since it was looked at. */
static void find_module(struct native *n, uint32_t slot, uint64_t place)
{
    enum { OFTEN = 64 };             /* code that is in no file is not looked for for ever */
    enum { LOWEST = 4096 };          /* no code is below; a program that does not tell where its main is has a place there */
    struct where *w = native_where(n);
    if (!w || place < LOWEST || where_module(w, place) || n->moved || n->looked_again >= OFTEN)
        return;
    n->looked_again++;
    where_look_again(w, n->members[slot].pid);
}

uint64_t group_place(struct native *n, uint32_t slot, const struct wire_slot *s)
{
    uint64_t own = 0;
    find_module(n, slot, s->place);
    if (is_own_source(n, s->place))
        return end_of_function(n, s);
    n->group.frames.count = 0;
    if (s->stack) {
        places_unwind(n, slot, s->stack);
        own = own_caller(n, s->place);
    }
    for (size_t i = 0; i < sizeof s->callers / sizeof *s->callers && s->callers[i] && !own && !n->group.frames.count; i++)
        own = is_own_source(n, s->callers[i]) ? s->callers[i] : 0;
    return own ? own : s->place;
}
