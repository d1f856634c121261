/* expect: complete.  stateful: 4704 states, 11573 transitions.
 *     verisoft producers-consumers.c --search stateful
 * expect -DWRONG: deadlock at depth 9.
 *     verisoft producers-consumers.c -DWRONG
 *
 * Two producers and two consumers share a bounded buffer, guarded by Dijkstra's three semaphores: how many slots are free,
 * how many items are ready, and who may touch the buffer now. The WRONG producer takes the buffer first and then waits, with
 * it in hand, for a free slot, which only a consumer could provide if it had the buffer.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

enum { PRODUCERS = 2, CONSUMERS = 2, ITEMS = 2, TAKES = PRODUCERS * ITEMS / CONSUMERS, SIZE = 1 };
enum { SLOTS, READY, MUTEX, SEMAPHORES };

static int semaphores, buffer;

static void up(int i)   { semsignal(semaphores, i, 1); }
static void down(int i) { semwait(semaphores, i, 1); }

static void put(const char *item)
{
#ifdef WRONG
    down(MUTEX);
    down(SLOTS);
#else
    down(SLOTS);
    down(MUTEX);
#endif
    VS_assert(!is_queue_full(buffer, SIZE));
    send_to_queue(buffer, SIZE, item);
    up(MUTEX);
    up(READY);
}

static void get(int *from, int *item)
{
    down(READY);
    down(MUTEX);
    VS_assert(!is_queue_empty(buffer));
    char *text = rcv_from_queue(buffer, SIZE);
    sscanf(text, "%d %d", from, item);
    memset(text, 0, strlen(text));   /* read: so that what is left of it does not tell equal states apart */
    up(MUTEX);
    up(SLOTS);
}

static void producer(int self)
{
    for (int i = 1; i <= ITEMS; i++) {
        char item[16] = "";
        sprintf(item, "%d %d", self, i);
        put(item);
    }
}

static void consume(int last[PRODUCERS])
{
    int from, item;

    get(&from, &item);
    VS_assert(item > last[from]);    /* in order, and none twice */
    last[from] = item;
}

static void consumer(void)
{
    int last[PRODUCERS] = {0};       /* what came last from each producer */

    for (int i = 0; i < TAKES; i++)
        consume(last);
}

int main(void)
{
    semaphores = semget(IPC_PRIVATE, SEMAPHORES, 0600);
    semsetval(semaphores, SLOTS, SIZE);
    semsetval(semaphores, READY, 0);
    semsetval(semaphores, MUTEX, 1);
    buffer = get_bounded_queue(SIZE);

    for (int i = 0; i < PRODUCERS; i++)
        if (fork() == 0) {
            producer(i);
            exit(0);
        }
    for (int i = 0; i < CONSUMERS; i++)
        if (fork() == 0) {
            consumer();
            exit(0);
        }
    while (wait(NULL) > 0)
        ;
#ifndef VERIFY
    semctl(semaphores, 0, IPC_RMID);
    remove_queue(buffer);
#endif
    return 0;
}
