/* expect: complete.  stateful: 10910 states, 25182 transitions.
 *     verisoft readers-writers.c --search stateful
 * expect -DWRONG: assertion at depth 11.
 *     verisoft readers-writers.c -DWRONG --livelock-limit 0
 *
 * Readers and writers (Courtois, Heymans, Parnas 1971): any number may read at a time, a writer is alone. The first reader
 * takes the page for all readers and the last one gives it back, so they keep count. The count is a message in a queue
 * of size 1: who has received it holds it, and the others wait. WRONG gives the count back too early, before the page is
 * won: the second reader then believes that the first one is already reading.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

enum { READERS = 2, WRITERS = 2, TIMES = 2 };

static int page;                     /* semaphore: 1 while it is free */
static int count;                    /* queue: how many readers there are, as a number */
static int reading, writing;         /* queues: a message for each who is at the page now, for the assertions */

static int readers;                  /* the count, while this process holds it */

static void read_count(char *text)
{
    readers = atoi(text);
    memset(text, 0, strlen(text));   /* so that what is left of it does not tell equal states apart; likewise below */
}

static void take_count(void)
{
    read_count(rcv_from_queue(count, 1));
}

static void give_count(int n)
{
    char text[16] = "";
    sprintf(text, "%d", n);
    readers = 0;
    send_to_queue(count, 1, text);
}

static void start_reading(void)
{
    take_count();
#ifdef WRONG
    int before = readers;
    give_count(before + 1);
    if (before == 0)
        semwait(page, 0, 1);
#else
    if (readers == 0)
        semwait(page, 0, 1);
    give_count(readers + 1);
#endif
}

static void stop_reading(void)
{
    take_count();
    if (readers == 1)
        semsignal(page, 0, 1);
    give_count(readers - 1);
}

static void reader(void)
{
    for (int i = 0; i < TIMES; i++) {
        start_reading();
        send_to_queue(reading, READERS, "here");
        VS_assert(is_queue_empty(writing));
        rcv_from_queue(reading, READERS);
        stop_reading();
    }
}

static void writer(void)
{
    for (int i = 0; i < TIMES; i++) {
        semwait(page, 0, 1);
        VS_assert(is_queue_empty(writing));
        send_to_queue(writing, WRITERS, "here");
        VS_assert(is_queue_empty(reading));
        rcv_from_queue(writing, WRITERS);
        semsignal(page, 0, 1);
    }
}

int main(void)
{
    page = semget(IPC_PRIVATE, 1, 0600);
    semsetval(page, 0, 1);
    count = get_bounded_queue(1);
    reading = get_bounded_queue(READERS);
    writing = get_bounded_queue(WRITERS);

    for (int i = 0; i < READERS + WRITERS; i++)
        if (fork() == 0) {
            if (i < READERS)
                reader();
            else
                writer();
            exit(0);
        }
    give_count(0);
    while (wait(NULL) > 0)
        ;
#ifndef VERIFY
    semctl(page, 0, IPC_RMID);
    remove_queue(count);
    remove_queue(reading);
    remove_queue(writing);
#endif
    return 0;
}
