/* A bounded buffer, for ever: producers wait while it is full, consumers while it is empty.
 *     verisoft bounded-buffer.c --config bounded-buffer.VS --certificate bounded-buffer.scc -- SIZE PRODUCERS CONSUMERS
 * WRONG: who was woken does not look again, and takes from an empty buffer.  SPDX-License-Identifier: MIT */
#include "monitor.h"

static struct monitor m = MONITOR;
static int size, count, in, out, slots[8];       /* a slot is 1 while something is in it */

static void put(void)
{
    enter(&m);
    while (count == size)
        await(&m);
    assert(count < size);
    assert(!slots[in]);
    slots[in] = 1;
    in = (in + 1) % size;
    count++;
    announce(&m);
    leave(&m);
}

static void get(void)
{
    enter(&m);
#ifdef WRONG
    if (count == 0)
#else
    while (count == 0)
#endif
        await(&m);
    assert(slots[out]);
    slots[out] = 0;
    out = (out + 1) % size;
    count--;
    announce(&m);
    leave(&m);
}

static void *producer(void *unused) { for (;;) put(); return unused; }
static void *consumer(void *unused) { for (;;) get(); return unused; }

int main(int argc, char **argv)
{
    size = parameter(argc, argv, 1, 2, 1, 8);
    int producers = parameter(argc, argv, 2, 3, 1, 8), consumers = parameter(argc, argv, 3, 2, 1, 8);
    for (int i = 0; i < producers; i++)
        begin(producer, i);
    for (int i = 0; i < consumers; i++)
        begin(consumer, i);
    await_all();
    return 0;
}
