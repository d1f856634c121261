/* The model of event machines while it is being made (promela.c): lines of Promela with their origins, what became of each node, names of variables where
 * a function is called, and the user's own Promela among them.
 * SPDX-License-Identifier: MIT */
#ifndef MAKER_H
#define MAKER_H

#include "base/prose.h"
#include "extractor/touch.h"
#include "extractor/vocabulary.h"

/* A function where it is called: its labels and variables are its own. Number 0 is the machine's routine. */
struct instance {
    const struct function *function;
    int                    caller;           /* instance, or -1 */
    char                  *back;             /* label where it returns to; NULL: the routine itself */
    const struct tree     *result;           /* what its value goes to, in the caller's names; NULL: nowhere */
    const struct tree     *call;             /* NULL: the routine itself */
};

struct maker {
    const struct machines *machines;
    struct harness        *harness;
    struct model          *model;
    struct vocabulary      names;            /* variables, and which of them are used */
    struct err            *err;
    bool                   bad;
    struct prose           out;
    int                    machine;          /* the one that is being written */
    struct instance       *instances;
    int                    count, room;
    struct touches         exposed;          /* whose address is taken */
    bool                 **silent;           /* of each function and node: somewhere it is no step of the model, but a goto */
};

struct context { struct maker *maker; int instance; };

struct harness_machine *maker_machine(const struct maker *);                     /* the one that is being written */
bool          maker_keeps_all(const struct maker *);                             /* also what the map does not name */

/* ---- lines ---- */

void          maker_put(struct maker *, struct origin, const char *format, ...) __attribute__((format(printf, 3, 4)));
struct origin maker_nowhere(void);
void          maker_stop(struct maker *, const struct node *, const char *text, const struct err *why);          /* it cannot be carried over */
void          maker_account(struct maker *, const struct function *, int node, enum fate, const char *how);
char         *maker_label(int instance, int node);                               /* gives */

/* ---- names ---- */

typedef const char *lookup(struct vocabulary *, int machine, int instance, const struct function *, const char *variable);
const char   *maker_look_up(struct maker *, lookup *, int instance, const char *variable);
const char   *maker_name(void *context, const char *variable);                   /* used from now on; NULL: there is none */
char         *maker_user_text(struct maker *, int instance, const char *text);   /* Promela of the map, with the machine's variables; gives */
char         *maker_with_switch(const char *text);                               /* Promela whose assertions can be switched off; gives */

/* ---- carrying over; gives ---- */

char         *maker_kept_expression(struct maker *, int instance, const struct node *, const struct tree *);
char         *maker_kept_statement(struct maker *, int instance, const struct node *);
bool          maker_can_keep(struct maker *, int instance, const struct node *);         /* can that be, without an error? */

#endif
