/* Counters that are read and written like files (eventfd): a channel that counts without bytes, so that poll, select and epoll look at it as at a
 * pipe. Reading and writing are in streams.c.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

RT_INLINE int group_eventfd(unsigned first, int flags)
{
    enum { ENDS = 3 };
    if (flags & ~(EFD_SEMAPHORE | EFD_CLOEXEC | EFD_NONBLOCK))
        return (int)rt_answer(-EINVAL);
    if (first >= STREAMS_MOST)
        RT_REFUSE("eventfd (that begins with more than 65535)");
    if (rt_lowest_descriptor(0) == -EMFILE)
        return (int)rt_answer(-EMFILE);
    int channel = rt_open_channel(ENDS | (int)first << STREAMS_FIRST_SHIFT, STREAMS_MOST, RT_NOWHERE, STREAMS_ENDLESS, "eventfd()");
    if (channel < 0)
        return (int)rt_answer(channel);
    struct rt_file f = {.kind = RT_STREAM, .nonblocking = flags & EFD_NONBLOCK, .reads = (int8_t)channel, .writes = (int8_t)channel,
                        .listener = RT_NOWHERE, .name = RT_NOWHERE, .capacity = STREAMS_CODED, .access = O_RDWR,
                        .counts = flags & EFD_SEMAPHORE ? RT_COUNTS_ONE : RT_COUNTS_ALL};
    return rt_give_descriptor(&f, flags & EFD_CLOEXEC ? O_CLOEXEC : 0, "eventfd" RT_MANY_FILES);
}

RT_FUNCTION(int, eventfd, (unsigned first, int flags), (first, flags), NEXT, NEED_GROUP, DO(group_eventfd(first, flags)))

/* The C library's own would call the kernel. */
RT_FUNCTION(int, eventfd_read, (int fd, eventfd_t *value), (fd, value),
    NEXT, NEED_GROUP, DO(read(fd, value, sizeof *value) == sizeof *value ? 0 : -1))
RT_FUNCTION(int, eventfd_write, (int fd, eventfd_t value), (fd, value),
    NEXT, NEED_GROUP, DO(write(fd, &value, sizeof value) == sizeof value ? 0 : -1))
