/* Shared memory segments: they can be asked for, by the rules for objects, but are never made; attaching one is refused.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <errno.h>
#include <sys/ipc.h>
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
