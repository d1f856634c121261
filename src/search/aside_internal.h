/* The state of aside.h: aside.c has what is told and used, helpers.c the copies, letter.c how they tell it. SPDX-License-Identifier: MIT */
#ifndef ASIDE_INTERNAL_H
#define ASIDE_INTERNAL_H

#include "search/insertions.h"
#include "search/optimal_internal.h"

#include <sys/types.h>

/* A local state that the one who is told did not know, and a path by which it was come to: `steps` of them, from this one on. */
struct witness { uint32_t process, node, at, steps; uint64_t digest; };
struct footstep { uint32_t process, choice; };
enum known { NOT_KNOWN, KNOWN, WITNESSED, DOUBTED };     /* of a local state, to a copy; doubted: the path by which it was come to was none */

/* All that a copy tells. */
struct told {
    struct witness *witnesses;
    uint32_t      witness_count, witness_room;
    struct footstep *walked;
    uint32_t      walked_count, walked_room;
    struct insertions sequences;
    uint32_t     *entries;           /* numbers of these, in the order in which they were inserted */
    uint32_t      entry_count, entry_room;
    struct aside_part  *records;
    uint32_t      record_count, record_room;
};

/* What of a path makes the key of its end. */
struct mark { uint32_t process, choice; uint64_t sleep, besides; };

struct helper {
    pid_t    pid;
    int      file;                   /* for what it tells */
    int      end;                    /* of a pipe whose other end it has */
    uint32_t place;                  /* in `awaited`, and among the cores */
    uint32_t level, process;         /* the state it began in, and who was the next to go there */
    uint64_t key;                    /* of the path to that, who, and how much there was to do */
};

struct aside {
    struct optimal *optimal;         /* borrowed */
    struct mark    *marks;           /* scratch */
    uint32_t        mark_room;
    struct move    *unpacked;        /* scratch, as its clocks */
    uint32_t       *clocks, unpacked_room;
    struct told     known;           /* what copies told, all of them one after the other */
    uint32_t       *slots, mask;     /* hash table of its records: 1 + number */
    struct helper  *helpers;         /* those that live */
    uint32_t        helper_count;
    uint64_t       *done, done_count, done_room;  /* keys of those that came to the end of all there was */
    struct told    *inbox;           /* what copies told and is not known yet, because their local states may not be */
    uint32_t        inbox_count, inbox_room;
    int             jobs;            /* processes that search at one time, at most */
    volatile int   *awaited;         /* of each copy, in memory that it shares: is it waited for? */
    uint64_t        looks;           /* so far, at the copies; of a copy, at who waits for it */
    uint64_t        begun;           /* milliseconds of processor time that were over then */
    uint64_t        next_look, pause;            /* paths to the next; between two, which are more where copies find nothing new */
    /* of a copy */
    bool            copy;
    struct watcher  silent;
    bool            heard;           /* something was found */
    uint32_t        place;           /* of this process, likewise; one that waits lends it */
    bool            late;            /* it gives back the rest of its work */
    uint32_t        seen_stride;
    uint64_t        seen;            /* dependence_seen, when it was made */
    uint8_t        *nodes[MAX_PROCESSES];        /* of each process, of each local state: enum known */
    uint32_t        node_count[MAX_PROCESSES];
    struct told     told;
    const struct move **kept;        /* the sequence that is being inserted */
    uint32_t        kept_count, kept_room;
    struct aside_part    *open;
    uint32_t        open_count, open_room;
};

/* The head of what a copy tells (letter.c). */
struct letter { uint32_t sequences, moves, steps, clocks, entries, records, witnesses, walked; bool complete; uint64_t work[HELPER_NUMBERS]; };
bool aside_write_letter(int file, struct letter, const struct told *);   /* of its parts the largest that are right; it fills in how many there are of each */
bool aside_read_letter(int file, struct letter *, struct told *);        /* false: it says nothing that can be read */

void aside_begin_copy(struct aside *);                   /* what it needs to know of what was known */
void aside_add(struct aside *, const struct told *);     /* copies what a copy told to what is known */
uint32_t aside_choose_records(const struct told *, uint32_t *chosen);    /* the largest parts that are right; as many as there are at most */
void aside_free_told(struct told *);
bool aside_sure(const struct aside *);                   /* of a copy: each local state that it came to is known, or told with a path */
void aside_note_known(struct aside *, uint32_t process, uint32_t node, enum known);
enum known aside_is_known(const struct aside *, uint32_t process, uint32_t node);

#endif
