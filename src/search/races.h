/* All races of a path that has come to its end: they are looked for, and what reverses them is put into the wakeup trees.
 * SPDX-License-Identifier: MIT */
#ifndef RACES_H
#define RACES_H

#include "search/ahead.h"
#include "search/wakeup.h"

struct race {
    struct second   second;
    uint32_t        first, next;
    uint32_t        found;           /* when, on its path */
    struct reversal reversal;
};

/* What a process that sleeps in a state would do there. */
struct sleeper { uint32_t node, stamp, expected; };

struct sleepers {
    struct sleeper *all;             /* `stride` for each state of the path */
    uint32_t        stride, room;
    uint64_t       *known;           /* for each state: which of them are filled in */
};

struct races {
    struct past    *past;            /* borrowed */
    struct trees   *trees;           /* borrowed */
    struct race    *all;             /* of the steps that are known, in the order of their second steps */
    uint32_t        count, room;
    struct sleepers sleepers;
    /* while a path is looked at */
    struct survey   survey;
    struct suspects suspects;
    struct sequence sequence;
    struct event    moved;           /* the second step, at the end of it */
    uint32_t       *near;            /* scratch */
    uint32_t       *reversed;        /* a clock for each second that races: all that happens before a first of its races */
    size_t          reversed_room;
    uint32_t        settled[MAX_PROCESSES];      /* of each process: all new steps come after its steps before this position */
    uint32_t        lowest_free;     /* the first known step of which a new one does not; UINT32_MAX: there is none */
};

void races_init(struct races *, struct past *, struct trees *);  /* borrows both */
void races_fini(struct races *);
void races_make_room(struct races *);            /* for as many levels as the path has */
void races_look(struct races *);                 /* the path must be what the program does */
void races_forget(struct races *);               /* those of steps that are not known any more */
void races_link(struct races *, uint32_t count); /* makes `first_race` of so many levels again */

#endif
