/* Scripts of searches of made-up programs, with processes and with threads: recorded, followed, and executed by what shares nothing with those
 * who follow.
 * SPDX-License-Identifier: MIT */
#ifndef SCRIPTED_H
#define SCRIPTED_H

#include "certifier/certify.h"
#include "generate.h"
#include "scratch.h"
#include "search/search.h"
#include "stage.h"
#include "troupe.h"

enum { SCRIPTED_MOST = 4096 };           /* entries, states and transitions of one that is taken apart */

extern char scripted_file[SCRATCH_ROOM];         /* where the script is */
extern struct fields scripted_none;

/* ---- programs ---- */

/* A program without errors, and what brute force counts of it. */
struct subject {
    struct system *system;
    uint64_t       seed, states, transitions;
    bool           suits;            /* else it has errors, or is nothing to speak of */
    bool           small;            /* so that every change of its script can be tried */
    bool           shares;
    struct stage   stage;
    struct troupe  troupe;
    struct program processes;
    struct sharing threads;
};

void scripted_open(struct subject *, uint64_t seed, bool shares);        /* gives; return it with scripted_close */
void scripted_close(struct subject *);

/* ---- their scripts ---- */

struct search_result scripted_record(struct system *, enum script_kind);
struct certification scripted_follow(struct system *, bool trustful);

struct executed {
    uint64_t state[SCRIPTED_MOST][2], from[SCRIPTED_MOST][2];
    uint32_t process[SCRIPTED_MOST], choice[SCRIPTED_MOST], states, transitions;
};

/* Walks along the file without asking whether it tells the truth. */
void scripted_execute(struct system *, struct executed *);

#endif
