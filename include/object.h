/* What the author of a new type of communication object implements (doc/objects.md is the tutorial).
 *
 * An object is an array of 32-bit words that lives in the controller. A type says which operations it has, when an
 * operation is enabled, what executing it does to the words and gives back to the process, and which operations
 * commute. The search knows no more about objects than this header.
 *
 * Invariant: a function here depends on nothing but its arguments. The controller calls `execute` many millions of
 * times and takes its effects back by itself, so every change of a word goes through object_set. It executes only what is
 * enabled, with a choice below `choices`; and what must then be so of the words in every state, `check` of the type asserts.
 * SPDX-License-Identifier: MIT */
#ifndef OBJECT_H
#define OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OBJECT_VERSION 10u           /* raise when a struct of this file changes */
#define NO_OBJECT      UINT32_MAX

/* What is left outside is run within the transitions of others: this operation, or all that its process does. */
enum outside_what { NOT_OUTSIDE, OUTSIDE_OPERATION, OUTSIDE_PROCESS };

/* A visible operation, as a process stands before it. */
struct op {
    uint8_t  type;                   /* index of its type in the table of types */
    uint8_t  code;                   /* which operation of that type */
    uint8_t  process;                /* who stands before it; counts from 0, printed from 1 */
    uint8_t  fresh : 1,              /* whoever comes to stand here finds the object as new: its words are as init leaves them */
             outside : 2,            /* in a group: enum outside_what: is it left outside (--outside)? */
             begun : 1;              /* in a group: a wait with a time limit has begun with it, though it does not wait itself (system/time.c) */
    uint32_t object;                 /* number of the object in the system, NO_OBJECT for toss, assert, ... */
    int32_t  arg[3];                 /* what they mean is the type's */
    uint32_t text;                   /* a string, named by its number; 0: none */
    uint64_t place;                  /* code address of the call */
};

enum result_kind { RESULT_NONE, RESULT_NUMBER, RESULT_TEXT, RESULT_ERRNO };      /* TEXT: the result is the number of a string */

/* What an operation does for those who watch it: passes a message on, takes what others then must wait for, or gives it back. */
enum role { ROLE_NONE, ROLE_SEND, ROLE_RECEIVE, ROLE_TAKE, ROLE_GIVE };

/* For what a process waits that stands before an operation and cannot go: the report tells the story of each in its own way. */
enum awaits {
    AWAITS_OTHER,                    /* what `why` says, or `print` */
    AWAITS_UNITS,                    /* enough of them: a semaphore (struct units) */
    AWAITS_LOCK,                     /* whoever holds it (`taken`) */
    AWAITS_WAKING,                   /* that somebody wakes it: a condition variable */
    AWAITS_MESSAGE, AWAITS_ROOM,     /* in a queue */
    AWAITS_CHANGE,                   /* of a variable: it spins, and `waiting` is all of the words */
    AWAITS_CHILD, AWAITS_THREAD, AWAITS_EXIT, AWAITS_SIGNAL, AWAITS_TIME
};

/* What is wrong when a process stands before an operation with OP_ALARM. */
enum wrong { WRONG_NOTHING, WRONG_ASSERTION, WRONG_CRASH, WRONG_DIVERGENCE, WRONG_STRUCTURE, WRONG_UNSUPPORTED, WRONG_NONDETERMINISM };

/* With what its text is completed for the reader, where the program tells an address beside it. */
enum completes { COMPLETES_NOTHING, COMPLETES_VARIABLE, COMPLETES_FUNCTION };        /* the variable there; the function, in parentheses */

/* How an operation says that it waits for some time at most, and what it is without that. */
struct limit {
    uint8_t  plain;                  /* always, and this is 1 + the code of the same without a limit; 0: its arguments say it */
    uint8_t  arg;                    /* which argument */
    uint32_t has, unless;            /* bits of it: one of the first, and none of the others */
    uint32_t drops;                  /* bits that it does not have without the limit */
};

