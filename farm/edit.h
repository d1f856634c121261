/* Changes of the harness's file: a property put in, changed or taken out; properties of another file; an entry of the map. The file is where they live,
 * so a change is tried as a whole, Spin included, before a byte of it is written, and it is written whole or not at all.
 *
 * Invariant: nothing that the author of a change has not seen is overwritten. Where the file says something else by now, that is a *conflict*: it is
 * given back with both texts, and nothing is written.
 * SPDX-License-Identifier: MIT */
#ifndef EDIT_H
#define EDIT_H

#include "farm/farm.h"

enum edit_take { EDIT_NEITHER, EDIT_OURS, EDIT_THEIRS };         /* of a conflict: what the file has here; what comes in */

/* `block` NULL: it goes. `before`: what the author has seen in its place, NULL: nothing. *conflict, unless NULL, is theirs, { name, ours, theirs }: give it back. */
int     edit_put(struct farm *, const char *name, const char *block, const char *before, json_t **conflict, struct err *);
/* Is it right, as it stands? The property as it would be; gives. NULL with err. */
json_t *edit_try(struct farm *, const char *name, const char *block, struct err *);
/* All properties of a text. The report has added, changed, same and conflicts; with conflicts that are not taken nothing is written. Gives. */
json_t *edit_import(struct farm *, const char *text, enum edit_take, struct err *);
char   *edit_export(struct farm *, struct err *);                /* all properties, as text; gives */
/* One more entry of the map, in the harness or in the file that it names first. */
int     edit_map(struct farm *, const char *left, const char *right, struct err *);

#endif
