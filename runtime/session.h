/* In which process group and session each UNIX process of a sharing group is (session.c).
 * SPDX-License-Identifier: MIT */
#ifndef RT_SESSION_H
#define RT_SESSION_H

#include "rt.h"

/* By host, each a host's number; parent: who forked it. */
struct rt_family {
    uint8_t group, session, parent;
    bool    forks, moved;                /* it has forked; another process has put it into its group */
    bool    waits;                       /* for children of a process group */
};

enum { RT_OWN_GROUP = -2 };
uint64_t rt_group_members(int group);                    /* a set of hosts, also of those that have ended */
uint64_t rt_children(void);                              /* likewise */
void     rt_family_inherited(int child);                 /* before the fork: by that host, from this one */
bool     rt_was_moved(void);                             /* by another process */

#endif