struct operation {
    const char      *name;
    const char      *format;         /* how it prints: %o object's name, %0 %1 %2 arguments, %p the first as a process, %t the string, quoted, %e as it is, %c the same, or the name where there is none; %k a call and its first argument, as the string has it, or the name and a channel, and if the string ends with ')' that is all; %v the same, or the object's */
    enum result_kind result;
    bool             many;           /* one place in the program may see different results (a hint: keep a copy there) */
    enum role        role;           /* when it succeeds; see `passage` */
    const char      *waiting;        /* how it prints while its process waits there; NULL: as ever */
    uint32_t         traits;         /* OP_*: what it is, whatever its arguments; `traits` of the type adds to it */
    enum awaits      awaits;
    enum wrong       wrong;
    enum completes   completes;
    struct limit     limit;          /* all zero: it has never one */
};

/* What an operation is, whatever the state of its object. */
enum {
    OP_ENDS        = 1 << 0,         /* the process goes no further */
    OP_ALARM       = 1 << 1,         /* something is wrong as soon as a process stands here (`wrong` says what) */
    OP_ABORTS      = 1 << 2,         /* no state in which a process stands here is searched on */
    OP_PATIENT     = 1 << 3,         /* whoever stands here may wait for ever: that is no livelock */
    OP_YIELDS      = 1 << 4,         /* lets others go first: a sleep, a wait that may time out, a try */
    OP_INTERRUPTED = 1 << 5,         /* a signal ends its waiting */
    OP_RESTARTED   = 1 << 6,         /* the same, unless the handler's SA_RESTART says no */
    OP_MAKES       = 1 << 7,         /* whatever was at this address before, this makes a new object of it */
    OP_SEES_ENDS   = 1 << 8,         /* it may see that a thread has ended: what that one held is lost */
    OP_QUIET       = 1 << 9,         /* who drives the program by hand need not choose it: processes begin and end, tables are kept */
    OP_NAMES       = 1 << 10,        /* its text is the name by which what it makes was opened */
    OP_REMARKS     = 1 << 11,        /* what stands behind its name is for the reader: it is the same operation with other words there */
    OP_SEES_KILLS  = 1 << 13,        /* it may see that a UNIX process was killed: what that one had is gone */
    OP_LETS_GO     = 1 << 12         /* its process gives up what it has of the object; others see at most that it is gone */
};

/* What one executed operation moved. Of sends and receives: units `first` to before `first + count` (messages, or bytes), counted
 * from the first that ever went through that part of the object. A receive has its message from the sends with which it shares
 * one. */
struct passage {
    enum role role;
    uint32_t  part;                  /* of an object that is several: the channel, the semaphore of an array */
    uint32_t  first, count;
    uint64_t  to;                    /* of a send: only for these processes; 0: for whoever takes it */
};

/* The log through which an operation changes words, so that the search can take it back. */
struct change { uint32_t *word, old; };
struct log    { struct change *top; };

static inline void object_set(struct log *log, uint32_t *word, uint32_t value)
{
    log->top->word = word;
    log->top->old  = *word;
    log->top++;
    *word = value;
}

/* Takes back what was changed since the log ended there. */
static inline void object_take_back(struct log *log, const struct change *end)
{
    while (log->top > end) {
        log->top--;
        *log->top->word = log->top->old;
    }
}

/* An operation is enabled exactly while  lo <= state[word] <= lo + span.  Types whose operations have such a guard say
 * so, and the search then needs no call to see whether a process can go. When `adds` is not 0 it need not call execute()
 * either: while state[word] is below GUARD_PLAIN, executing adds that much to it (modulo 2^32), and the result is 0. */
#define GUARD_PLAIN (UINT32_C(1) << 31)
struct guard { uint32_t word, lo, span, adds; };

