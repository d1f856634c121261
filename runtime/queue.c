/* Bounded queues of strings. A size of -1 means that the call did not say one.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "rt.h"
#include "real.h"
#include "../include/verisoft.h"

#include <errno.h>
#undef rcv_from_queue
#undef is_queue_full
#undef is_queue_empty

/* In a sharing group: how many there are, and their sizes, in memory that all share. */
struct queues { int count, sizes[MAX_OBJECTS]; };
static struct queues *queues;

void rt_queues_begin(void)
{
    queues = rt_shared(sizeof *queues);
}

RT_INLINE int new_in_group(int size)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_ACCESS, .code = ACCESS_WRITE, .index = -1,
                           .object = (uint64_t)queues, .text = "get_bounded_queue"};
    RT_ENTER(&call);
    if (size < 1 || size > MAX_QUEUE)
        RT_MISUSE("get_bounded_queue: the size of a queue is 1 to 32767");
    if (queues->count == MAX_OBJECTS)
        RT_NO_ROOM("more than 4096 queues");
    queues->sizes[queues->count] = size;
    return queues->count++;
}

/* The queue as the object of an operation: its number, and its size as the argument. On another path the queue of this number may have
 * another size, and then it is another object. Without a group the controller knows it by its number alone. */
RT_INLINE void name_queue(struct rt_call *call)
{
    if (!queues)
        return;
    if (call->number < 0 || call->number >= queues->count)
        RT_MISUSE("there is no queue of this number");
    call->arg[0] = queues->sizes[call->number];
    call->object = (uint64_t)call->arg[0] << 32 | (uint32_t)(call->number + 1);
}

RT_INLINE int new_alone(int size)
{
    struct rt_call call = {.event = EVENT_CREATE, .type = TYPE_QUEUE, .index = -1, .arg = {size}};
    return (int)RT_ENTER(&call);
}

RT_INLINE int operation(uint8_t code, int queue, int size, const char *message)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_QUEUE, .code = code, .number = queue, .index = -1,
                           .arg = {size}, .text = message};
    name_queue(&call);
    if (code == QUEUE_SEND && !message)
        RT_MISUSE("send_to_queue: the message is NULL");
    uint32_t result = (uint32_t)RT_ENTER(&call);
    if (result != RESULT_REMOVED)
        return (int)result;
    errno = EIDRM;
    return -1;
}

RT_INLINE void *receive(int queue, int size)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_QUEUE, .code = QUEUE_RECEIVE, .number = queue, .index = -1,
                           .arg = {size}, .reply = rt_received(queue), .room = MAX_MESSAGE + 1};
    name_queue(&call);
    RT_ENTER(&call);
    return call.replied ? call.reply : NULL;
}

RT_MANUAL_BY_MODE(int, get_bounded_queue, (int size), DO(real_queue_new(size)), DO(new_alone(size)), DO(new_in_group(size)))
RT_MANUAL(int, send_to_queue, (int queue, int size, const void *message),
    DO(real_queue_send(queue, message)), DO(operation(QUEUE_SEND, queue, size, message) < 0 ? -1 : 0))
RT_MANUAL(void *, rcv_from_queue, (int queue, int size), DO(real_queue_receive(queue)), DO(receive(queue, size)))
RT_MANUAL(void *, VS_rcv_any_size, (int queue), DO(real_queue_receive(queue)), DO(receive(queue, -1)))
RT_MANUAL(int, is_queue_full, (int queue, int size),
    DO(real_queue_is_full(queue)), DO(operation(QUEUE_IS_FULL, queue, size, NULL)))
RT_MANUAL(int, VS_is_full_any_size, (int queue), DO(real_queue_is_full(queue)), DO(operation(QUEUE_IS_FULL, queue, -1, NULL)))
RT_MANUAL(int, is_queue_empty, (int queue, int size),
    DO(real_queue_is_empty(queue)), DO(operation(QUEUE_IS_EMPTY, queue, size, NULL)))
RT_MANUAL(int, VS_is_empty_any_size, (int queue), DO(real_queue_is_empty(queue)), DO(operation(QUEUE_IS_EMPTY, queue, -1, NULL)))
RT_MANUAL(int, remove_queue, (int queue), DO(real_queue_remove(queue)), DO(operation(QUEUE_REMOVE, queue, -1, NULL) < 0 ? -1 : 0))
