/* Entries of a script that is believed, read ahead: what they do next the program tries in one turn (system/glimpse.h), so that following a
 * transition does not cost one. What is supposed on the way decides nothing: each entry is executed, and checked, as if nobody had looked ahead.
 * SPDX-License-Identifier: MIT */
#ifndef OUTLOOK_H
#define OUTLOOK_H

#include "certifier/script.h"
#include "certifier/wording.h"

enum { OUTLOOK = MAX_PROCESSES };
struct outlook {                                         /* all zero: nothing was read */
    struct script_entry entries[OUTLOOK];
    uint32_t            at, count;
    uint32_t            supposed;                        /* up to there the program was asked */
    bool                over;                            /* there are no more entries, */
    int                 end;                             /* and this was said instead */
    struct err          err;
};

/* As script_next, whose entries are to be asked for by nobody else then. Negative also when the program cannot be run: `failed` then. */
int outlook_next(struct outlook *, struct script *, struct system *, struct wording *, struct script_entry *, bool *failed, struct err *);

#endif
