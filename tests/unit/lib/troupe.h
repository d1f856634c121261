/* A made-up program with threads on stage: behind the header that real ones are behind, run along paths.
 * SPDX-License-Identifier: MIT */
#ifndef TROUPE_H
#define TROUPE_H

#include "sharing.h"
#include "system/system.h"

struct troupe {
    const struct sharing *program;
    struct created        objects[SHARING_VARIABLES + SHARING_COUNTERS];
    struct start          start;
    struct history       *history;
    struct texts         *texts;
    struct runner         runner;
    struct system        *system;
    const struct way     *sent;
    uint32_t              sent_count;
    uint64_t              runs, wrong;           /* paths that the program ran, and that it did not do as foreseen */
    uint64_t              turns;                 /* how often it was asked: about one path, or several */
};

/* All that the program is at a time; zero at its start. */
struct troupe_actor {
    struct sharing_memory memory;
    uint8_t               thread_of[MAX_PROCESSES], process_of[SHARING_THREADS];
};

void troupe_open(struct troupe *, const struct sharing *, bool states);  /* states: they are told, and can be compared */
void troupe_close(struct troupe *);

/* It stands where the leg begins, and goes on with the leg's result; before what a process stands then. */
void troupe_go(const struct troupe *, struct troupe_actor *, const struct leg *);
void troupe_arrive(const struct troupe *, const struct troupe_actor *, int process, struct arrival *);
const struct node *troupe_node(const struct troupe *, uint32_t process, uint32_t node);

#endif
