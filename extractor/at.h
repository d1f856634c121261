/* Thompson's @-format: C for event-driven routines, in which a control state is a mark in the flow of the program (Holzmann and
 * Smith 2002, section 2). In a function
 *
 *     @name:    here it waits for the next event     B_name: state = 1; goto out; A_name: ;
 *     @:        the same, without a name             (the state is called after the last named one above it: idle_1)
 *     @@        in a switch over the state           default: goto error; case 1: goto A_name; ...
 *
 * States count from 1 in each function. A B_ label that nobody jumps to is left out, and so is the default where the switch has
 * one of its own. What is put in stands on the line of its mark, so no line moves and one #line at the top is enough.
 *
 * Invariant: of a text with mistakes nothing is given but the mistakes, all of them, each with its line.
 * SPDX-License-Identifier: MIT */
#ifndef AT_H
#define AT_H

#include <stdbool.h>
#include <stddef.h>

struct at_state {
    char *name;                      /* its labels are A_name and B_name */
    char *function;
    int   number;                    /* from 1 in each function */
    int   line;
};

struct at_mistake { int line; char *text; };

struct at {
    char              *c;            /* the plain C; NULL when there are mistakes */
    struct at_state   *states;
    int                count, room;
    struct at_mistake *mistakes;     /* by line */
    int                mistake_count, mistake_room;
};

void at_expand(struct at *, const char *file, const char *text);         /* borrows both; return it with at_fini */
void at_fini(struct at *);
bool at_has_marks(const char *text);                                     /* is there an @ that is neither string nor comment? */

#endif
