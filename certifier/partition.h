/* Cuts a script into parts of as many transitions each, which can be followed apart from each other (the thesis, 3.2; there a part is one
 * region). A part is the next so many entries, whatever regions they are of, and how to come to where it begins.
 *
 * What is known without running the program is checked on the way: that Subgraphs and the list of references are what the entries say,
 * and the counts of the header. So in the parts they can be right, and only say what is needed there.
 * SPDX-License-Identifier: MIT */
#ifndef PARTITION_H
#define PARTITION_H

#include "certifier/script.h"

/* The file of part i (from 0) in the folder. Gives. */
char *partition_file(const char *folder, uint32_t part);

/* 0: `count` files were made (fewer, if there are fewer transitions), and count is how many. -EBADMSG: the script is wrong, and err says in what, `entry` and
 * `state` where (entry 0: in the header, or at its end). */
int partition(const char *file, const char *folder, uint32_t *count, uint64_t *entry, uint64_t *state, struct err *);

#endif