/* Of an object that holds units, which an operation takes or gives: a semaphore. */
struct units {
    uint32_t  (*left)(const uint32_t *state, const struct op *);         /* how many there are, of those that the operation is about */
    /* Does `sets` give a number to the units that `about` is about? Then `value` is that. */
    bool      (*sets)(const struct op *sets, const struct op *about, uint32_t *value);
    const char *gave;                        /* "signalled": what somebody did who gave some */
};

/* Of an object that is several of another type, of which people speak instead: an array of semaphores. */
struct parts {
    uint8_t     type;
    uint32_t  (*count)(const int32_t arg[3]);        /* how many, when it was created with these arguments */
    /* Is the operation on one of them? Then `as` is what it does there, as an operation of that type, and `index` which. */
    bool      (*operation)(const struct op *, struct op *as, int32_t *index);
};

/* Which programs have objects of a type: processes with memory of their own, sharing groups, or both. */
enum lives { LIVES_EVERYWHERE, LIVES_ALONE, LIVES_IN_GROUPS };

/* How a report counts objects of a type. */
enum counted { COUNTED, MENTIONED, NOT_COUNTED };    /* MENTIONED: by `name` alone, whatever their number */

struct object_type {
    uint32_t                version;         /* OBJECT_VERSION */
    const char             *name;            /* "queue": the word in messages and in system_file.VS */
    const struct operation *operations;
    uint32_t                operation_count;

    /* Words that an object created with these arguments needs; negative: not acceptable, and `why` says why. */
    int      (*size)(const int32_t arg[3], char *why, size_t room);
    void     (*init)(const int32_t arg[3], uint32_t *state);

    /* How many results the search can choose from: 0 while the operation blocks. */
    uint32_t (*choices)(const uint32_t *state, const struct op *);
    /* NULL, or: fills the guard and returns true when choices() is 1 in it and 0 elsewhere. */
    bool     (*guard)(const struct op *, struct guard *);
    /* Executes an enabled operation; gives its result. Changes at most OBJECT_CHANGES words. */
    uint32_t (*execute)(struct log *, uint32_t *state, const struct op *, uint32_t choice);

    /* May it matter in this state which of the two goes first? (One enables, disables or changes the other, or the two
     * orders end in different states.) NULL: always. Both are operations on the object whose state it is. */
    bool     (*dependent)(const uint32_t *state, const struct op *, const struct op *);

    /* Of two executed operations, `first` before `second`: must they stay in this order? Unlike `dependent` this must hold
     * in every equivalent execution, so it sees no state but a stamp each, taken before the operation was executed.
     * NULL: always. A pair that `conflict` sets free must be independent in every state in which both are enabled. */
    uint32_t (*stamp)(const uint32_t *state, const struct op *);
    bool     (*conflict)(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp);

    /* Could an operation of this code ever matter to that pending one, in any state? (For persistent sets.) NULL: yes. */
    bool     (*may_conflict)(const struct op *pending, uint8_t code);

    /* Writes the words that tell two states apart, and returns how many; NULL: all of them, as they are. */
    uint32_t (*canonical)(const uint32_t *state, uint32_t words, uint32_t *out);

    /* The state in a few words for a person; text(number) is the string of that number. */
    void     (*print)(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room);

    /* NULL, or: a result of this operation in words, when `result` of the operation does not say what it is; false: it does. */
    bool     (*print_result)(const struct op *, uint32_t result, char *out, size_t room);

    /* NULL, or: why does this operation block, in words that go on after "waits in read(): "? Gives the set of processes that
     * could end it, as far as the state tells. Of AWAITS_LOCK: the empty set, and no words, where the story of who holds it is all. */
    uint64_t (*why)(const uint32_t *state, const struct op *, char *out, size_t room);

    /* NULL, or: what did an operation do that found the object in this state, and gave this result? The passage comes with the
     * role of `operations`, or with none where the result says that it failed, and for the rest zeros. NULL means: as it comes,
     * and the first message sent is the first received. */
    void     (*passage)(const uint32_t *before, const struct op *, uint32_t result, struct passage *);

