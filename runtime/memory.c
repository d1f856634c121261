/* Shared memory, through which processes would communicate behind the controller's back. A segment can be asked for, by the
 * rules for objects, but is never made, and attaching it is refused (refuse.c); so is mapping memory to share.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <errno.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

static int answer(long result)
{
    if (result >= 0)
        return (int)result;
    errno = (int)-result;
    return -1;
}

RT_API int shmget(key_t key, size_t size, int flags)
{
    if (!rt_controlled())
        return answer(RT_SYS(SYS_shmget, key, size, flags));
    struct rt_call call = {.event = EVENT_CREATE, .type = TYPE_MEMORY, .number = key, .index = -1};
    return answer((int)RT_ENTER(&call));
}

RT_API int shmctl(int id, int command, struct shmid_ds *data)
{
    if (!rt_controlled())
        return answer(RT_SYS(SYS_shmctl, id, command, data));
    if (command == IPC_RMID)
        return 0;
    struct rt_call call = {.event = EVENT_REFUSE, .text = "shmctl"};
    return answer((int)RT_ENTER(&call));
}

RT_INLINE void *map(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    struct rt_call call = {.event = EVENT_REFUSE, .text = "mmap (of memory to share and write)"};
    if (rt_controlled() && flags & MAP_SHARED && protection & PROT_WRITE)
        RT_ENTER(&call);
    long result = RT_SYS(SYS_mmap, at, bytes, protection, flags, fd, offset);
    if ((unsigned long)result < -4095ul)
        return (void *)result;
    errno = (int)-result;
    return MAP_FAILED;
}

RT_API void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return map(at, bytes, protection, flags, fd, offset);
}

RT_API void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, __off64_t offset)
{
    return map(at, bytes, protection, flags, fd, offset);
}
