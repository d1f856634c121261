/* POSIX message queues: those of messages.h, with priorities for types.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "messages.h"
#include "sys.h"
#include "waits.h"

#include <fcntl.h>
#include <mqueue.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

enum { USUAL_MESSAGES = 10, USUAL_SIZE = 8192, HIGHEST = 32767 };

static struct rt_id *queue_of(mqd_t queue)               /* NULL: none */
{
    const struct rt_file *f = rt_file_of((int)queue);
    return f && f->kind == RT_MQUEUE ? rt_id_of(RT_QUEUES, f->number) : NULL;
}

static bool fits(const struct mq_attr *a, long messages, long size)
{
    return a->mq_maxmsg > 0 && a->mq_msgsize > 0 && a->mq_maxmsg <= messages && a->mq_msgsize <= size;
}

/* What the kernel says of itself in such a file. */
static long setting(const char *file, long usual)
{
    char text[24] = "";
    long fd = RT_SYS(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC, 0), got = RT_SYS(SYS_read, fd, text, sizeof text - 1), value = 0;
    RT_SYS(SYS_close, fd);
    for (long i = 0; i < got && text[i] >= '0' && text[i] <= '9'; i++)
        value = 10 * value + text[i] - '0';
    return value ? value : usual;
}

/* Would the kernel make such a queue? */
static bool kernel_makes(const struct mq_attr *a)
{
    return fits(a, setting("/proc/sys/fs/mqueue/msg_max", USUAL_MESSAGES), setting("/proc/sys/fs/mqueue/msgsize_max", USUAL_SIZE));
}

/* 0, or what the kernel says to a name that is none: there are no folders. */
static long wrong_name(const char *name)
{
    if (name[0] != '/' || !name[1])
        return name[0] == '/' ? -ENOENT : -EINVAL;
    return strchr(name + 1, '/') || !strcmp(name, "/.") || !strcmp(name, "/..") ? -EACCES : 0;
}

RT_INLINE mqd_t open_queue(const char *name, int flags, mode_t mode, const struct mq_attr *attributes)
{
    if (wrong_name(name))
        return (mqd_t)rt_answer(wrong_name(name));
    if (rt_too_long(name, "mq_open (of a name of more than 47 characters)"))
        return (mqd_t)rt_answer(-ENAMETOOLONG);
    struct rt_words words;
    struct rt_call call = rt_access_call(flags & O_CREAT, rt_bucket(RT_QUEUES, 0, name), rt_words(&words, "mq_open", name, strlen(name)));
    RT_ENTER(&call);
    struct rt_id *id = rt_find_id(RT_QUEUES, 0, name);
    if (id && flags & O_CREAT && flags & O_EXCL)
        return (mqd_t)rt_answer(-EEXIST);
    if (!id && !(flags & O_CREAT))
        return (mqd_t)rt_answer(-ENOENT);
    if (id && !rt_may_open(&id->rights, flags))
        return (mqd_t)rt_answer(-EACCES);
    if (!id) {
        if (attributes && !fits(attributes, MESSAGES_MOST, STREAMS_MOST)) {
            if (kernel_makes(attributes))
                RT_REFUSE_SIZE("mq_open (of a queue for more or longer messages than VeriSoft has room for: 128 of 65536 bytes)");
            return (mqd_t)rt_answer(-EINVAL);
        }
        id = rt_new_id(RT_QUEUES, 0, name);
        if (!id)
            RT_REFUSE_SIZE("mq_open (of more queues than VeriSoft can control)");
        id->rights = rt_rights_new(mode);
        id->limit = attributes ? (uint32_t)attributes->mq_maxmsg : USUAL_MESSAGES;
        id->count = attributes ? (uint32_t)attributes->mq_msgsize : USUAL_SIZE;
        rt_begin_messages(RT_QUEUES, id, INT32_MAX / 2, (int32_t)id->limit, rt_words(&words, NULL, name, strlen(name)));
    }
    struct rt_file f = {.kind = RT_MQUEUE, .nonblocking = flags & O_NONBLOCK, .access = flags & O_ACCMODE, .reads = RT_NOWHERE,
                        .writes = RT_NOWHERE, .listener = RT_NOWHERE, .name = RT_NOWHERE, .number = rt_number_of(RT_QUEUES, id)};
    return rt_give_descriptor(&f, O_CLOEXEC, "mq_open" RT_MANY_FILES);
}

RT_API mqd_t mq_open(const char *name, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    struct mq_attr *attributes = flags & O_CREAT ? va_arg(rest, struct mq_attr *) : NULL;
    va_end(rest);
    RT_BY_MODE(mqd_t, mq_open, (name, flags, mode, attributes), LIBC, NEED_GROUP, DO(open_queue(name, flags, mode, attributes)))
}

mqd_t __mq_open_2(const char *, int);
RT_FUNCTION(mqd_t, __mq_open_2, (const char *name, int flags), (name, flags),
    DO(RT_LIBC(mq_open)(name, flags)), NEED_GROUP_FOR(mq_open), DO(open_queue(name, flags, 0, NULL)))

RT_INLINE int group_mq_close(mqd_t queue)
{
    return queue_of(queue) ? close((int)queue) : (int)rt_answer(-EBADF);
}

RT_GROUPED(int, mq_close, (mqd_t queue), (queue), NEXT, DO(group_mq_close(queue)))

