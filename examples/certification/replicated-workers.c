/* Workers take items of work from a pool, and may put in new ones; when the pool is empty and nobody works, all go home.
 *     verisoft replicated-workers.c --config replicated-workers.VS --certificate replicated-workers.scc -- WORKERS ITEMS
 * WRONG: who finds the pool empty goes home, though somebody who still works may put in more.  SPDX-License-Identifier: MIT */
#include "monitor.h"

enum { MOST = 8 };
static struct monitor pool = MONITOR, results = MONITOR;
static int workers, items, left, working, home, done, all;       /* left: items in the pool; all: that there will ever be */

/* False: there is nothing more to do. */
static int take(void)
{
    enter(&pool);
#ifndef WRONG
    while (left == 0 && working > 0)
        await(&pool);
#endif
    int got = left > 0;
    if (got) {
        left--;
        working++;
        assert(working <= workers);
    } else {
        home++;
#ifndef WRONG
        assert(!working);
#endif
        announce(&pool);
    }
    leave(&pool);
    return got;
}

/* The item is done, and made another one or not. */
static void finish(int more)
{
    enter(&pool);
    assert(working > 0);
    working--;
    left += more;
    assert(left <= all);
    announce(&pool);
    leave(&pool);
}

static void *worker(void *unused)
{
    while (take()) {
        enter(&results);
        done++;
        int more = done <= items;    /* each of the first ones makes another */
        leave(&results);
        finish(more);
    }
    return unused;
}

int main(int argc, char **argv)
{
    workers = parameter(argc, argv, 1, 3, 1, MOST);
    items = parameter(argc, argv, 2, 2, 1, MOST);
    left = items;
    all = 2 * items;
    for (int i = 0; i < workers; i++)
        begin(worker, i);
    await_all();
    assert(done == all && left == 0 && home == workers);
    return 0;
}
