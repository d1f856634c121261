/* The simulator as a program that reads lines and answers lines, for a person over ssh and for a script. Each command in words is
 * a request of the protocol, and each reply is printed in words; a line that is a JSON object is answered by one.
 * SPDX-License-Identifier: MIT */
#ifndef TERMINAL_SIMULATOR_H
#define TERMINAL_SIMULATOR_H

#include "simulator/protocol.h"

#include <stdio.h>

struct terminal_settings {
    int                 in;          /* file descriptor */
    FILE               *out;
    bool                person;      /* one is there: prompts, an empty line repeats the last command */
    bool                color;
    int                 width;       /* of a line; 0: as long as it is */
    const volatile int *interrupt;   /* non-zero: stop */
};

/* Until quit or the end of the input: 0; -EINTR: interrupted; another negative errno: something could not be written. */
int terminal_run(struct protocol *, const struct terminal_settings *);

#endif
