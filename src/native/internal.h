/* The parts of a struct native, for the files of this folder that make it up: member.c (its live processes), arrive.c (how
 * one comes to its next operation), end.c (or ends), rules.c (what the program may do when), spin.c, runner.c, native.c.
 * Only files of this folder include it.
 *
 * Invariants: a slot has one process at a time, and who is copied stays where it is. What the program writes into the wire is never a
 * reason for one of these to fail: it is looked at before (rules.c, line_intact), and what cannot be is an end of its process.
 * SPDX-License-Identifier: MIT */
#ifndef NATIVE_INTERNAL_H
#define NATIVE_INTERNAL_H

#include "native/frames.h"
#include "native/line.h"
#include "native/native.h"
#include "native/watch.h"
#include "native/where.h"

#include <errno.h>
#include <sched.h>

/* A live process of the program; its place in the array is its slot on the wire. */
struct member {
    pid_t     pid;                   /* 0: nobody has this slot */
    int       process;
    uint32_t  node;                  /* where it is parked in its graph; NO_NODE: on its way, or not yet known */
    uint32_t  from, result;          /* not yet known: it came from this node over this result */
    struct op op;                    /* before which it stands */
    bool      first;                 /* it stands at its first operation and must stay there, to be copied */
    bool      lost;                  /* it was found dead */
    uint64_t  used;                  /* when it was last of use, to choose who goes when there are too many */
};

struct array { int32_t key; uint32_t first, count; };    /* of objects of one type: first .. first + count - 1 */

struct ran { uint32_t process, result; uint64_t digest; uint32_t seen; };     /* a step, where it led, and its accesses */

/* How the program reached an object that is in no global variable, when it was made there. */
struct born { uint32_t object; uint64_t place; char *name; bool made; };     /* name NULL: nobody knows; made: there, not only used first */

enum { KNOWN_PLACES = 1024 };
enum { NOT_KEPT = MAX_SNAPSHOTS };
enum { MAX_WAYS = 64 };              /* that are sent off together */

/* Which step of which way a step of the batch is. */
struct spot { uint32_t way, step; };

/* Ways that were set off. */
struct sent {
    const struct way *ways;
    uint32_t          count, first, next;        /* those from `first` to before `next` are in the batch */
    uint32_t          shared;                    /* steps of the first of them that the program has run before */
    uint32_t          snapshots[MAX_SNAPSHOTS], snapshot_count;      /* as they were before it */
    bool              runs;
};

/* A step that led elsewhere when it was run again, and the end that stands for that. */
struct odd { bool found; uint32_t at, process, from, result; struct arrival arrival; };

/* The last path that ended in a loop, which took the whole limit to see: it is not run into it again. */
struct loop { struct ran *steps; uint32_t count, room; struct arrival arrival; };

/* The batch as it was meant: the copy on the wire is the program's to spoil. */
struct batch_plan { uint32_t count; struct wire_step steps[MAX_BATCH]; };

struct group_run {
    struct batch_plan plan;
    uint32_t    done;                /* steps of it, the one that the arrival is about included */
    bool        alive;               /* the program stands where `ran` led it */
    bool        single;              /* a batch has one step: the program writes into the wire, and it is to be known when */
    struct ran *ran;
    uint32_t    ran_count, ran_room;
    uint32_t    snapshots[MAX_SNAPSHOTS], snapshot_count;
    uint8_t     kept[MAX_PROCESSES][MAX_SNAPSHOTS];      /* under which number a UNIX process keeps what it was at each snapshot */
    uint8_t     same[MAX_PROCESSES]; /* it has not run since it was as in its snapshot of this number; NOT_KEPT: it has */
    uint32_t    data_used;           /* of the batch that is being made */
    struct known_place { uint64_t address; bool own; } places[KNOWN_PLACES];     /* is it in the program's own source? */
    uint64_t    library_loop;        /* the place of one that looks and counts, the last that was told; 0: none was */
    uint32_t    born[MAX_PROCESSES]; /* after how many steps this UNIX process was there */
    struct odd  odd;
    struct loop loop;
    struct spot spots[MAX_BATCH];
    struct sent sent;
    struct born *births;
    uint32_t     birth_count, birth_room;
    struct seen { uint32_t *sets, count, room; } seen[MAX_WAYS + 1];     /* of each way that was sent off, and where it stands */
    struct wire_access *told;        /* the accesses of a set, as they were told */
    uint32_t     told_room;
    struct frames frames;            /* of the one that arrived last, when they were needed */
    struct noted *tried;             /* of the last steps that were tried, as many as there are for one each */
    uint32_t      tried_room;
    bool        apart;               /* the program is on another core than the controller */
    struct pace {
        uint64_t since;              /* when the last set of ways was sent off */
        uint32_t count;              /* so many; 0: something else happened since */
        uint32_t sets;
        double   each[2];            /* nanoseconds for one, together and apart; 0: not known */
    } pace;
};

