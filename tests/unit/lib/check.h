/* What must be so in a test: said when it is not, and counted.
 * SPDX-License-Identifier: MIT */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int failures;

#define CHECK(true_is) \
    do { \
        if (!(true_is)) { \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #true_is); \
            failures++; \
        } \
    } while (0)

#endif
