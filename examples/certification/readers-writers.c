/* Readers and writers, for ever, by counts of who is active and who waits: many may read, one may write, and readers let waiting writers go
 * first.
 *     verisoft readers-writers.c --config readers-writers.VS --certificate readers-writers.scc -- READERS WRITERS
 * WRONG: a reader does not look at who writes, only at who waits to.  SPDX-License-Identifier: MIT */
#include "monitor.h"

static struct monitor m = MONITOR;
static int active_readers, active_writers, waiting_readers, waiting_writers;

static int may_read(void)
{
#ifdef WRONG
    return waiting_writers == 0;
#else
    return waiting_writers == 0 && active_writers == 0;
#endif
}

static int may_write(void) { return active_readers == 0 && active_writers == 0; }

static void before_read(void)
{
    enter(&m);
    waiting_readers++;
    while (!may_read())
        await(&m);
    waiting_readers--;
    active_readers++;
    assert(!active_writers);
    leave(&m);
}

static void after_read(void)
{
    enter(&m);
    assert(active_readers > 0);
    active_readers--;
    announce(&m);
    leave(&m);
}

static void before_write(void)
{
    enter(&m);
    waiting_writers++;
    while (!may_write())
        await(&m);
    waiting_writers--;
    active_writers++;
    assert(active_writers == 1 && !active_readers);
    leave(&m);
}

static void after_write(void)
{
    enter(&m);
    assert(active_writers == 1);
    active_writers--;
    announce(&m);
    leave(&m);
}

static void *reader(void *unused)
{
    for (;;) {
        before_read();
        after_read();
    }
    return unused;
}

static void *writer(void *unused)
{
    for (;;) {
        before_write();
        after_write();
    }
    return unused;
}

int main(int argc, char **argv)
{
    int readers = parameter(argc, argv, 1, 3, 1, 8), writers = parameter(argc, argv, 2, 2, 1, 8);
    for (int i = 0; i < readers; i++)
        begin(reader, i);
    for (int i = 0; i < writers; i++)
        begin(writer, i);
    await_all();
    return 0;
}
