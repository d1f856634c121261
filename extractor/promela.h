/* Stage two of extraction: from the annotated state machine to Promela, by the harness's map.
 *
 * A machine is a process that takes an event from its channel, runs its routine on it, statement by statement, and waits again. Its
 * static variables are the process's own. What a property speaks of is global instead, MACHINE_VARIABLE, so that Spin sees who
 * changes it. A statement is one line of the model, and each line knows its statement. The guards of a branch end in && 1, && 2,
 * ..., which are true and tell the branches of a trail apart.
 *
 * Invariant: every node of every function that was used has a fate; none is without.
 * SPDX-License-Identifier: MIT */
#ifndef PROMELA_H
#define PROMELA_H

#include "extractor/harness.h"
#include "extractor/machine.h"

#include <stdbool.h>

#define FATES(X) \
    X(CONTROL,  "control",     "where control goes") \
    X(MAPPED,   "mapped",      "named by the map") \
    X(KEPT,     "carried over", "has the same meaning in the model") \
    X(FOLLOWED, "followed",    "a call of the program's own function") \
    X(LEFT_OUT, "left out",    "not in the model: a statement is skipped, a condition goes both ways") \
    X(DEAD,     "dead",        "never reached in its function")
#define X(name, word, help) FATE_##name,
enum fate { FATES(X) FATE_COUNT };
#undef X
extern const char *const fate_words[];

struct origin {                      /* of a line of the model */
    enum origin_kind { ORIGIN_NONE, ORIGIN_WAIT, ORIGIN_NODE, ORIGIN_UNSPECIFIED, ORIGIN_ARGUMENT, ORIGIN_DRIVER, ORIGIN_ACT } kind;
    int                    machine;  /* of an act: its number */
    const struct function *function;
    int                    node;
};

struct account {                     /* what became of one node */
    const struct function *function;
    int                    node;
    enum fate              fate;
    char                  *how;      /* the Promela, or why not; or NULL */
};

struct model_name { char *name, *meaning; };     /* a name of the model, in the words of the program: receiver_seqno, receiver.seqno */

struct model {
    char             *text;
    struct origin    *origins;       /* of line N: origins[N] */
    int               line_count, line_room;
    struct account   *accounts;
    int               account_count, account_room;
    char            **warnings;      /* owned; about what is not a statement */
    int               warning_count, warning_room;
    char            **lacks;         /* statements without which nothing is verified (changes.h): "'x = f()' (a.c:12)" */
    int               lack_count, lack_room;
    struct model_name *names;
    int               name_count, name_room;
    char             *c, *header;    /* of a program: what its statements do, and how Promela calls it; else NULL */
    struct model_act *acts;          /* of a program */
    int               act_count, act_room;
};

struct model_act {                   /* of a program's model (program.h) */
    const struct function *function; /* NULL: none */
    int                    node;     /* -1: none */
    bool                   operation, yields, test, any, call;
    char                  *name;     /* of an operation: what is called; of an access: the one global that it touches; or NULL */
};

/* `harness` gets its machines filled in (event, state), and its map's entries counted. */
int   promela_make(struct model *, const struct machines *, struct harness *, struct err *);
void  promela_fini(struct model *);                              /* also after a failure */

/* Which functions look like event machines. Adds them to the harness; gives how many. */
int   promela_find_machines(struct harness *, const struct machines *);

/* An expression of a property (MACHINE.VARIABLE, MACHINE[1].VARIABLE, MACHINE@STATE) in the model's words; gives, or NULL. */
char *promela_symbol(const struct machines *, const struct harness *, const char *expression, struct err *);

/* What the default driver sends and takes, as Promela; gives. */
char *promela_default_driver(const struct machines *, const struct harness *);

/* A process for each link of the harness, which carries messages to its machine; gives. */
char *promela_links(const struct machines *, const struct harness *, bool channels);     /* channels: their declarations instead */

#endif
