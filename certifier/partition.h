/* Cuts a script into parts of as many transitions each, which can be followed apart from each other (the thesis, 3.2; there a part is one
 * region). A part is the next so many entries, whatever regions they are of, and how to come to where it begins.
 *
 * The script is read once. What is known without running the program is checked on the way: the counts of the header. Which states of a part
 * others speak of is known at the end; so entries wait in one file without a name until then.
 * SPDX-License-Identifier: MIT */
#ifndef PARTITION_H
#define PARTITION_H

#include "certifier/script.h"

/* Part i (from 0) in the folder: 1.part, 2.part, ..., or what belongs to it with another ending. Gives. */
char *partition_file(const char *folder, uint32_t part, const char *ending);

struct partition {
    const char *file, *folder;       /* the certificate; where the parts go */
    bool        evidence;            /* each part says of which program it is, as the whole does */
    uint32_t    count;               /* as many are wished; then as many as there are (fewer, if there are fewer transitions) */
    uint64_t    largest, path, paths;            /* out: transitions of the largest; the longest way to where one begins, and all of them */
    uint64_t    entry, state;        /* out: where the script is wrong; entry 0: in the header, or at its end */
};

/* 0: the files were made. -EBADMSG: the script is wrong, and err says in what. */
int partition(struct partition *, struct err *);

#endif
