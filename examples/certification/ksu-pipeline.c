/* A pipeline of stages with one place between two: a stage adds one to what comes by and hands it on; 0 says that nothing comes any more.
 * Listeners take what comes out at the end.
 *     verisoft ksu-pipeline.c --config ksu-pipeline.VS --certificate ksu-pipeline.scc -- STAGES LISTENERS
 * WRONG: a stage puts something where something is.  SPDX-License-Identifier: MIT */
#include "monitor.h"

enum { MOST = 6, ITEMS = 2, EMPTY = -1 };
struct connector { struct monitor m; int item; };
static struct connector pipe_[MOST + 1];
static int stages, listeners, heard, last;

static void put(struct connector *c, int item)
{
    enter(&c->m);
#ifndef WRONG
    while (c->item != EMPTY)
        await(&c->m);
#endif
    assert(c->item == EMPTY);
    c->item = item;
    announce(&c->m);
    leave(&c->m);
}

static int take(struct connector *c)
{
    enter(&c->m);
    while (c->item == EMPTY)
        await(&c->m);
    int item = c->item;
    c->item = item ? EMPTY : 0;      /* the end is for all who listen */
    announce(&c->m);
    leave(&c->m);
    return item;
}

static void *stage(void *number)
{
    int me = (int)(intptr_t)number, item;
    while ((item = take(&pipe_[me]))) {
        assert(item > me && item <= ITEMS + me);
        put(&pipe_[me + 1], item + 1);
    }
    put(&pipe_[me + 1], 0);
    return NULL;
}

static void *listener(void *unused)
{
    int item;
    while ((item = take(&pipe_[stages]))) {
        assert(item > stages && item <= ITEMS + stages);
        enter(&pipe_[stages].m);
        heard++;
        last = item;
        leave(&pipe_[stages].m);
    }
    return unused;
}

int main(int argc, char **argv)
{
    stages = parameter(argc, argv, 1, 3, 1, MOST);
    listeners = parameter(argc, argv, 2, 1, 1, 4);
    for (int i = 0; i <= stages; i++) {
        monitor_init(&pipe_[i].m);
        pipe_[i].item = EMPTY;
    }
    for (int i = 0; i < stages; i++)
        begin(stage, i);
    for (int i = 0; i < listeners; i++)
        begin(listener, i);
    for (int i = 1; i <= ITEMS; i++)
        put(&pipe_[0], i);
    put(&pipe_[0], 0);
    await_all();
    assert(heard == ITEMS);
    return 0;
}
