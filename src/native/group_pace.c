/* On which core the program runs while the controller goes on: apart from it, or together. What is found does not depend on this.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include <sched.h>
#include <time.h>

/* While the controller goes on meanwhile, the program is better on another core; while they take turns, on the same one. */
void pace_stay_apart(struct native *n, bool apart)
{
    apart &= !n->crowded;
    if (n->group.apart == apart)
        return;
    cpu_set_t cores = n->cores;
    int here = sched_getcpu();
    if (here < 0 || CPU_COUNT(&cores) < 2)
        return;
    n->group.apart = apart;
    if (apart) {
        CPU_CLR(here, &cores);
    } else {
        CPU_ZERO(&cores);
        CPU_SET(here, &cores);
    }
    sched_setaffinity(n->members[0].pid, sizeof cores, &cores);
}

/* It is, unless others keep that core busy. That shows in how long ways take; the other place is tried now and then. What is found does
 * not depend on this. */
bool pace_is_faster_apart(struct native *n, uint32_t count)
{
    enum { TRY_OTHER = 64 };
    struct pace *p = &n->group.pace;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t now = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
    double *each = &p->each[n->group.apart], last = p->count ? (double)(now - p->since) / p->count : 0;
    if (last)
        *each = *each ? (3 * *each + last) / 4 : last;
    p->since = now;
    p->count = count;
    bool apart = p->each[true] <= p->each[false];
    return ++p->sets % TRY_OTHER ? apart : !apart;
}
