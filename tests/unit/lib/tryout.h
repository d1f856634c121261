/* One search of one made-up program, judged by brute force: what it found, what it counted and what it claims.
 * SPDX-License-Identifier: MIT */
#ifndef TRYOUT_H
#define TRYOUT_H

#include "search/search.h"
#include "walk.h"

struct tryout {
    const struct brute *brute;               /* from the state at the end of `walk` */
    const struct walk  *walk;                /* where the search begins; NULL: at the first state */
    enum strategy       strategy;
    enum reduction      reduction;
    enum stage_rules    rules;
    enum stage_merge    merge;
    uint32_t            bound, incr;         /* max_depth and depth_incr; bound 0: none */
    uint32_t            cache;               /* room of the cache; 0: none */
    enum cache_policy   policy;
    uint64_t            stop;                /* stop_at_state; 0: none */
    uint64_t            seed;

    struct search_result result;
    uint64_t             runs;
    bool                 too_small;          /* the path did not fit into the cache, and the search said so */
    char                 wrong[512];         /* empty: all is as it should be */
};

void tryout_run(struct tryout *);
void tryout_name(const struct tryout *, char *out, size_t room);   /* "dfs source, max_depth 5, ..." */

/* Paths longer than this are not counted one by one: a search without reduction would take too long. */
enum { TRIAL_MOST = 1000000 };

#endif
