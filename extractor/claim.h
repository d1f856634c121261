/* Properties as never claims, all in one model: which of them is checked is said when the verifier runs.
 * SPDX-License-Identifier: MIT */
#ifndef CLAIM_H
#define CLAIM_H

#include "extractor/harness.h"
#include "extractor/machine.h"
#include "properties/buchi.h"

struct claim {
    const struct property *property;
    char         *name;              /* in the model */
    struct buchi *automaton;         /* of what is wrong, with the names of the harness; NULL: the claim is Spin's own, for progress */
    struct buchi *trigger;           /* of what must happen for the property to be tried; NULL: nothing is known to be needed */
    char         *tried;             /* the claim of that, in the model; NULL: there is none */
    int          *lines;             /* of the model, where each state of the automaton begins */
    bool          next;              /* the formula has X */
};

enum { MOST_TRIGGERS = 110 };       /* properties of a harness that has claims for triggers, too: Spin allows 255 of all sorts */

struct model;                        /* promela.h */

struct claims { struct claim *items; int count, room; char *text; };     /* text: Promela, to stand behind the model */

/* The text will stand behind that of the model. Whatever it gives, return it with claims_fini. */
int  claims_make(struct claims *, const struct machines *, const struct harness *, const struct model *, struct err *);
void claims_fini(struct claims *);
const struct claim *claims_find(const struct claims *, const struct property *); /* NULL: it has none */

/* Which states of the automaton a search that came to its end has reached, by what the verifier said; gives. */
bool *claim_reached(const struct claim *, const char *said);
/* The same of a search that goes on, by what the verifier tells of itself (verisoft-live.h); gives. */
struct vs_live;
bool *claim_reached_live(const struct claim *, const struct vs_live *);
/* Where no trigger is known: was there nothing that could have become a violation? The first state is all that was reached, though there is more
 * before the last. */
bool  claim_is_vacuous(const struct claim *, const bool *reached);

#endif
