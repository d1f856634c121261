/* A child that is to be gone when we are, whatever ends us.
 * SPDX-License-Identifier: MIT */
#ifndef CHILD_H
#define CHILD_H

#include <sys/types.h>

/* In the child, right after fork: from now on the kernel kills it when `parent` dies, and if that one is dead already it goes now. */
void child_dies_with(pid_t parent);

#endif
