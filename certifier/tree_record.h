/* Records a reduced search as a tree of executions while it goes on. What it is told is what a watcher of a search is told
 * (search/search.h): executions, of which the last ones may turn out to be void.
 * Invariant: what is in the file was told long enough ago not to become void, unless all does.
 * SPDX-License-Identifier: MIT */
#ifndef TREE_RECORD_H
#define TREE_RECORD_H

#include "certifier/tree_file.h"
#include "system/system.h"

struct tree_record;
struct tree_record *tree_record_new(const char *file, uint32_t back);    /* borrows the name; `back`: so many at most become void */
void                tree_record_free(struct tree_record *);              /* NULL is fine. Without tree_record_finish there is no file */

void tree_record_begin(void *record, struct system *);     /* a search begins; what was recorded before is void */
void tree_record_execution(void *record, uint64_t number, const struct step *, uint32_t depth);

/* The search has come to its end and has left out nothing that matters: writes the file. `bytes` is how long it is. */
int  tree_record_finish(struct tree_record *, const struct fields *, uint64_t *bytes, struct err *);

#endif