    /* Of programs with threads, where processes come and go; NULL: that changes nothing here. A thread has ended, or was killed; a UNIX
     * process, known by its first thread, was killed; one has a child. These three may change OBJECT_CHANGES_OF_MANY words. */
    void     (*ended)(struct log *, uint32_t *state, int process);
    void     (*killed)(struct log *, uint32_t *state, int host);
    void     (*forked)(struct log *, uint32_t *state, int parent_host, int child_host);
    /* NULL, or: does the state name this thread, which has ended, say as the holder of a lock? Then no other one gets its number. */
    bool     (*names)(const uint32_t *state, int process);

    /* All that follows may be left out. OP_* that come with the arguments of an operation. */
    uint32_t (*traits)(const struct op *);
    /* How many units, or how often, its process holds the object more (or less) by an operation that gave this result; NULL: never. */
    int64_t  (*taken)(const struct op *, uint32_t result);
    const struct units *units;
    const struct parts *parts;
    /* Of objects in the program's own memory: how many bytes they have there, when first used with these arguments; NULL: in none. */
    uint32_t (*memory)(const int32_t arg[3]);
    bool         numbered;                   /* the program knows it by a number, in place of an address */
    bool         copied;                     /* the child of a fork has a copy of it */
    uint8_t      declared;                   /* in system_file.VS it is named by so many numbers; 0: by one, if the type is a user's */
    enum counted counted;
    /* Of types that come with VeriSoft, what a program can do with them; of a user's, all that `choices` takes. */
    enum lives   lives;
    bool         aside;                      /* its operations are on no object of the program's */
    const char  *maker;                      /* "get_bounded_queue": what makes one before the first fork, numbered from 0; NULL: nothing does */
    const char  *array_maker;                /* "semget": the same of an array of them, which has a key */
    bool         holds_texts;                /* some of its words are numbers of strings, which are those of one run: `print` tells them apart */
    bool         orders_nothing;             /* that one operation on it comes before another says nothing of other memory ... */
    bool         variable;                   /* ... but what their arguments say (LOCATION): it is a variable of the program */
    /* NULL, or: in a group, completes the arguments of its first use by what the program tells beside them. */
    void     (*found)(int32_t arg[3], uint64_t argument);
    /* NULL, or: could a program stand there that only calls functions? What this says no to, only a wild write can have said. */
    bool     (*possible)(const struct op *, bool group);
    /* NULL, or: in a group, could it be on an object that was first used with these arguments? NULL: on one that nobody has used yet. */
    bool     (*fits)(const int32_t *made, const struct op *);
    /* NULL, or: completes the operation, on an object that was made with these arguments (NULL: on none), or gives what is wrong with it:
     * words that go on after the name of the call. */
    const char *(*misused)(const int32_t *made, struct op *, char *text, size_t room);
    /* Of an object with parts that count the expiries of a timer, all three or none: how many are there that nobody has read; one more,
     * or none any more; does the operation matter to that part (NO_OBJECT: to any that is a timer's)? */
    uint32_t (*ticks)(const uint32_t *state, uint32_t part);
    void     (*tick)(struct log *, uint32_t *state, uint32_t part, bool more);
    bool     (*sees_ticks)(const struct op *, uint32_t part);
    /* Of an object that is several: on which of them is the operation, as bits; 0: on none that is there yet. NULL: it is one. */
    uint32_t (*touches)(const struct op *);
    /* For tests: asserts what is so of its words in every state. NULL: nothing is to be said. */
    void     (*check)(const uint32_t *state);
};

enum { OBJECT_CHANGES = 8, OBJECT_CHANGES_OF_MANY = 64,
       OBJECT_CHANGES_OF_GROUP = 16 };       /* instead of the first, of types that only programs with threads have */

#endif
