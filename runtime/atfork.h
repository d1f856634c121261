/* What is to be called around a fork: in reverse order before it, in order after it.
 * SPDX-License-Identifier: MIT */
#ifndef RT_ATFORK_H
#define RT_ATFORK_H

#include <stdbool.h>

bool rt_knows_fork_handlers(void);     /* false: there were too many, and not all are known */
void rt_before_fork(void);
void rt_after_fork(bool is_child);

#endif
