/* A bounded buffer, for ever, of two semaphores and a lock, each a monitor of its own: who puts something in first takes a free place.
 *     verisoft nested-monitor.c --config nested-monitor.VS --certificate nested-monitor.scc -- SIZE PRODUCERS CONSUMERS
 * WRONG: the nested monitor problem. Who waits for the semaphore has the buffer's lock, so that nobody can come and raise it.
 * SPDX-License-Identifier: MIT */
#include "monitor.h"

struct semaphore { struct monitor m; int value; };
static struct semaphore places, items;
static struct monitor buffer = MONITOR;
static int size, count, putting, getting;        /* who is inside */

static void down(struct semaphore *s)
{
    enter(&s->m);
    while (s->value == 0)
        await(&s->m);
    s->value--;
    assert(s->value >= 0);
    leave(&s->m);
}

static void up(struct semaphore *s)
{
    enter(&s->m);
    s->value++;
    assert(s->value <= size);
    announce(&s->m);
    leave(&s->m);
}

/* The lock, when there is a place (or an item) to be had. */
static void down_and_enter(struct semaphore *s)
{
#ifdef WRONG
    enter(&buffer);
    down(s);
#else
    down(s);
    enter(&buffer);
#endif
}

static void *producer(void *unused)
{
    for (;;) {
        down_and_enter(&places);
        assert(count < size);
        putting++;
        count++;
        putting--;
        leave(&buffer);
        up(&items);
    }
    return unused;
}

static void *consumer(void *unused)
{
    for (;;) {
        down_and_enter(&items);
        assert(count > 0);
        getting++;
        count--;
        getting--;
        leave(&buffer);
        up(&places);
    }
    return unused;
}

int main(int argc, char **argv)
{
    size = parameter(argc, argv, 1, 2, 1, 8);
    int producers = parameter(argc, argv, 2, 2, 1, 8), consumers = parameter(argc, argv, 3, 2, 1, 8);
    monitor_init(&places.m);
    monitor_init(&items.m);
    places.value = size;
    for (int i = 0; i < producers; i++)
        begin(producer, i);
    for (int i = 0; i < consumers; i++)
        begin(consumer, i);
    await_all();
    return 0;
}
