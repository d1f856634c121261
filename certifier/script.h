/* A search script as a file (doc/scc.md is the format): the transitions of a depth-first search in order, each with the state to which it
 * leads, and where a state is left. Written as it is made, read as it is followed; neither is ever whole in memory.
 *
 * States count from 0 in the order in which they are entered. A transition that leads to a state that was entered before is left at once:
 * only the end of a state that was entered here is an entry of its own (`BACK`). It carries what the list Subgraphs says of the state: the
 * number of transitions of its region. How many entries lead to a state, which says where its last mark is, is told when it is entered.
 *
 * Invariant: whatever the bytes of a file are, the reader gives entries of known labels that lead to states which are known or the next
 * one, ends each state once, or fails; and it needs no more memory than the constants of labels.h and twin.h allow, and the path.
 * SPDX-License-Identifier: MIT */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "certifier/fields.h"
#include "certifier/labels.h"

enum { SCRIPT_VERSION = 2 };
/* What is told apart, because like is packed best with like. */
#define SCRIPT_STREAMS(X) X(ENTRIES, entries) X(LABELS, labels) X(STATES, states) X(REFERENCES, references)
#define X(upper, lower) STREAM_##upper,
enum script_stream { SCRIPT_STREAMS(X) STREAM_COUNT };
#undef X
extern const char *const script_streams[];                       /* the header says of each "NAME-bytes: N" */

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
    uint64_t region;                 /* at an end: what Subgraphs says of it */
    uint64_t counted;                /* and how many transitions of it there were */
    uint64_t references;             /* of a new state: entries (of this part) that lead to it, this one included */
    bool     elsewhere;              /* and in another part somebody needs to know what it is */
};

/* ---- writing ---- */

struct script_writer;
/* Of a part: its start, with labels of the writer's own table, is told before any entry. */
void script_write_start(struct script_writer *, const struct script_start *);
void script_write_elsewhere(struct script_writer *, uint64_t state);     /* of a new state of a part */
/* `near`: a file in whose folder what is not finished is kept, without a name. Gives; NULL with err. */
struct script_writer *script_writer_new(enum script_kind, const char *near, struct err *);
void script_writer_free(struct script_writer *);                 /* NULL is fine */
struct labels *script_writer_labels(struct script_writer *);
void script_write_step(struct script_writer *, uint32_t label, uint64_t to);
void script_write_back(struct script_writer *, uint64_t region); /* UINT64_MAX: as many as were counted */
/* For tests: as if so many entries led to the state. */
void script_write_references(struct script_writer *, uint64_t state, int32_t more);
/* Makes the file, with these fields and those that count. 0, or negative with err: then there is no file. `bytes`: how long it is. */
int  script_writer_finish(struct script_writer *, const struct fields *, const char *file, uint64_t *bytes, struct err *);

/* ---- reading ---- */

struct script;
/* The header was read. NULL with err: it is no certificate that can be read; -EBADMSG in err->code: it is one, but damaged, or of another
 * version. Gives. */
struct script *script_open(const char *file, struct err *);
void           script_close(struct script *);                    /* NULL is fine */
const struct fields *script_fields(const struct script *);
bool                 script_shares(const struct script *);       /* it says that the program shares memory: threads, or more than that */
const struct script_start *script_start(const struct script *);  /* NULL: it is a whole script */
enum script_kind     script_kind(const struct script *);
uint64_t             script_states(const struct script *), script_transitions(const struct script *);    /* as the header says */
const struct labels *script_labels(const struct script *);
uint64_t             script_first_references(const struct script *);     /* entries that lead to state 0 */
/* 1: an entry. 0: the script has come to its end, and is whole. -EBADMSG: err says what is wrong behind the last one. */
int script_next(struct script *, struct script_entry *, struct err *);

#endif
