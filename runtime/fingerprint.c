/* The fingerprint of a local state: 128 bits of the private memory, the live stack, the registers that survive a call, what the
 * kernel tells of the process, and the pending operation.
 *
 * Invariant: equal states have equal fingerprints, however they came about. So a page that is all zero counts like one
 * that was never touched.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "kernel.h"
#include "rt.h"
#include "walk.h"

#include <stddef.h>
#include <string.h>

/* A sanitizer's memcpy would object to what is read here: all memory, also that which the program must not touch. */
RT_INLINE void *copy(void *to, const void *from, size_t bytes)
{
    void *at = to;
    if (__builtin_constant_p(bytes) && bytes <= 64)
        return __builtin_memcpy(to, from, bytes);
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(bytes) : : "memory");
    return to;
}

#define memcpy copy
#define XXH_INLINE_ALL
#include <xxhash.h>
#pragma GCC poison malloc calloc free printf

static bool is_zero(const uint64_t *p, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes / 8; i++)
        if (p[i])
            return false;
    return true;
}

static void add_page(void *state, uint64_t at, uint64_t bytes)
{
    if (is_zero((uint64_t *)at, bytes))
        return;
    XXH3_128bits_update(state, &at, sizeof at);
    XXH3_128bits_update(state, (void *)at, bytes);
}

/* Leftovers of calls that have returned would show up in the holes of later frames, and two states that are the same but for
 * these would part again: so the dead stack is cleared. */
static void clear(void *state, uint64_t at, uint64_t bytes)
{
    (void)state;
    if (!is_zero((uint64_t *)at, bytes))
        memset((void *)at, 0, bytes);
}

static void add_gap(void *state, uint64_t from, uint64_t to)
{
    uint64_t gap[2] = {from, to};
    XXH3_128bits_update(state, gap, sizeof gap);
}

static void add_file(void *state, const uint64_t identity[4])
{
    XXH3_128bits_update(state, identity, 4 * sizeof *identity);
}

static void add_bytes(void *state, const void *bytes, uint64_t count)
{
    XXH3_128bits_update(state, bytes, count);
}

static void add_call(XXH3_state_t *state, const struct rt_call *call)
{
    int32_t words[] = {call->type, call->code, call->number, call->index, call->arg[0], call->arg[1], call->arg[2],
                       call->text != NULL};
    XXH3_128bits_update(state, words, sizeof words);
    if (call->text)
        XXH3_128bits_update(state, rt->slot->text, rt_length(rt->slot->text, MAX_MESSAGE));
}

/* Rounding modes and the like: all that a call preserves beside the registers in the frame. */
static void add_float_control(XXH3_state_t *state)
{
    uint32_t sse;
    uint16_t x87;
    __asm__("stmxcsr %0" : "=m"(sse));
    __asm__("fnstcw %0" : "=m"(x87));
    XXH3_128bits_update(state, &sse, sizeof sse);
    XXH3_128bits_update(state, &x87, sizeof x87);
}

/* What was printed is not part of a local state, nor is how much of it there was. */
static void walk_without_output(struct rt_walk *walk)
{
    uint64_t were[] = {*rt->written[0], *rt->written[1]};
    for (int i = 0; i < 2; i++)
        if (were[i])                                     /* or the page would be one that was written to */
            *rt->written[i] = 0;
    rt_walk(walk);
    for (int i = 0; i < 2; i++)
        if (were[i])
            *rt->written[i] = were[i];
}

/* The stack counts from where the runtime left it, with the frame of the intercepted call, registers and all: what stands in
 * the holes of that frame can come to light later, too. */
void rt_fingerprint(const struct rt_call *call, uint64_t stack, uint64_t signal_mask, uint64_t out[2])
{
    if (rt->wire->group & GROUP_THREADS) {               /* for a debugger, nobody compares states, but what is left is the same */
        struct rt_walk dead = {.dead = clear, .live_stack = stack};
        rt_walk(&dead);
        return;
    }
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    add_float_control(&state);
    add_call(&state, call);
    XXH3_128bits_update(&state, &signal_mask, sizeof signal_mask);
    struct rt_kernel kernel = {.self = &state, .add = add_bytes};
    rt_kernel_state(&kernel);
    struct rt_walk walk = {.self = &state, .page = add_page, .gap = add_gap, .file = add_file, .dead = clear,
                           .live_stack = stack};
    walk_without_output(&walk);
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    out[0] = hash.low64;
    out[1] = hash.high64;
}
