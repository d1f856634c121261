/* A search script as a file (doc/scc.md is the format): the transitions of a depth-first search in order, each with the state to which it
 * leads, and where a state is left. Written as it is made, read as it is followed; neither is ever whole in memory.
 *
 * States count from 0 in the order in which they are entered. A transition that leads to a state that was entered before is left at once:
 * only the end of a state that was entered here is an entry of its own (`BACK`). What the thesis puts into lists beside the script is in
 * the script already: the region of a state (Subgraphs) are the transitions until its end; and how many entries lead to it, which says when
 * its fingerprint is not needed any more (its marks), is counted before it is followed (marks.h). So of these nothing can be said that is not so.
 *
 * Invariant: whatever the bytes of a file are, the reader gives entries of known labels that lead to states which are known or the next
 * one, ends each state once, or fails; and it needs no more memory than the constants of labels.h and known.h allow, and the path.
 * SPDX-License-Identifier: MIT */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "certifier/fields.h"
#include "certifier/labels.h"

enum { SCRIPT_VERSION = 5 };

enum script_kind { SCRIPT_SEARCH, SCRIPT_TRUSTFUL };             /* TRUSTFUL: only transitions that lead to new states */
extern const char *const script_kinds[];

/* Where a part of a script begins: the states that were entered and not left, each with the label by which it was entered, and the labels
 * that were told of it before. */
struct script_place { uint64_t state; uint32_t label, told, told_count; };       /* told: where its labels begin */
struct script_start {
    struct script_place *path;
    uint32_t            *told;
    uint32_t             depth, path_room, told_count, told_room;
    uint64_t             next;       /* the number of the next new state */
    uint64_t             entry;      /* so many entries come before it */
};
void script_start_fini(struct script_start *);

struct script_entry {
    uint64_t number;                 /* counts from 1 */
    uint32_t label;                  /* BACK: the end of `from` */
    uint64_t from, to;
    bool     is_new;
};

/* ---- writing ---- */

struct script_writer;
/* Of a script that will be a file beside `near`. NULL with err: no room can be had for it. Gives. */
struct script_writer *script_writer_new(enum script_kind, const char *near, struct err *);
void           script_writer_free(struct script_writer *);       /* NULL is fine */
struct labels *script_writer_labels(struct script_writer *);     /* where new labels are added before they are written */
void           script_write_step(struct script_writer *, uint32_t label, uint64_t to);
void           script_write_back(struct script_writer *);
/* All was written: what it has come to, and 0, or negative errno. It stands in the spool, which is the writer's. */
struct script_written { enum script_kind kind; uint64_t states, transitions, bytes; };
int            script_writer_end(struct script_writer *, struct script_written *);
FILE          *script_writer_spool(const struct script_writer *);
/* Makes the file, with these fields and those that count. 0, or negative with err: then there is no file. `bytes`: how long it is. */
int  script_make(const struct script_written *, FILE *spool, const struct fields *, const char *file, uint64_t *bytes, struct err *);

/* ---- reading ---- */

struct script;
/* The header was read. NULL with err: it is no certificate that can be read; -EBADMSG in err->code: it is one, but damaged, or of another
 * version. Gives. */
struct script *script_open(const char *file, struct err *);
void           script_close(struct script *);                    /* NULL is fine */
const char          *script_file(const struct script *);
const struct fields *script_fields(const struct script *);
bool                 script_shares(const struct script *);       /* it says that the program shares memory: threads, or more than that */
const struct script_start *script_start(const struct script *);  /* NULL: it is a whole script, and no part (partition.h) */
enum script_kind     script_kind(const struct script *);
uint64_t             script_states(const struct script *), script_transitions(const struct script *);    /* as the header says */
const struct labels *script_labels(const struct script *);
/* 1: an entry. 0: the script has come to its end, and is whole. -EBADMSG: err says what is wrong behind the last one. */
int script_next(struct script *, struct script_entry *, struct err *);
/* Before the first entry, of a whole script: from now on a copy of this process reads it ahead (beside.h), if it is a long one and that can be had. */
void script_read_beside(struct script *);
/* To read it twice: `keep` before the first entry, `again` behind the last; then they come from the first on. 0, or negative with err as above. */
void script_keep(struct script *);
int  script_again(struct script *, struct err *);
/* Of a part: the next state that is entered in it and that other parts speak of, in order. 1, 0 for no more, or negative as above. To be
 * asked after its last entry. */
int script_next_needed(struct script *, uint64_t *state, struct err *);

#endif
