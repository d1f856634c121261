/* expect: complete.
 *     verisoft test-handoff.c test.c handoff.c deadline.c -pthread
 * expect: complete.
 *     verisoft test-handoff.c test.c handoff.c deadline.c -pthread -- 2 2
 *
 * Giver and taker with little time each: what one believes to have given the other has, and nothing else. With a second
 * argument they wait for ever, and all arrives. test-handoff [ITEMS [PATIENCE]]
 * SPDX-License-Identifier: MIT */
#include "handoff.h"
#include "test.h"

#include <errno.h>
#include <stdint.h>

static struct handoff *handoff;
static int items, patient;

static struct deadline patience(void)
{
    return patient ? deadline_never() : deadline_after(1);
}

static void *giver(void *argument)
{
    intptr_t given = 0;
    for (int i = 1; i <= items; i++) {
        int error = handoff_give(handoff, (void *)(intptr_t)i, patience());
        CHECK(error == 0 || (!patient && error == -ETIMEDOUT));
        given += error == 0 ? i : 0;
    }
    (void)argument;
    return (void *)given;
}

int main(int argc, char **argv)
{
    intptr_t taken = 0;
    void *item;
    items = test_number(argc, argv, 1, 1, 100000);
    patient = argc > 2;
    CHECK_EQUAL(handoff_new(&handoff), 0);
    CHECK_EQUAL(handoff_give(handoff, handoff, deadline_now()), -EAGAIN);
    pthread_t thread = test_start(giver, NULL);
    for (int i = 1; i <= items; i++) {
        int error = handoff_take(handoff, &item, patience());
        CHECK(error == 0 || (!patient && error == -ETIMEDOUT));
        taken += error == 0 ? (intptr_t)item : 0;
    }
    intptr_t given = (intptr_t)test_join(thread);
    CHECK_EQUAL(taken, given);
    CHECK(!patient || taken == (intptr_t)items * (items + 1) / 2);
    handoff_close(handoff);
    CHECK_EQUAL(handoff_give(handoff, handoff, deadline_never()), -EPIPE);
    CHECK_EQUAL(handoff_take(handoff, &item, deadline_never()), -EPIPE);
    handoff_free(handoff);
    return 0;
}
