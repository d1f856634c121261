/* A farm: a harness, its database, and the state of its sources. The harness's file is where properties live; the database has a copy of each, and
 * what came of it. A verdict belongs to a *content*: the model and the property, wherever that is the same again.
 *
 * What is about models is lent by the command (struct farm_lent): nothing here knows how one is made.
 *
 * Invariant: who works off the queue holds the lock; so a run that is `running` while nobody holds it does not run.
 * SPDX-License-Identifier: MIT */
#ifndef FARM_H
#define FARM_H

#include "farm/store.h"

struct farm_lent {
    json_t     *(*describe)(void *arg, const char *harness, struct err *);       /* makes the model; gives */
    /* A text in the place of the harness's own, with the model as it was described; `whole`: Spin has its say, too. Gives. */
    json_t     *(*try_text)(void *arg, const char *text, bool whole, struct err *);
    json_t     *(*retell)(void *arg, const char *property, const char *replay, struct err *);    /* trails, by the model as it was described; gives */
    json_t     *(*live)(void *arg, const char *property, const char *file);      /* what a verifier tells of itself; gives; NULL: nothing yet */
    json_t     *(*draw)(void *arg, const char *property, const json_t *automaton);       /* as SVG, with the states that were reached; gives; NULL: too large */
    const char *self, *folder;       /* the command; a folder for what is made, which goes with it */
    const volatile int *interrupt;
    void       *arg;
};

struct farm {
    const struct farm_lent *lent;
    struct store *store;
    char         *file, *database;
    int64_t       id, version;       /* of the harness; of what was seen last */
    json_t       *about;             /* as described last; NULL: never, or it could not be */
    int           lock;              /* descriptor; -1: not held */
};

int  farm_open(struct farm *, const char *harness, const char *database, const struct farm_lent *, struct err *);       /* database NULL: beside the harness */
void farm_close(struct farm *);                                  /* also after a failure */

int  farm_take(struct farm *, struct err *);                     /* the lock. Runs that somebody left running are queued again */
bool farm_is_taken(const struct farm *);                         /* by anybody */
void farm_say_address(struct farm *, const char *address);       /* for who comes later */

/* Looks at harness and sources, and puts down what is there. -EINVAL: they cannot be used; that is put down, too. */
int  farm_look(struct farm *, bool *changed, struct err *);

int64_t farm_property(struct farm *, const char *name, struct err *);    /* its id; 0 with err: there is none */
double  farm_now(void);                                          /* seconds since 1970 */

#endif
