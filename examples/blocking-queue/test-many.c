/* expect: complete.
 *     verisoft test-many.c test.c bqueue.c ring.c deadline.c -pthread
 * expect -DBUG: deadlock.
 *     verisoft test-many.c test.c bqueue.c ring.c deadline.c -pthread -DBUG
 *
 * Several consumers that take one item each; the main thread produces as many. Nobody may be left waiting, and each item is
 * somebody's. test-many [CONSUMERS]
 * SPDX-License-Identifier: MIT */
#include "bqueue.h"
#include "test.h"

#include <stdint.h>
#include <stdlib.h>

enum { MOST = 1000 };

static void *consumer(void *queue)
{
    intptr_t item = -1;
    CHECK_EQUAL(bqueue_pop(queue, &item, deadline_never()), 0);
    return (void *)item;
}

int main(int argc, char **argv)
{
    int consumers = test_number(argc, argv, 1, 2, MOST);
    pthread_t threads[MOST];
    char seen[MOST] = { 0 };
    struct bqueue *queue;
    CHECK_EQUAL(bqueue_new(&queue, sizeof(intptr_t), (size_t)consumers), 0);
    for (int i = 0; i < consumers; i++)
        threads[i] = test_start(consumer, queue);
    for (intptr_t i = 0; i < consumers; i++)
        CHECK_EQUAL(bqueue_push(queue, &i, deadline_now()), 0);
    for (int i = 0; i < consumers; i++) {
        intptr_t item = (intptr_t)test_join(threads[i]);
        CHECK(item >= 0 && item < consumers);
        CHECK_EQUAL(seen[item]++, 0);
    }
    CHECK_EQUAL((long)bqueue_length(queue), 0);
    bqueue_free(queue);
    return 0;
}
