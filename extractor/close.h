/* Closing an open program (Colby, Godefroid and Jagadeesan, PLDI 1998): what the program gets from its environment is taken out, and each choice
 * that depends on it becomes a choice of the search. So the program can be checked without somebody who plays its environment.
 *
 * The analysis is one of data, without regard to the order of statements: a variable is *open* if somewhere what it is given is open: the result of an
 * input function, what such a function is given the address of, an input variable, an expression that has one of these in it. Openness goes into parameters
 * and out of results. Variables that are only changed where a choice depends on the input are not open: that choice is a toss, and both are searched.
 *
 * What is promised: the closed program has every path through its own code that the open one can have with some input, and perhaps more (two
 * choices by the same input are two tosses; the paper's limits are the same). Where that cannot be had, because what is open goes where it is not
 * followed (behind a pointer, into an assertion), it is refused, with the place.
 * SPDX-License-Identifier: MIT */
#ifndef CLOSE_H
#define CLOSE_H

#include "extractor/machine.h"

struct closing {
    const struct machines *machines;
    char *const           *inputs;   /* names of functions and variables */
    int                    input_count;
    const char            *file;     /* as the machine names it */
    const char            *source;   /* its text */
};

/* Gives the closed source and, a line each, what was changed and what to know; return both with free. */
int close_program(const struct closing *, char **closed, char **changes, struct err *);

#endif
