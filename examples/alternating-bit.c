/* expect: complete.  stateful: 1380 states, 3222 transitions.
 *     verisoft alternating-bit.c --search stateful
 * expect -DWRONG: assertion at depth 11.
 *     verisoft alternating-bit.c -DWRONG --livelock-limit 0
 *
 * The alternating bit protocol (Bartlett, Scantlebury, Wilkinson 1969) over two links that lose messages: VS_toss decides
 * about each. The sender repeats a message until it is acknowledged; one bit tells a new message from a repeated one. The
 * messages must arrive in order, none lost and none twice. WRONG is a receiver that does not look at the bit.
 * The sender may repeat for ever, so only a search that enters each state once comes to an end.
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <verisoft.h>

enum { MESSAGES = 3, LINK = 2 };
#ifdef WRONG
enum { LOOKS_AT_BIT = false };
#else
enum { LOOKS_AT_BIT = true };
#endif

static int data, acks;               /* the links: queues of at most LINK messages */

static void transmit(int link, const char *text)
{
    if (VS_toss(1) == 1 || is_queue_full(link, LINK))
        return;                      /* lost */
    send_to_queue(link, LINK, text);
}

static void transmit_message(int bit, int message)
{
    char text[16] = "";
    sprintf(text, "%d %d", bit, message);
    transmit(data, text);
}

static bool acknowledged(int bit)    /* false: the time is up */
{
    while (!is_queue_empty(acks))
        if (atoi(rcv_from_queue(acks, LINK)) == bit)
            return true;
    return false;
}

static void sender(void)
{
    for (int i = 0; i < MESSAGES; i++)
        do
            transmit_message(i % 2, i);
        while (!acknowledged(i % 2));
    send_to_queue(data, LINK, "end");            /* not part of the protocol: lets the receiver finish, and is never lost */
}

static void receiver(void)
{
    int expected = 0, bit, message;

    while (sscanf(rcv_from_queue(data, LINK), "%d %d", &bit, &message) == 2) {
        if (bit == expected % 2 || !LOOKS_AT_BIT) {
            VS_assert(message == expected);
            expected++;
        }
        transmit(acks, bit ? "1" : "0");         /* also of a repeated one: its acknowledgement may have been lost */
    }
    VS_assert(expected == MESSAGES);
}

int main(void)
{
    data = get_bounded_queue(LINK);
    acks = get_bounded_queue(LINK);
    if (fork() == 0) {
        receiver();
        exit(0);
    }
    sender();
    wait(NULL);
#ifndef VERIFY
    remove_queue(data);
    remove_queue(acks);
#endif
    return 0;
}