RT_INLINE int unlink_queue(const char *name)
{
    if (wrong_name(name))
        return (int)rt_answer(wrong_name(name));
    if (rt_too_long(name, "mq_unlink (of a name of more than 47 characters)"))
        return (int)rt_answer(-ENAMETOOLONG);
    struct rt_words words;
    struct rt_call call = rt_access_call(true, rt_bucket(RT_QUEUES, 0, name), rt_words(&words, "mq_unlink", name, strlen(name)));
    RT_ENTER(&call);
    return (int)rt_answer(rt_unlink_id(rt_find_id(RT_QUEUES, 0, name)));
}

/* Alone: before mq_open, to begin from nothing; but it belongs to others. */
RT_FUNCTION(int, mq_unlink, (const char *name), (name), LIBC, DO(rt_unlink_nothing(name)), DO(unlink_queue(name)))

/* ---- sending and receiving ---- */

static int bits_of(const struct rt_file *f, bool timed)
{
    return MESSAGES_POSIX | (f->nonblocking ? ARG_NOWAIT : 0) | (timed ? ARG_TIMED : 0);
}

static long late(int bits, const struct timespec *time)  /* what a call gives that could not be done at once */
{
    if (bits & ARG_NOWAIT)
        return -EAGAIN;
    rt_pass_time(time, true);
    return -ETIMEDOUT;
}

static bool is_time(const struct timespec *t) { return !t || (t->tv_nsec >= 0 && t->tv_nsec < 1000000000); }

RT_INLINE int send_to(mqd_t queue, const char *data, size_t length, unsigned priority, const struct timespec *time, const char *name)
{
    const struct rt_id *id = queue_of(queue);
    if (!id || rt_file_of((int)queue)->access == O_RDONLY)
        return (int)rt_answer(-EBADF);
    if (priority > HIGHEST || !is_time(time))
        return (int)rt_answer(-EINVAL);
    if (length > id->count)
        return (int)rt_answer(-EMSGSIZE);
    int bits = bits_of(rt_file_of((int)queue), time);
    rt_wait_begins(name, bits & ARG_NOWAIT ? NULL : time, true);
    long result = rt_send_message(RT_QUEUES, id, (int32_t)priority + 1, data, length, bits, name);
    return (int)rt_answer(result == -EAGAIN ? late(bits, time) : result);
}

RT_INLINE ssize_t receive_from(mqd_t queue, char *data, size_t room, unsigned *priority, const struct timespec *time, const char *name)
{
    const struct rt_id *id = queue_of(queue);
    if (!id || rt_file_of((int)queue)->access == O_WRONLY)
        return rt_answer(-EBADF);
    if (!is_time(time))
        return rt_answer(-EINVAL);
    if (room < id->count)
        return rt_answer(-EMSGSIZE);
    int bits = bits_of(rt_file_of((int)queue), time);
    int32_t type = 0;
    rt_wait_begins(name, bits & ARG_NOWAIT ? NULL : time, true);
    ssize_t length = rt_receive_message(RT_QUEUES, id, MESSAGES_HIGHEST, data, room, &type, bits, name);
    if (length >= 0 && priority)
        *priority = (unsigned)type - 1;
    return rt_answer(length == -ENOMSG ? late(bits, time) : length);
}

RT_GROUPED(int, mq_send, (mqd_t queue, const char *data, size_t length, unsigned priority), (queue, data, length, priority),
    NEXT, DO(send_to(queue, data, length, priority, NULL, "mq_send")))
RT_GROUPED(int, mq_timedsend, (mqd_t queue, const char *data, size_t length, unsigned priority, const struct timespec *time),
    (queue, data, length, priority, time),
    NEXT, DO(send_to(queue, data, length, priority, time, "mq_timedsend")))
RT_GROUPED(ssize_t, mq_receive, (mqd_t queue, char *data, size_t room, unsigned *priority), (queue, data, room, priority),
    NEXT, DO(receive_from(queue, data, room, priority, NULL, "mq_receive")))
RT_GROUPED(ssize_t, mq_timedreceive, (mqd_t queue, char *restrict data, size_t room, unsigned *restrict priority,
    const struct timespec *restrict time), (queue, data, room, priority, time),
    NEXT, DO(receive_from(queue, data, room, priority, time, "mq_timedreceive")))

/* ---- attributes ---- */

RT_INLINE int tell(mqd_t queue, struct mq_attr *attributes)
{
    const struct rt_id *id = queue_of(queue);
    if (!id)
        return (int)rt_answer(-EBADF);
    memset(attributes, 0, sizeof *attributes);
    attributes->mq_flags = rt_file_of((int)queue)->nonblocking ? O_NONBLOCK : 0;
    attributes->mq_maxmsg = id->limit;
    attributes->mq_msgsize = id->count;
    attributes->mq_curmsgs = rt_count_messages(RT_QUEUES, id);
    return 0;
}

RT_GROUPED(int, mq_getattr, (mqd_t queue, struct mq_attr *attributes), (queue, attributes), NEXT, DO(tell(queue, attributes)))

RT_INLINE int group_mq_setattr(mqd_t queue, const struct mq_attr *restrict attributes, struct mq_attr *restrict old)
{
    if (!queue_of(queue) || (old && tell(queue, old) < 0))
        return (int)rt_answer(-EBADF);
    rt_file_of((int)queue)->nonblocking = attributes->mq_flags & O_NONBLOCK;
    return 0;
}

RT_GROUPED(int, mq_setattr, (mqd_t queue, const struct mq_attr *restrict attributes, struct mq_attr *restrict old),
    (queue, attributes, old),
    NEXT, DO(group_mq_setattr(queue, attributes, old)))
