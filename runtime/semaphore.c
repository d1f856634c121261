/* Semaphores: semget and its like, and the operations of the manual on them.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "real.h"
#include "../include/verisoft.h"

#include <errno.h>
#include <stdarg.h>
#undef semsetval
#undef semwait
#undef semsignal

RT_INLINE int operation(uint8_t code, int semid, int index, int n)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_SEMAPHORE, .code = code, .number = semid, .index = index,
                           .arg = {n}};
    if ((uint32_t)RT_ENTER(&call) != RESULT_REMOVED)
        return 0;
    errno = EIDRM;
    return -1;
}

RT_INLINE int request(uint32_t event, int semid, int index, int value)
{
    struct rt_call call = {.event = event, .type = TYPE_SEMAPHORE, .number = semid, .index = index, .arg = {value}};
    return (int)RT_ENTER(&call);
}

RT_API int semget(key_t key, int count, int flags)
{
    if (!rt_controlled())
        return real_semget(key, count, flags);
    struct rt_call call = {.event = EVENT_CREATE, .type = TYPE_SEMAPHORE, .number = key, .index = -1, .arg = {count, flags}};
    int semid = (int)RT_ENTER(&call);
    if (semid >= 0)
        return semid;
    errno = -semid;
    return -1;
}

RT_API int semsetval(int semid, int index, int value)
{
    return rt_controlled() ? request(EVENT_SET, semid, index, value) : real_semsetval(semid, index, value);
}

RT_API int VS_semsetval_latest(int index, int value)
{
    return rt_controlled() ? request(EVENT_SET, LATEST, index, value) : real_semsetval(LATEST, index, value);
}

RT_API int semwait(int semid, int index, int n)
{
    return rt_controlled() ? operation(SEMAPHORE_WAIT, semid, index, n) : real_semadd(semid, index, -n);
}

RT_API int VS_semwait_latest(int index)
{
    return rt_controlled() ? operation(SEMAPHORE_WAIT, LATEST, index, 1) : real_semadd(LATEST, index, -1);
}

RT_API int semsignal(int semid, int index, int n)
{
    return rt_controlled() ? operation(SEMAPHORE_SIGNAL, semid, index, n) : real_semadd(semid, index, n);
}

RT_API int VS_semsignal_latest(int index)
{
    return rt_controlled() ? operation(SEMAPHORE_SIGNAL, LATEST, index, 1) : real_semadd(LATEST, index, 1);
}

RT_INLINE int remove_array(int semid)
{
    int count = request(EVENT_SIZE, semid, -1, 0);
    for (int i = 0; i < count; i++)
        if (operation(SEMAPHORE_REMOVE, semid, i, 0) < 0)
            return -1;
    return 0;
}

RT_API int semctl(int semid, int index, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    long argument = va_arg(rest, long);
    va_end(rest);
    if (!rt_controlled())
        return real_semctl(semid, index, command, argument);
    if (command == SETVAL)
        return request(EVENT_SET, semid, index, (int)argument);
    if (command == IPC_RMID)
        return remove_array(semid);
    struct rt_call call = {.event = EVENT_REFUSE, .text = "semctl"};
    return (int)RT_ENTER(&call);
}
