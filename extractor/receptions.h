/* Unspecified receptions, all of them: which event has come in which control state to a switch that has no case for it. The counter-example shows one; a
 * search that goes on notes each the first time that it sees it, by the line of the model (promela.c, spin.c).
 * SPDX-License-Identifier: MIT */
#ifndef RECEPTIONS_H
#define RECEPTIONS_H

#include "extractor/extract.h"

struct reception {
    const struct origin *origin;     /* machine and node */
    long long state, event;          /* numbers */
    char     *state_name, *event_name;   /* or NULL: it has none, or is not in the model */
};
struct receptions { struct reception *items; int count, room; };

char *receptions_said(const char *log);                                              /* the notes in what a verifier said; gives, "" if none */
void  receptions_read(struct receptions *, const struct extraction *, const char *notes);        /* in order of place, state, event; each once */
void  receptions_fini(struct receptions *);
char *reception_words(const struct reception *, const struct extraction *);          /* "m.at:12: in state idle: timer"; gives */

#endif
