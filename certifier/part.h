/* A part of a script as a file of its own (doc/scc.md, Parts): where it begins, its entries, plainly, and the states of it that other parts
 * speak of. It is made by partition.h and used once, so it is packed quickly and not well.
 * SPDX-License-Identifier: MIT */
#ifndef PART_H
#define PART_H

#include "certifier/script.h"

/* ---- writing ---- */

struct part_writer;
/* Entries go to the spool, from where it stands. Borrows the spool, the labels and where the part begins, which it writes down. Gives. */
struct part_writer *part_writer_new(FILE *spool, const struct labels *, const struct script_start *);
void part_write_entry(struct part_writer *, const struct script_entry *);
int  part_writer_finish(struct part_writer *);                   /* takes; 0, or negative errno */

/* ---- reading ---- */

struct part;
/* Its bytes are at `at` of the file. The labels are added as they come. NULL with err. Gives. */
struct part *part_open(const char *file, uint64_t at, uint64_t bytes, const struct fields *, struct labels *, struct err *);
void         part_close(struct part *);                          /* NULL is fine */
const struct script_start *part_start(const struct part *);
int          part_next(struct part *, struct script_entry *);    /* 1, 0 at its end, -1: it cannot be read */
int          part_next_needed(struct part *, uint64_t *state);   /* the same */

#endif
