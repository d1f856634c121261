/* A tree of executions as a file (doc/scc.md, kind `executions`): what a reduced search did, one execution after the other. Written as it is
 * made, read as it is followed; neither is ever whole in memory.
 *
 * Each execution goes back some steps from where the one before it ended, and from there on by steps of its own. A step is who goes and,
 * where its operation can have several results, which of them. All else (operations, results, what sleeps, what races) whoever follows
 * the tree on the program finds out by itself.
 *
 * Invariant: whatever the bytes of a file are, the reader gives executions that go back no further than to where the tree begins, with
 * processes that there can be, or fails; it needs memory for nothing but the place where a part begins, which is not longer than the file
 * allows.
 * SPDX-License-Identifier: MIT */
#ifndef TREE_FILE_H
#define TREE_FILE_H

#include "base/err.h"
#include "certifier/fields.h"

#include <stdbool.h>

#define TREE_KIND "executions"
#define TREE_STREAMS(X) X(STEPS, steps) X(CHOICES, choices) X(TURNS, turns) X(START, start)
#define X(upper, lower) TREE_##upper,
enum tree_stream { TREE_STREAMS(X) TREE_STREAM_COUNT };
#undef X

struct tree_step { uint32_t process, choice; };                  /* a process counts from 0 */

/* A state in which a part of a tree begins, or one on the way there: when it was entered, and what was told of it before this part. The last
 * of `told`, unless it is where the part begins, is the step by which the way goes on. */
struct tree_place { uint64_t entered; uint32_t told, told_count; };      /* entered: number of the execution; told: where they begin */
struct tree_start {
    struct tree_place *path;
    struct tree_step  *told;
    uint32_t           depth, path_room, told_count, told_room;  /* depth: places; 0: it is no part */
    uint64_t           first;        /* so many executions come before it */
    uint32_t           leave;        /* so many states, from the end of its last execution on, are left in it */
};
void tree_start_fini(struct tree_start *);

/* A line of the header: which number a process has (numbers.h). */
struct system_birth;
void tree_add_birth(struct fields *, const struct system_birth *);
int  tree_get_birth(const struct fields *, uint32_t nth, struct system_birth *, struct err *);   /* 1: there it is; 0: there are not so many */

/* ---- writing ---- */

struct tree_writer;
/* `near`: a file in whose folder what is not finished is kept, without a name. Gives; NULL with err. */
struct tree_writer *tree_writer_new(const char *near, struct err *);
void tree_writer_free(struct tree_writer *);                     /* NULL is fine */
void tree_write_start(struct tree_writer *, const struct tree_start *);          /* of a part, before all executions */
void tree_write(struct tree_writer *, uint32_t back, const struct tree_step *, uint32_t count);
/* Makes the file, with these fields and those that count. 0, or negative with err: then there is no file. `bytes`: how long it is. */
int  tree_writer_finish(struct tree_writer *, const struct fields *, const char *file, uint64_t *bytes, struct err *);

/* ---- reading ---- */

struct tree_file;
bool              tree_recognise(const char *file);              /* does its header say that it is one? */
/* The header was read. NULL with err: as script_open. Gives. */
struct tree_file *tree_open(const char *file, struct err *);
void              tree_close(struct tree_file *);                /* NULL is fine */
int               tree_rewind(struct tree_file *, struct err *); /* as if it had just been opened */
const struct fields     *tree_fields(const struct tree_file *);
bool                     tree_shares(const struct tree_file *);  /* it says that the program shares memory */
const struct tree_start *tree_start(const struct tree_file *);   /* NULL: it is whole */
uint64_t                 tree_executions(const struct tree_file *), tree_transitions(const struct tree_file *);  /* as the header says */
/* The next execution. 1: there is one; its `count` steps are then read one by one. 0: there is none, and all is whole. -EBADMSG: err says
 * what is wrong. */
int tree_next(struct tree_file *, uint32_t *back, uint32_t *count, struct err *);
int tree_next_step(struct tree_file *, struct tree_step *, struct err *);

#endif
