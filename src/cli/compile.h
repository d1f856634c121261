/* From source files to an executable that VeriSoft can run: $CC or $CXX with debug information, -DVERIFY, our header and our
 * runtime. What the compiler says is shown when it fails, and not otherwise.
 * SPDX-License-Identifier: MIT */
#ifndef COMPILE_H
#define COMPILE_H

#include "base/err.h"
#include "cli/program.h"
#include "cli/scratch.h"
#include "cli/words.h"

struct sources {
    const struct words      *files;          /* borrowed: C, C++, object files and archives */
    const enum program_part *parts;          /* what each of them is */
    const struct words      *options;        /* borrowed: for the compiler, as the user typed them */
    bool                     instrument;     /* the program is to tell of its accesses to memory; what the compiler says is not shown then */
};

/* Gives the executable's path, in the scratch folder. -EINTR when asked to stop. -ENOTSUP: the compiler cannot make it tell. `silent`: it had
 * nothing to say; may be NULL. */
int compile(const struct sources *, const struct scratch *, char **executable, bool *silent, struct err *);

#endif