struct native {
    struct native_settings settings;
    struct texts          *texts;
    const struct graph    *graphs;           /* of the history; borrowed */
    struct runner          runner;
    struct line            line;
    bool                   no_room;          /* what a rule said last is a limit of ours */
    int                    input[2];         /* a pipe to which nobody writes: the program's standard input, unless it is given one */
    cpu_set_t              cores;            /* that the controller could run on before */
    bool                   comparable;
    int64_t                cache_size;       /* of the dynamic linker's, at the last start */
    int                    core;             /* that controller and program run on */
    bool                   crowded;          /* the other cores are taken by others that search */
    bool                   pinned;           /* to it; and every start begins on the same one */
    bool                   booted;           /* it was started before */
    bool                   moved;            /* and lay elsewhere then */
    struct native_counts   counts;
    struct where          *where;            /* NULL until it is first needed */
    uint32_t               looked_again;     /* so often, for libraries that were loaded later */

    struct memory_view     memory;           /* of who is noted */
    struct wire_slot       told;             /* the last slot that told something, as it was then */
    struct member         *members;
    uint32_t               member_count;
    pid_t                  session;          /* of the program's processes, by its first one; 0: none */
    pid_t                  own_session;      /* the same as the kernel has it, which may refuse a new one */
    uint64_t               now;              /* counts uses */

    bool                   starting;         /* on the way to the initial global state: objects and processes are created */
    struct start           start;
    uint32_t               object_room;
    uint32_t               object_words;     /* of a group's objects, together */
    struct array          *arrays;
    uint32_t               array_count, array_room, user_count, memory_count;

    struct group_run       group;
};

/* What a slot tells, on no object yet. */
static inline struct op slot_op(const struct wire_slot *s)
{
    return (struct op){.type = s->type, .code = s->code, .object = NO_OBJECT, .arg = {s->arg[0], s->arg[1], s->arg[2]}, .place = s->place};
}

enum { NOBODY = INT32_MAX };         /* as a process id: of one that is lost from the start */

/* member.c: who lives. Functions that need a new slot or process make room by ending what is parked and least used. */
int  member_slot(struct native *);                                     /* a free one; negative: none */
pid_t member_pid(const struct native *, uint32_t slot);                /* that the slot tells, if it is one of the program's; else NOBODY */
void member_join(struct native *, uint32_t slot, pid_t, int process);
bool member_gone(struct native *, uint32_t slot, int *status);         /* dead? Then reaps it, once */
void member_dismiss(struct native *, uint32_t slot);                   /* ends it, if need be, and reaps it */
void member_dismiss_all(struct native *);
bool member_make_room(struct native *);                                /* false: nobody can go */
void member_limit(struct native *);                                    /* to the number of parked copies */
int  member_at(const struct native *, int process, uint32_t node);     /* the slot of who is parked there; negative: nobody */
int  member_of(const struct native *, int process);                    /* the same of its first live process, wherever it is */

/* arrive.c: waits until the process in `slot` stands before its next operation, or ends; then it is gone already. Answers
 * what it asks on its way. -ESRCH: it had died before it took its last command. */
int  arrive(struct native *, uint32_t slot, struct arrival *, struct err *);
int  arrive_copied(struct native *, uint32_t slot, struct err *);    /* waits for the answer to COMMAND_COPY */
void arrive_notes(struct native *, struct arrival *);        /* what the program has noted on its way */

/* What its variables hold, for who asked (struct noter), when the process in `slot` has arrived. */
int  arrive_note(struct native *, uint32_t slot, struct arrival *, struct err *);

/* In a group: waits until a step of the batch came to something that was not foreseen, or the last did. `slot`: who tells. */
int  arrive_group(struct native *, uint32_t *slot, struct arrival *, struct err *);

