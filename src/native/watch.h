/* What is a process doing that does not come to a visible operation? It may compute (let it, within its limit of processor
 * time, so that a slow machine changes nothing), or stand still in a call that nobody controls.
 * SPDX-License-Identifier: MIT */
#ifndef WATCH_H
#define WATCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct watch {
    pid_t    pid;
    uint64_t begin, used;            /* processor time in nanoseconds: when the watch began, at the last look */
    uint64_t still_since;            /* when it was first seen standing still, on the wall clock; 0: it moves */
    long     call;                   /* the system call it stands in; -1: none */
    long     argument;
};

enum finding { FOUND_NOTHING, FOUND_SPINNING, FOUND_BLOCKED };

void         watch_begin(struct watch *, pid_t);
enum finding watch_look(struct watch *, int limit_seconds);
void         watch_describe(const struct watch *, char *text, size_t room);      /* after FOUND_BLOCKED: what blocks it */
void         watch_function(const struct watch *, char *name, size_t room);      /* the same: the call alone, "read" */

#endif
