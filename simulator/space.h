/* The explored state space, as a search saved it in sss.VS (doc/sss.md).
 *
 * Invariant: what space_read accepts has states 0 to states - 1 and transitions between them; any other bytes give an error that
 * names the line. A file that was cut short is read as far as it goes.
 * SPDX-License-Identifier: MIT */
#ifndef SPACE_H
#define SPACE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct space_transition { uint32_t from, to, process, label; };          /* process counts from 1 */
struct space_note       { uint32_t state, process; char *what; };        /* process 0: not said */

struct space {
    char                    *program, *search, *reduction;               /* NULL: not said */
    uint32_t                 states;
    struct space_transition *transitions;
    uint32_t                 count;
    char                   **labels;             /* operation with result, each once */
    uint32_t                 label_count;
    struct space_note       *notes;
    uint32_t                 note_count;
    bool                     complete;           /* the last line says so */
};

int  space_read(struct space *, const char *file, struct err *);         /* on failure the space is empty */
int  space_parse(struct space *, const char *bytes, size_t length, const char *name, struct err *);       /* the same */
void space_fini(struct space *);
/* The transitions of a shortest way from where the search began: gives their numbers, `count` of them; NULL with err when there
 * is none. A search began in state 0; `random` also in every state that no transition leads to, which is the same state of the
 * program each time: its initial state, unless the search had an init_path. */
uint32_t *space_way(const struct space *, uint32_t state, uint32_t *count, struct err *);
/* After how many steps of a scenario from where the search began it is in that state, for the first time; -1: it never is. */
struct space_step { uint32_t process; char *label; };
int64_t space_position(const struct space *, const struct space_step *, uint32_t count, uint32_t state);
/* Marks in `matching` (one for each label) those that match the extended regular expression; "*" matches all. */
int  space_match(const struct space *, const char *pattern, bool *matching, struct err *);

#endif