/* end.c: the process in `slot` comes to an end that is an operation. It is gone then, unless it is one of a group. */
void end_so(struct native *, uint32_t slot, uint8_t code, int32_t arg, uint64_t place, const char *text, struct arrival *);
/* The same of what nobody controls: which function, and how a person says what it does there. */
void end_uncontrolled(struct native *, uint32_t slot, int how, const char *function, uint64_t place, const char *text, struct arrival *);
void end_by_rule(struct native *, uint32_t slot, const char *text, struct arrival *);        /* that it broke, or that we have no room for */
void end_spoilt(struct native *, uint32_t slot, struct arrival *);               /* it wrote into the wire */
void end_by_crash(struct native *, uint32_t slot, struct arrival *);             /* as the slot tells */
void end_refused(struct native *, uint32_t slot, struct arrival *);              /* likewise: it called what nobody controls */
void end_by_death(struct native *, uint32_t slot, int status, struct arrival *); /* nothing was told */
void end_spinning(struct native *, uint32_t slot, struct arrival *);
void end_blocked(struct native *, uint32_t slot, const struct watch *, struct arrival *);        /* in the kernel */

/* group.c and its like (group.h): of a sharing group */
enum outside_what group_outside(struct native *, uint32_t slot, const struct wire_slot *, const struct op *);    /* outside.c */
const char *group_operation(struct native *, uint32_t slot, struct op *, char *text);           /* as rules_operation */
const char *group_text(struct native *, uint32_t slot, char *text);  /* of what the slot tells; in `text`, MAX_RULE bytes, or not */
uint64_t group_place(struct native *, uint32_t slot, const struct wire_slot *);     /* of what the slot tells, in the program's own source */
int  group_run_path(void *, const struct leg *, uint32_t count, uint32_t *right, struct arrival *, struct err *);        /* of the runner */
int  group_try(void *, const struct leg *path, uint32_t count, uint32_t known, const struct attempt *, uint32_t many, struct glimpse *, struct err *);
int  group_send(void *, const struct way *, uint32_t count, enum sending, struct err *);
int  group_await(void *, uint32_t *wrong, uint32_t *right, struct arrival *, struct err *);
bool group_name(void *, uint32_t object, char *out, size_t room);    /* of the runner */
void group_fini(struct native *);
void group_forget(struct native *);                                  /* where the program stands, which is none any more */
const uint32_t *seen_of(void *, uint32_t way);                       /* group_seen.c, of the runner */
int  seen_accesses(void *, uint32_t set, const struct wire_access **);

/* rules.c: what the process in `slot` asks for or stands before. NULL, or what is wrong with it (in `text`, MAX_RULE bytes). */
enum { MAX_RULE = 512 };
const char *rules_no_room(struct native *, int most, const char *what, char *text);      /* our limit, no mistake of the program */
extern const char rules_spoilt[];                /* what is wrong with who says what cannot be: he wrote into the wire */
bool rules_known(const struct native *, const struct wire_slot *);               /* is there such an operation, with such arguments? */
bool rules_fits(const struct created *, const struct wire_slot *);               /* in a group: on this object; NULL: on a new one */
const char *rules_create(struct native *, uint32_t slot, uint32_t *result, char *text);
const char *rules_segment(struct native *, uint32_t slot, uint32_t *result, char *text);
const char *rules_set(struct native *, uint32_t slot, char *text);
const char *rules_size(struct native *, uint32_t *result, char *text);
const char *rules_fork(struct native *, uint32_t slot, char *text);
const char *rules_operation(struct native *, uint32_t slot, struct op *, char *text);
const char *rules_misused(const struct native *, struct op *, char *text);               /* completes it, on the object it names */

/* spin.c: where a process spins, or stands: words for a person, and a place in the program. */
void spin_describe(struct native *, uint32_t slot, char *text, size_t room, uint64_t *place);
uint64_t spin_place(struct native *, uint32_t slot, struct place *);         /* innermost frame in the program; 0: unknown */

/* What a call of the runner gives for this: what the machine refuses must not be taken for what -EAGAIN and its like mean to a search. */
static inline int native_refused(int rc) { return rc == -EAGAIN || rc == -ESTALE || rc == -ESRCH ? -EIO : rc; }

int  native_boot(struct native *, struct err *);                     /* native.c: starts the program, to its first operations */
/* runner.c: after the same results the process came to something else than before, which is an end of its own. */
void native_differs(struct native *, uint32_t slot, const struct node *before, struct arrival *);
int  native_run(void *, const struct leg *, uint32_t count, uint32_t *right, struct arrival *, struct err *);    /* runner.c */

#endif
