/* What the files of the simulator's state machine share: simulator.c (the scenario, and where in it the program is), change.c (what changes
 * that), objects.c (objects in words).
 * SPDX-License-Identifier: MIT */
#ifndef SIMULATOR_INTERNAL_H
#define SIMULATOR_INTERNAL_H

#include "simulator/moments.h"
#include "simulator/simulator.h"

/* What the last transition that was let go has put aside; for simulator_take_back. */
struct cut {
    struct event  *events;
    struct moment *moments;
    uint32_t       count, edition, changed_from;
};

/* The scenario as it was loaded; what is done by hand may leave it, and can come back to it. */
struct route {
    struct { int process; uint32_t choice; } *steps;
    uint32_t count;
};

struct simulator {
    const struct job *given;         /* borrowed */
    struct job        job;           /* in use */
    struct texts     *texts;
    struct run        run;
    struct scenario   all;           /* the whole of it */
    uint32_t         *words;         /* of an object, as the next operation finds it */
    char             *name, *error, *program;    /* of the scenario's file */
    struct route       plan;
    uint32_t          position, edition, changed_from;
    uint64_t          seq;
    struct cut        cut;
    struct simulator_work work;
};

/* Executes a transition behind the position; all that the scenario said to come there is replaced by it, and put aside. */
int  simulator_execute(struct simulator *, int process, uint32_t choice, struct err *);
void simulator_put_aside(struct simulator *);
void simulator_put_back(struct simulator *);     /* what was put aside, behind the position */
void simulator_go_back(struct simulator *, uint32_t position);
int  simulator_go_to(struct simulator *, uint32_t position, struct err *);
void simulator_return_to(struct simulator *, uint32_t position);         /* to where it has been: that is in memory, and cannot fail */
int  simulator_follow(struct simulator *, const struct path *, const char *name, struct err *);
void simulator_set_header(struct simulator *, const struct path *, const char *name);
/* A start of the program, at the beginning of this scenario. */
int  simulator_begin(struct simulator **, const struct job *, bool group, const struct path *, const char *name, struct err *);

#endif
