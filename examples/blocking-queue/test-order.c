/* expect: complete.
 *     verisoft test-order.c test.c bqueue.c ring.c deadline.c -pthread
 * expect: complete.
 *     verisoft test-order.c test.c bqueue.c ring.c deadline.c -pthread -- 2 2
 *
 * One producer, one consumer: what goes in comes out, in order and once. test-order [ITEMS [CAPACITY]]
 * SPDX-License-Identifier: MIT */
#include "bqueue.h"
#include "test.h"

#include <errno.h>

static struct bqueue *queue;
static int items;

static void *producer(void *argument)
{
    for (int i = 0; i < items; i++)
        CHECK_EQUAL(bqueue_push(queue, &i, deadline_never()), 0);
    bqueue_close(queue);
    return argument;
}

static void check_closed(void)
{
    int item = 0;
    CHECK_EQUAL(bqueue_push(queue, &item, deadline_never()), -EPIPE);
    CHECK_EQUAL(bqueue_pop(queue, &item, deadline_never()), -EPIPE);
    CHECK_EQUAL(bqueue_peek(queue, &item, deadline_now()), -EPIPE);
    CHECK(bqueue_is_closed(queue) && bqueue_length(queue) == 0);
}

int main(int argc, char **argv)
{
    int item, expected = 0;
    items = test_number(argc, argv, 1, 2, 1000000);
    CHECK_EQUAL(bqueue_new(&queue, sizeof item, (size_t)test_number(argc, argv, 2, 1, 1000000)), 0);
    pthread_t thread = test_start(producer, NULL);
    while (bqueue_pop(queue, &item, deadline_never()) == 0)
        CHECK_EQUAL(item, expected++);
    CHECK_EQUAL(expected, items);
    test_join(thread);
    check_closed();
    struct bqueue_stats stats = bqueue_statistics(queue);
    CHECK_EQUAL((long)stats.pushed, items);
    CHECK_EQUAL((long)stats.popped, items);
    CHECK_EQUAL((long)stats.timeouts, 0);
    bqueue_free(queue);
    return 0;
}
