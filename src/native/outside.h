/* What is left outside (--outside NAME): operations of which the search does not try the orders. NAME is
 *
 *     FUNCTION                  all that it does, also through others that it calls; or that threads do which begin with it
 *     TYPE, or TYPEs            operations on objects of that type: pipes, mutex, semaphores
 *     TYPE NAME [in FILE]       on that object; in FILE: where the call stands there
 *     process N                 all that this process does
 *
 * Such an operation goes as soon as it can (system/hidden.c). Beginnings and ends of threads and processes are never outside.
 * SPDX-License-Identifier: MIT */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

struct outside {
    char *const *names;              /* borrowed */
    uint32_t     count;
    uint64_t     used;               /* bit i: names[i] was found; those from the 64th on are not noted */
};

#endif
