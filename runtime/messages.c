/* SysV message queues: msgget and its like.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "messages.h"
#include "sys.h"

#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#pragma GCC poison malloc calloc free printf

enum { QUEUE_BYTES = 16384, LONGEST = 8192 };            /* usual settings of the kernel */

bool rt_put_message(struct rt_mailbox *box, int32_t type, const void *data, size_t length)
{
    struct rt_message *m = box->messages;
    while (m < box->messages + MESSAGES_MOST && m->used)
        m++;
    if (m == box->messages + MESSAGES_MOST)
        return false;
    m->used = true;
    m->number = box->next++ & INT32_MAX;
    m->type = type;
    m->length = (uint32_t)length;
    rt_add(&m->body, data, length);
    return true;
}

size_t rt_get_message(struct rt_mailbox *box, uint32_t number, void *data, size_t room, int32_t *type)
{
    struct rt_message *m = box->messages;
    while (m < box->messages + MESSAGES_MOST && !(m->used && m->number == number))
        m++;
    if (m == box->messages + MESSAGES_MOST)
        rt_fail(RT_DISAGREE);
    size_t given = m->length < room ? m->length : room;
    rt_take(&m->body, data, given);
    rt_take(&m->body, NULL, m->length - given);
    *type = m->type;
    m->used = false;
    return given;
}

RT_INLINE int group_msgget(key_t key, int flags)
{
    bool made;
    struct rt_id *id = rt_get_id(RT_MESSAGES, key, flags, &made, "msgget (of more queues than VeriSoft can control)");
    if (!id)
        return -1;
    if (made && !rt_begin_messages(RT_MESSAGES, id, QUEUE_BYTES, QUEUE_BYTES, NULL))
        return (int)rt_answer(-ENOSPC);
    return rt_number_of(RT_MESSAGES, id);
}

RT_FUNCTION(int, msgget, (key_t key, int flags), (key, flags),
    KERNEL(SYS_msgget, key, flags), NEED_GROUP, DO(group_msgget(key, flags)))

RT_INLINE int group_msgsnd(int queue, const void *message, size_t length, int flags)
{
    const struct msgbuf *m = message;
    const struct rt_id *id = rt_id_of(RT_MESSAGES, queue);
    if (!id || m->mtype < 1 || length > LONGEST)
        return (int)rt_answer(-EINVAL);
    if (m->mtype > INT32_MAX)
        RT_REFUSE("msgsnd (of a type above 2147483647)");
    return (int)rt_answer(rt_send_message(RT_MESSAGES, id, (int32_t)m->mtype, m->mtext, length, flags & IPC_NOWAIT ? ARG_NOWAIT : 0,
                                          "msgsnd"));
}

RT_FUNCTION(int, msgsnd, (int queue, const void *message, size_t length, int flags), (queue, message, length, flags),
    LIBC, KERNEL(SYS_msgsnd, queue, message, length, flags), DO(group_msgsnd(queue, message, length, flags)))

RT_INLINE ssize_t group_msgrcv(int queue, void *message, size_t room, long type, int flags)
{
    struct msgbuf *m = message;
    const struct rt_id *id = rt_id_of(RT_MESSAGES, queue);
    if (!id || (ssize_t)room < 0)
        return rt_answer(-EINVAL);
    if (flags & MSG_COPY || type > INT32_MAX || type <= INT32_MIN)
        RT_REFUSE("msgrcv (with MSG_COPY or of a large type)");
    int bits = (flags & IPC_NOWAIT ? ARG_NOWAIT : 0) | (flags & MSG_NOERROR ? MESSAGES_CUT : 0)
             | (flags & MSG_EXCEPT && type > 0 ? MESSAGES_EXCEPT : 0);
    int32_t taken = 0;
    ssize_t length = rt_receive_message(RT_MESSAGES, id, (int32_t)type, m->mtext, room, &taken, bits, "msgrcv");
    if (length >= 0)
        m->mtype = taken;
    return rt_answer(length);
}

RT_FUNCTION(ssize_t, msgrcv, (int queue, void *message, size_t room, long type, int flags), (queue, message, room, type, flags),
    LIBC, KERNEL(SYS_msgrcv, queue, message, room, type, flags), DO(group_msgrcv(queue, message, room, type, flags)))

RT_INLINE int remove_queue_of(struct rt_id *id)
{
    struct rt_call names = rt_access_call(true, rt_bucket(RT_MESSAGES, id->key, NULL), "msgctl(IPC_RMID)");
    if (id->key != IPC_PRIVATE)
        RT_ENTER(&names);
    id->removed = true;
    struct rt_call call = rt_messages_call(MESSAGES_REMOVE, RT_MESSAGES, id, 0, 0, 0, NULL);
    uint32_t result = (uint32_t)RT_ENTER(&call);
    id->gone = true;
    return result == RESULT_REMOVED ? -EINVAL : 0;
}

RT_INLINE int group_msgctl(int queue, int command, struct msqid_ds *data)
{
    struct rt_id *id = rt_id_of(RT_MESSAGES, queue);
    if (!id)
        return (int)rt_answer(-EINVAL);
    if (command == IPC_RMID)
        return (int)rt_answer(remove_queue_of(id));
    if (command != IPC_STAT)
        RT_REFUSE("msgctl (other than IPC_RMID and IPC_STAT)");
    int count = rt_count_messages(RT_MESSAGES, id);
    if (count < 0)
        return (int)rt_answer(count);
    memset(data, 0, sizeof *data);
    data->msg_perm.__key = id->key;
    data->msg_perm.mode = 0600;
    data->msg_qnum = (msgqnum_t)count;
    data->msg_qbytes = QUEUE_BYTES;
    return 0;
}

RT_GROUPED(int, msgctl, (int queue, int command, struct msqid_ds *data), (queue, command, data),
    KERNEL(SYS_msgctl, queue, command, data), DO(group_msgctl(queue, command, data)))
