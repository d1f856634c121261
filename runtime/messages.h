/* Queues of messages in a sharing group, of SysV and of POSIX: the messages are in memory that all share, each with the number by
 * which the controller knows it.
 * SPDX-License-Identifier: MIT */
#ifndef RT_MESSAGES_H
#define RT_MESSAGES_H

#include "descriptors.h"

struct rt_message { bool used; uint32_t number, length; int32_t type; struct rt_channel body; };
struct rt_mailbox { uint32_t next; struct rt_message messages[MESSAGES_MOST]; };

bool rt_put_message(struct rt_mailbox *, int32_t type, const void *, size_t length);     /* the next number is its own */
size_t rt_get_message(struct rt_mailbox *, uint32_t number, void *, size_t room, int32_t *type);         /* gives its length */

RT_INLINE struct rt_call rt_messages_call(uint8_t code, int class, const struct rt_id *id, int32_t first, int32_t second, int bits,
                                          const char *name)
{
    return (struct rt_call){.event = EVENT_OPERATION, .type = TYPE_MESSAGES, .code = code, .index = -1,
                            .object = rt_object_of(class, id), .arg = {first, second, bits}, .text = name};
}

RT_INLINE bool rt_begin_messages(int class, struct rt_id *id, int32_t room, int32_t limit, const char *name)         /* name NULL: none */
{
    id->memory = rt_shared(sizeof(struct rt_mailbox));
    struct rt_call call = rt_messages_call(name ? MESSAGES_OPEN : MESSAGES_INIT, class, id, room, limit, 0, name);
    call.fresh = true;
    RT_ENTER(&call);
    return id->memory;
}

RT_INLINE int rt_send_message(int class, const struct rt_id *id, int32_t type, const void *data, size_t length, int bits,
                              const char *name)                  /* 0, -EIDRM, -EAGAIN */
{
    bool gone = id->gone;
    struct rt_call call = rt_messages_call(MESSAGES_SEND, class, id, type, (int32_t)length, bits, name);
    call.interrupted = -EINTR;
    uint32_t result = (uint32_t)RT_ENTER_CANCELLABLE(&call);
    if (result == RESULT_REMOVED)
        return gone ? -EINVAL : -EIDRM;
    if ((int32_t)result == -ENOSPC || (result == 0 && !rt_put_message(id->memory, type, data, length)))
        RT_NO_ROOM("a queue with more messages than VeriSoft can control");
    return (int32_t)result;
}

RT_INLINE ssize_t rt_receive_message(int class, const struct rt_id *id, int32_t wanted, void *data, size_t room, int32_t *type, int bits,
                                     const char *name)           /* its length, -EIDRM, -ENOMSG, -E2BIG */
{
    bool gone = id->gone;
    struct rt_call call = rt_messages_call(MESSAGES_RECEIVE, class, id, wanted, room > INT32_MAX ? INT32_MAX : (int32_t)room, bits, name);
    call.interrupted = -EINTR;
    uint32_t result = (uint32_t)RT_ENTER_CANCELLABLE(&call);
    if (result == RESULT_REMOVED)
        return gone ? -EINVAL : -EIDRM;
    return (int32_t)result < 0 ? (int32_t)result : (ssize_t)rt_get_message(id->memory, result, data, room, type);
}

RT_INLINE int rt_count_messages(int class, const struct rt_id *id)       /* or -EIDRM */
{
    struct rt_call call = rt_messages_call(MESSAGES_COUNT, class, id, 0, 0, 0, NULL);
    uint32_t result = (uint32_t)RT_ENTER(&call);
    return result == RESULT_REMOVED ? -EIDRM : (int)result;
}

#endif
