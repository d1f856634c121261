/* What comes of parts of a search that one process searches for another (abroad.h): as data, and in a parcel.
 *
 * A part is all that is below a state, and the state itself. What came of it: counts; what its races ask of the states above it; what was learnt of the
 * program, by paths on which it can be learnt again; errors, by the paths that lead to them.
 *
 * Invariant: a part's ranges lie in the arrays, and those of a part within it in these.
 * SPDX-License-Identifier: MIT */
#ifndef HARVEST_H
#define HARVEST_H

#include "search/internal.h"
#include "search/parcel.h"
#include "system/numbers.h"

struct tread { uint32_t process, choice; };       /* a step, as it is taken again */
struct track { uint32_t at, count; };             /* a path from the first state: `count` treads from `at` on */
struct range { uint32_t begin, end; };

/* The state before step `first` needs one of these processes tried; 0: all that can go (source.h). */
struct ask { uint32_t first; uint64_t initials; };
struct mistake { enum error_kind kind; int process; struct track track; };
/* A path to its end whose races ask something of the states above a part (optimal.h), and who slept in its last state. */
struct course { struct track track; uint64_t asleep; uint32_t lowest; };  /* the first such state */

struct plot {
    uint64_t      key[2];            /* of its state, the path to it, and what was known there */
    uint32_t      depth;             /* of that state */
    struct counts counts;
    uint64_t      after;             /* dependence_knowledge, when it was done */
    struct range  asks, courses, lessons, mistakes, sights, states;
    uint32_t      within;            /* while it is open: those that were done before it began */
};

struct harvest {
    struct plot    *plots;
    uint32_t        plot_count, plot_room;
    struct ask     *asks;
    uint32_t        ask_count, ask_room;
    struct course  *courses;
    uint32_t        course_count, course_room;
    struct track    *lessons;
    uint32_t        lesson_count, lesson_room;
    struct mistake *mistakes;
    uint32_t        mistake_count, mistake_room;
    struct track    *sights;          /* to operations that were not seen before, whoever wants to name them */
    uint32_t        sight_count, sight_room;
    struct tread    *treads;
    uint32_t        tread_count, tread_room;
    uint64_t      (*states)[3];      /* process and fingerprint of each local state that was new; process MAX_PROCESSES: it is none */
    uint32_t        state_count, state_room;
    uint64_t        work[HELPER_NUMBERS];
};

struct track harvest_track(struct harvest *, const struct search *);     /* the path of the search, kept */
void harvest_tread(struct harvest *, uint32_t process, uint32_t choice);         /* kept, too: a track may begin with it */
void harvest_lesson(struct harvest *, struct track);
void harvest_ask(struct harvest *, uint32_t first, uint64_t initials);
void harvest_course(struct harvest *, struct course);
void harvest_mistake(struct harvest *, enum error_kind, int process, struct track);
void harvest_sight(struct harvest *, struct track);
void harvest_plot(struct harvest *, const struct plot *);
void harvest_state(struct harvest *, uint32_t process, const uint64_t fingerprint[2]);
void harvest_fini(struct harvest *);

/* What a part is known by: the path to its state, who sleeps there, how deep the search goes, and what is known of the program. `levels` NULL, or: of `optimal`, to
 * which it matters who sleeps on the way, and what came beside (aside.h). */
struct level;
/* Changes with what is known of the program: when dependence_knowledge is to be asked again. */
static inline uint64_t harvest_pace(const struct system *s)
{
    if (!s->group)
        return ((uint64_t)s->leads << 32 | s->learned) ^ s->aborters * UINT64_C(0xc2b2ae3d27d4eb4f) ^ (uint64_t)s->polls << 31;
    return dependence_seen(s) + numbers_count(s) * UINT64_C(0x9e3779b97f4a7c15);
}
void harvest_key(const struct search *, uint32_t bound, uint64_t sleep, uint64_t knowledge, const struct level *levels, uint64_t key[2]);

/* Of a parcel that is made, or read. False: it is torn, or its ranges are none. */
void harvest_put_track(struct parcel *, const struct harvest *, struct track);
struct track harvest_get_track(struct parcel *, struct harvest *);
void harvest_put_lessons(struct parcel *, const struct harvest *);
void harvest_put(struct parcel *, const struct harvest *);
bool harvest_get(struct parcel *, struct harvest *);

#endif
