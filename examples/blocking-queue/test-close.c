/* expect: complete.
 *     verisoft test-close.c test.c bqueue.c ring.c deadline.c -pthread
 *
 * The queue is closed while producers wait for room and the consumer has not taken all: everybody is told, and what was
 * accepted is still there. test-close [PRODUCERS]
 * SPDX-License-Identifier: MIT */
#include "bqueue.h"
#include "test.h"

#include <errno.h>
#include <stdint.h>

enum { MOST = 100, EACH = 2 };

static void *producer(void *queue)
{
    int items[EACH] = { 1, 1 };
    size_t done;
    int error = bqueue_push_all(queue, items, EACH, deadline_never(), &done);
    CHECK(error == 0 ? done == EACH : error == -EPIPE && done < EACH);
    return (void *)done;
}

int main(int argc, char **argv)
{
    int producers = test_number(argc, argv, 1, 2, MOST), item;
    pthread_t threads[MOST];
    struct bqueue *queue;
    size_t accepted = 0, got = 0, some;
    CHECK_EQUAL(bqueue_new(&queue, sizeof item, 1), 0);
    for (int i = 0; i < producers; i++)
        threads[i] = test_start(producer, queue);
    CHECK_EQUAL(bqueue_pop(queue, &item, deadline_never()), 0);
    got++;
    bqueue_close(queue);
    for (int i = 0; i < producers; i++)
        accepted += (size_t)test_join(threads[i]);
    while (bqueue_pop_some(queue, &item, 1, deadline_never(), &some) == 0)
        got += some;
    CHECK_EQUAL((long)got, (long)accepted);
    bqueue_free(queue);
    return 0;
}
