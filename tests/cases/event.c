/* expect: complete.  optimal: 4 executions.  searches: none, sleep, optimal.
 * expect -DSTUCK: deadlock at depth 10 in process 0.  searches: none, sleep, optimal.
 * expect -DTWICE: structure in process 1.  message: "one name is used for a queue".  searches: none, sleep, optimal.
 * expect -DEARLY: assertion in process 1.  searches: none, sleep, optimal.
 *
 * A spool in a file, which VeriSoft does not control, between two threads: events say when something is put there and taken out, so that nobody looks for
 * what is not there, and no more than two wait there. STUCK: the second thread waits for one that never comes. TWICE: the name is used for something else. EARLY:
 * the reader does not say that it receives.
 * SPDX-License-Identifier: MIT */
#include "verisoft.h"
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 3 };
static int spool;

static void *sender(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        VS_event("spool:2", "send", "a letter");
        if (pwrite(spool, "abc" + i, 1, i) != 1)
            return NULL;
    }
    return argument;
}

int main(void)
{
    pthread_t other;
    char letter;
    spool = open("spool", O_CREAT | O_TRUNC | O_RDWR, 0600);
    pthread_create(&other, NULL, sender, &spool);
    for (int i = 0; i < ROUNDS; i++) {
#ifdef EARLY
        VS_event("reader", "step");
#else
        VS_event("spool:2", "receive");
#endif
        assert(pread(spool, &letter, 1, i) == 1 && letter == 'a' + i);   /* ERROR */
    }
#ifdef STUCK
    VS_event("spool:2", "receive");                              /* ERROR */
#endif
#ifdef TWICE
    VS_event("spool", "wait");                                   /* ERROR */
#endif
    pthread_join(other, NULL);
    return 0;
}
