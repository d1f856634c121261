/* expect: complete.
 *     verisoft test-selector.c test.c selector.c bqueue.c ring.c deadline.c -pthread
 *
 * Two queues, each with a producer that pushes and closes; one thread takes from both until both are over. It misses nothing,
 * and does not wait for what has come already. test-selector [ITEMS]
 * SPDX-License-Identifier: MIT */
#include "selector.h"
#include "test.h"

#include <errno.h>

enum { QUEUES = 2 };

static int items;

static void *producer(void *queue)
{
    for (int i = 0; i < items; i++)
        CHECK_EQUAL(bqueue_push(queue, &i, deadline_never()), 0);
    bqueue_close(queue);
    return NULL;
}

int main(int argc, char **argv)
{
    struct selector *selector;
    struct bqueue *queues[QUEUES];
    pthread_t threads[QUEUES - 1];
    int next[QUEUES] = { 0 }, item, from, error;
    items = test_number(argc, argv, 1, 1, 100000);
    CHECK_EQUAL(selector_new(&selector), 0);
    for (int i = 0; i < QUEUES; i++) {
        CHECK_EQUAL(bqueue_new(&queues[i], sizeof item, (size_t)items), 0);
        CHECK_EQUAL(selector_add(selector, queues[i]), i);
    }
    CHECK_EQUAL(selector_add(selector, queues[0]), -EBUSY);
    CHECK_EQUAL(selector_wait(selector, deadline_now()), -EAGAIN);
    for (int i = 1; i < QUEUES; i++)
        threads[i - 1] = test_start(producer, queues[i]);
    producer(queues[0]);
    while ((error = selector_pop(selector, &item, &from, deadline_never())) == 0)
        CHECK_EQUAL(item, next[from]++);
    CHECK_EQUAL(error, -ENOENT);
    for (int i = 0; i < QUEUES; i++)
        CHECK_EQUAL(next[i], items);
    for (int i = 1; i < QUEUES; i++)
        test_join(threads[i - 1]);
    selector_free(selector);
    for (int i = 0; i < QUEUES; i++)
        bqueue_free(queues[i]);
    return 0;
}
