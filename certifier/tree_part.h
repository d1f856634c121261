/* Cuts a tree of executions into parts of about as many transitions each, which can be followed apart from each other; and compares what they
 * say. A part is a row of executions and how to come to where it begins (struct tree_start).
 *
 * Why it is the same as following the tree: every execution is followed in one part. What sleeps in a state follows from its children
 * before, which the start of a part has for all states on its path. What a race asks of a state is asked in each part in whose executions
 * it is seen, of the children before and in this part; what these do not give is written into the part's map, with the state, which is
 * known by the execution in which it was entered and its depth. The part in which the state is left knows all its children, and
 * writes them down. When all parts have come, each debt is looked up.
 *
 * What two steps depend on must be the same in all parts, so each tells what it has learned of that. If they do not agree, or one has
 * met what others might not have (a result that ends something, beside one that does not), nothing is concluded: the tree is to be followed
 * as a whole.
 * SPDX-License-Identifier: MIT */
#ifndef TREE_PART_H
#define TREE_PART_H

#include "certifier/tree_file.h"

#include <stdio.h>

struct system;

/* The file of part i (from 0) in the folder is partition_file's (partition.h). 0: `count` files were made (fewer, if there are fewer
 * executions), and count is how many. -EBADMSG: the tree cannot be read; err says where. */
int tree_partition(const char *file, const char *folder, uint32_t *count, struct err *);

/* What was learned of the program, into a map. */
void tree_part_learned(FILE *map, const struct system *);

struct tree_merge {
    struct tree_owed { uint64_t entered, processes, execution; uint32_t depth; } *owed;
    struct tree_left { uint64_t entered, children; uint32_t depth; } *left;
    uint32_t owed_count, owed_room, left_count, left_room;
    uint64_t premises;
    bool     begun, ends, waits;     /* some step ends a process with one result, maybe not with another; somebody waits for ends */
    bool     differs;                /* differs: they do not agree about what depends on what */
};

void tree_merge_fini(struct tree_merge *);
int  tree_merge_add(struct tree_merge *, const char *map, struct err *);        /* 0, or negative: it cannot be read */
/* All parts were added. Are all debts paid? */
bool tree_merge_agrees(struct tree_merge *);

#endif
