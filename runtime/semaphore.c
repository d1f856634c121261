/* Semaphores: semget and its like, and the operations of the manual on them. In a sharing group they are those of semset.c.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "real.h"
#include "semset.h"
#include "../include/verisoft.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
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
    if (rt_in_group())
        return rt_semget(key, count, flags);
    struct rt_call call = {.event = EVENT_CREATE, .type = TYPE_SEMAPHORE, .number = key, .index = -1, .arg = {count, flags}};
    int semid = (int)RT_ENTER(&call);
    if (semid >= 0)
        return semid;
    errno = -semid;
    return -1;
}

RT_API int semsetval(int semid, int index, int value)
{
    if (rt_in_group())
        return rt_semset_manual(SEMSET_SET, semid, index, value);
    return rt_controlled_by_manual() ? request(EVENT_SET, semid, index, value) : real_semsetval(semid, index, value);
}

RT_API int VS_semsetval_latest(int index, int value)
{
    if (rt_in_group())
        return rt_semset_manual(SEMSET_SET, LATEST, index, value);
    return rt_controlled_by_manual() ? request(EVENT_SET, LATEST, index, value) : real_semsetval(LATEST, index, value);
}

RT_API int semwait(int semid, int index, int n)
{
    if (rt_in_group())
        return rt_semset_manual(SEMSET_WAIT, semid, index, n);
    return rt_controlled_by_manual() ? operation(SEMAPHORE_WAIT, semid, index, n) : real_semadd(semid, index, -n);
}

RT_API int VS_semwait_latest(int index)
{
    if (rt_in_group())
        return rt_semset_manual(SEMSET_WAIT, LATEST, index, 1);
    return rt_controlled_by_manual() ? operation(SEMAPHORE_WAIT, LATEST, index, 1) : real_semadd(LATEST, index, -1);
}

RT_API int semsignal(int semid, int index, int n)
{
    if (rt_in_group())
        return rt_semset_manual(SEMSET_SIGNAL, semid, index, n);
    return rt_controlled_by_manual() ? operation(SEMAPHORE_SIGNAL, semid, index, n) : real_semadd(semid, index, n);
}

RT_API int VS_semsignal_latest(int index)
{
    if (rt_in_group())
        return rt_semset_manual(SEMSET_SIGNAL, LATEST, index, 1);
    return rt_controlled_by_manual() ? operation(SEMAPHORE_SIGNAL, LATEST, index, 1) : real_semadd(LATEST, index, 1);
}

RT_INLINE int remove_array(int semid)
{
    int count = request(EVENT_SIZE, semid, -1, 0);
    for (int i = 0; i < count; i++)
        if (operation(SEMAPHORE_REMOVE, semid, i, 0) < 0)
            return -1;
    return 0;
}

/* Of several semaphores one after the other. */
RT_INLINE int all_values(int semid, int command, unsigned short *values)
{
    const struct rt_id *id = rt_semaphores(semid);
    int count = id ? (int)id->count : 0;
    for (int i = 0; i < count; i++) {
        int value = rt_semset_one(command == GETALL ? SEMSET_GET : SEMSET_SET, semid, i, command == GETALL ? 0 : values[i]);
        if (value < 0)
            return -1;
        if (command == GETALL)
            values[i] = (unsigned short)value;
    }
    return id ? 0 : (int)rt_answer(-EINVAL);
}

static int describe(int semid, struct semid_ds *data)
{
    const struct rt_id *id = rt_semaphores(semid);
    if (!id)
        return (int)rt_answer(-EINVAL);
    memset(data, 0, sizeof *data);
    data->sem_perm.__key = id->key;
    data->sem_perm.mode = 0600;
    data->sem_nsems = id->count;
    return 0;
}

RT_INLINE int group_semctl(int semid, int index, int command, long argument)
{
    switch (command) {
    case SETVAL:   return rt_semset_one(SEMSET_SET, semid, index, (int)argument);
    case GETVAL:   return rt_semset_one(SEMSET_GET, semid, index, 0);
    case GETALL:
    case SETALL:   return all_values(semid, command, (unsigned short *)argument);
    case IPC_RMID: return rt_semset_remove(semid);
    case IPC_STAT: return describe(semid, (struct semid_ds *)argument);
    case IPC_SET:  return 0;
    }
    RT_REFUSE("semctl (with this command)");
    return (int)rt_answer(-EINVAL);
}

RT_API int semctl(int semid, int index, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    long argument = va_arg(rest, long);
    va_end(rest);
    if (!rt_controlled())
        return real_semctl(semid, index, command, argument);
    if (rt_in_group())
        return group_semctl(semid, index, command, argument);
    if (command == GETVAL || command == GETALL || command == SETALL || command == IPC_STAT)
        RT_NEED_GROUP(semctl);
    if (command == SETVAL)
        return request(EVENT_SET, semid, index, (int)argument);
    if (command == IPC_RMID)
        return remove_array(semid);
    struct rt_call call = {.event = EVENT_REFUSE, .text = "semctl"};
    return (int)RT_ENTER(&call);
}
