/* Where a process is that does not arrive: one look at its stack, or many, which show the loop it is in.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/internal.h"
#include "native/returns.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 20, DEPTH = 64 };

struct sample { struct place frames[DEPTH]; int count; };

/* Frames are counted from main, so that level 0 is the same function in all samples. */
static const struct place *at_level(const struct sample *s, int level)
{
    return level < s->count ? &s->frames[s->count - 1 - level] : NULL;
}

static bool same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool all_in_one_function(const struct sample *samples, int count, int level)
{
    const struct place *first = at_level(&samples[0], level);
    for (int i = 0; i < count; i++) {
        const struct place *p = at_level(&samples[i], level);
        if (!first || !p || !same(p->function, first->function) || !same(p->file, first->file))
            return false;
    }
    return true;
}

static void lines_at(const struct sample *samples, int count, int level, int *lo, int *hi)
{
    *lo = *hi = at_level(&samples[0], level)->line;
    for (int i = 1; i < count; i++) {
        int line = at_level(&samples[i], level)->line;
        *lo = line < *lo ? line : *lo;
        *hi = line > *hi ? line : *hi;
    }
}

/* The innermost level at which all samples agree, every outer frame standing at one call. */
static int common_level(const struct sample *samples, int count)
{
    int level = 0, lo, hi;
    while (all_in_one_function(samples, count, level + 1)) {
        lines_at(samples, count, level, &lo, &hi);
        if (lo != hi)
            break;
        level++;
    }
    return level;
}

/* The loop is in the innermost function that does not return: one that does may just be called again and again. */
static int loop_level(struct native *n, uint32_t slot, const struct sample *samples, int count, int *lo, int *hi)
{
    int level = common_level(samples, count), caller_lo, caller_hi;
    lines_at(samples, count, level, lo, hi);
    for (; level > 0; level--) {
        uint64_t back = at_level(&samples[0], level - 1)->address;
        lines_at(samples, count, level - 1, &caller_lo, &caller_hi);
        if (!returns_to(n->members[slot].pid, back, native_where(n), &caller_lo, &caller_hi))
            break;
        *lo = caller_lo;
        *hi = caller_hi;
    }
    returns_lines(n->members[slot].pid, at_level(&samples[0], level), native_where(n), lo, hi);
    return level;
}

static int take_samples(struct native *n, uint32_t slot, struct sample *samples)
{
    struct timespec a_while = {.tv_nsec = 1500000};
    int count = 0;
    for (int i = 0; i < SAMPLES && !n->moved; i++) {     /* else its addresses are not those that places are known by */
        samples[count].count = where_stack(native_where(n), n->members[slot].pid, samples[count].frames, DEPTH);
        count += samples[count].count > 0;
        nanosleep(&a_while, NULL);
    }
    return count;
}

void spin_describe(struct native *n, uint32_t slot, char *text, size_t room, uint64_t *place)
{
    static struct sample samples[SAMPLES];
    int count = take_samples(n, slot, samples), lo, hi;
    *place = 0;
    if (!count || !all_in_one_function(samples, count, 0)) {
        snprintf(text, room, "spins for %d seconds without a visible operation", n->settings.divergence_limit);
        return;
    }
    int level = loop_level(n, slot, samples, count, &lo, &hi);
    const struct place *p = at_level(&samples[0], level);
    *place = p->address;
    int used = snprintf(text, room, "spins in %s(), %s:%d", p->function ? p->function : "?", p->file, lo);
    if (hi != lo && used > 0 && (size_t)used < room)
        snprintf(text + used, room - (size_t)used, "-%d", hi);
}

uint64_t spin_place(struct native *n, uint32_t slot, struct place *place)
{
    return !n->moved && where_stack(native_where(n), n->members[slot].pid, place, 1) > 0 ? place->address : 0;
}
