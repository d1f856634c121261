/* expect: complete.  stateful: 5414 states, 13407 transitions.
 *     verisoft sleeping-barber.c --search stateful
 * expect -DWRONG: deadlock at depth 17.
 *     verisoft sleeping-barber.c -DWRONG --livelock-limit 0
 *
 * Dijkstra's sleeping barber. With no customer waiting he sleeps; a customer who finds him asleep wakes him, one who finds
 * no free chair leaves. The shop closes when the last customer is gone. WRONG is the lost wake-up: the barber lets go of the
 * lock between looking into the empty waiting room and lying down, and the customer who comes in between finds him awake.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

enum { CUSTOMERS = 3, CHAIRS = 1, CLOSED = CUSTOMERS };
enum { MUTEX, WAKE, DONE, SEMAPHORES = DONE + CUSTOMERS };       /* DONE + i: customer i's hair is cut */

static int semaphores;
static int chairs;                   /* queue: the numbers of the waiting customers */
static int asleep;                   /* queue: a message while the barber sleeps */

static void up(int i)   { semsignal(semaphores, i, 1); }
static void down(int i) { semwait(semaphores, i, 1); }

/* Sits down on a free chair, with the lock held, and wakes the barber if need be. */
static void sit_down(int i)
{
    char text[16] = "";
    sprintf(text, "%d", i);
    send_to_queue(chairs, CHAIRS, text);
    if (!is_queue_empty(asleep)) {
        rcv_from_queue(asleep, 1);
        up(WAKE);
    }
}

static void customer(int i)
{
    down(MUTEX);
    if (is_queue_full(chairs, CHAIRS)) {
        up(MUTEX);
        return;
    }
    sit_down(i);
    up(MUTEX);
    down(DONE + i);
}

static int next_customer(void)
{
    down(MUTEX);
    if (is_queue_empty(chairs)) {
#ifdef WRONG
        up(MUTEX);
        send_to_queue(asleep, 1, "zzz");
#else
        send_to_queue(asleep, 1, "zzz");
        up(MUTEX);
#endif
        down(WAKE);
        down(MUTEX);
    }
    VS_assert(!is_queue_empty(chairs));
    int i = atoi(rcv_from_queue(chairs, CHAIRS));
    up(MUTEX);
    return i;
}

static void barber(void)
{
    for (int i = next_customer(); i != CLOSED; i = next_customer())
        up(DONE + i);
}

int main(void)
{
    semaphores = semget(IPC_PRIVATE, SEMAPHORES, 0600);
    for (int i = 0; i < SEMAPHORES; i++)
        semsetval(semaphores, i, i == MUTEX);
    chairs = get_bounded_queue(CHAIRS);
    asleep = get_bounded_queue(1);

    for (int i = 0; i < CUSTOMERS; i++)
        if (fork() == 0) {
            customer(i);
            exit(0);
        }
    if (fork() == 0) {
        barber();
        exit(0);
    }

    for (int i = 0; i < CUSTOMERS; i++)
        wait(NULL);                  /* the barber does not go before the shop is closed, so these are the customers */
    down(MUTEX);
    sit_down(CLOSED);
    up(MUTEX);
    wait(NULL);
#ifndef VERIFY
    semctl(semaphores, 0, IPC_RMID);
    remove_queue(chairs);
    remove_queue(asleep);
#endif
    return 0;
}
