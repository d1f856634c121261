/* Where VeriSoft itself lives: the header and the runtime that programs are compiled with, found from the command's own place,
 * in the folder where it was built or where it was installed.
 * SPDX-License-Identifier: MIT */
#ifndef HOME_H
#define HOME_H

#include "base/err.h"

#include <limits.h>

struct home {
    char include[PATH_MAX];          /* the folder of verisoft.h */
    char runtime[PATH_MAX];          /* the object file to link */
    char parser[PATH_MAX];           /* verisoft-extract, if it was built; else "" */
    char library[PATH_MAX];          /* the same as a library, to be loaded before a program that was not linked with it */
    char near[PATH_MAX];             /* those of them that are called most, for the program itself */
    char hooks[PATH_MAX];            /* empty functions for instrumented programs that run by themselves */
    char loader[PATH_MAX];           /* verisoft-loader: several executables, in one */
    char drivers[PATH_MAX];          /* the folder with what drivers of a suite use: vs, verisoft.py, ... */
    char specs[PATH_MAX];            /* what gcc is told to make such programs */
};
int home_find(struct home *, struct err *);

#endif
