/* What there is to see of a farm, as JSON, the same for the command line, the page and other programs (doc/farm.md has the keys). Each gives; NULL
 * with err. SPDX-License-Identifier: MIT */
#ifndef VIEW_H
#define VIEW_H

#include "farm/farm.h"

struct view_filter { const char *state, *feature, *text; int most; };      /* NULL or "": any; most: rows of each state, 0: all */

json_t *view_list(struct farm *, const struct view_filter *, struct err *);      /* all properties, each in one of the four states */
json_t *view_property(struct farm *, const char *name, struct err *);            /* with its runs, its trails, its conflict if there is one */
json_t *view_trail(struct farm *, int64_t trail, struct err *);                  /* in all forms */
json_t *view_model(struct farm *, struct err *);                                 /* warnings, statements that are left out, what is mapped */
json_t *view_features(struct farm *, struct err *);                              /* the matrix: precedences, and who needs them */
json_t *view_queue(struct farm *, struct err *);                                 /* what runs, what waits, what ended last */
json_t *view_history(struct farm *, struct err *);                               /* version by version: what broke, what was mended */

#endif
