/* Semaphores: semget and its like, and the operations of the manual on them. In a sharing group they are those of semset.c.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "real.h"
#include "accesses.h"
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

RT_INLINE int get_alone(key_t key, int count, int flags)
{
    struct rt_call call = {.event = EVENT_CREATE, .type = TYPE_SEMAPHORE, .number = key, .index = -1, .arg = {count, flags}};
    return (int)rt_answer((int)RT_ENTER(&call));
}

RT_FUNCTION(int, semget, (key_t key, int count, int flags), (),
    DO(real_semget(key, count, flags)), DO(get_alone(key, count, flags)), DO(rt_semget(key, count, flags)))

#define SET(semid, index, value) \
    DO(real_semsetval(semid, index, value)), DO(request(EVENT_SET, semid, index, value)), \
    DO(rt_semset_manual(SEMSET_SET, semid, index, value))
#define WAIT(semid, index, n) \
    DO(real_semadd(semid, index, -(n))), DO(operation(SEMAPHORE_WAIT, semid, index, n)), \
    DO(rt_semset_manual(SEMSET_WAIT, semid, index, n))
#define SIGNAL(semid, index, n) \
    DO(real_semadd(semid, index, n)), DO(operation(SEMAPHORE_SIGNAL, semid, index, n)), \
    DO(rt_semset_manual(SEMSET_SIGNAL, semid, index, n))
#define SEMAPHORE(name, parameters, columns) SEMAPHORE_COLUMNS(name, parameters, columns)
#define SEMAPHORE_COLUMNS(name, parameters, ...) RT_MANUAL_BY_MODE(int, name, parameters, __VA_ARGS__)

SEMAPHORE(semsetval, (int semid, int index, int value), SET(semid, index, value))
SEMAPHORE(VS_semsetval_latest, (int index, int value), SET(LATEST, index, value))
SEMAPHORE(semwait, (int semid, int index, int n), WAIT(semid, index, n))
SEMAPHORE(VS_semwait_latest, (int index), WAIT(LATEST, index, 1))
SEMAPHORE(semsignal, (int semid, int index, int n), SIGNAL(semid, index, n))
SEMAPHORE(VS_semsignal_latest, (int index), SIGNAL(LATEST, index, 1))

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
    rt_touches(values, count * (int64_t)sizeof *values, command == GETALL);
    return id ? 0 : (int)rt_answer(-EINVAL);
}

RT_INLINE int describe(int semid, struct semid_ds *data)
{
    const struct rt_id *id = rt_semaphores(semid);
    if (!id)
        return (int)rt_answer(-EINVAL);
    rt_touches(data, sizeof *data, true);
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

RT_INLINE int control_alone(int semid, int index, int command, long argument)
{
    if (command == GETVAL || command == GETALL || command == SETALL || command == IPC_STAT)
        RT_NEED_GROUP(semctl);
    if (command == SETVAL)
        return request(EVENT_SET, semid, index, (int)argument);
    if (command == IPC_RMID)
        return remove_array(semid);
    RT_REFUSE("semctl");
    return 0;
}

RT_API int semctl(int semid, int index, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    long argument = va_arg(rest, long);
    va_end(rest);
    RT_BY_MODE(int, semctl, (), DO(real_semctl(semid, index, command, argument)),
               DO(control_alone(semid, index, command, argument)), DO(group_semctl(semid, index, command, argument)))
}
