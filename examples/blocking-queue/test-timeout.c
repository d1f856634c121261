/* expect: complete.
 *     verisoft test-timeout.c test.c bqueue.c ring.c deadline.c -pthread
 *
 * Both sides have little time. A call that timed out has done nothing, one that did not has done its work: what is in the
 * queue at the end is what was pushed and not popped. test-timeout [TRIES]
 * SPDX-License-Identifier: MIT */
#include "bqueue.h"
#include "test.h"

#include <errno.h>
#include <stdint.h>

static int tries;

static void *producer(void *queue)
{
    intptr_t pushed = 0;
    for (int i = 0; i < tries; i++) {
        int error = bqueue_push(queue, &i, deadline_after(1));
        CHECK(error == 0 || error == -ETIMEDOUT);
        pushed += error == 0;
    }
    return (void *)pushed;
}

static int consume(struct bqueue *queue)
{
    int popped = 0, item, last = -1;
    for (int i = 0; i < tries; i++) {
        int error = bqueue_pop(queue, &item, deadline_after(1));
        CHECK(error == 0 || error == -ETIMEDOUT);
        if (error == 0) {
            CHECK(item > last);
            last = item;
            popped++;
        }
    }
    return popped;
}

int main(int argc, char **argv)
{
    struct bqueue *queue;
    int item;
    tries = test_number(argc, argv, 1, 2, 100000);
    CHECK_EQUAL(bqueue_new(&queue, sizeof item, 1), 0);
    pthread_t thread = test_start(producer, queue);
    int popped = consume(queue);
    long pushed = (long)(intptr_t)test_join(thread);
    CHECK_EQUAL((long)bqueue_length(queue), pushed - popped);
    CHECK_EQUAL(bqueue_pop(queue, &item, deadline_now()), pushed > popped ? 0 : -EAGAIN);
    CHECK_EQUAL(bqueue_wait_empty(queue, deadline_now()), 0);
    bqueue_free(queue);
    return 0;
}
