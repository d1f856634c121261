/* Arrays of SysV semaphores in a sharing group: for semget and its like, and for the operations of the manual on them.
 * SPDX-License-Identifier: MIT */
#ifndef RT_SEMSET_H
#define RT_SEMSET_H

#include "descriptors.h"

#include <sys/ipc.h>
#include <sys/sem.h>

extern int rt_latest_semaphores;     /* the array that this process made last, -1: none */

void rt_remember_undo(int semid, int semaphore);         /* to be undone when this UNIX process ends */
struct rt_semop { int32_t arg[3]; char text[120]; };     /* as the controller has it, and as people read it */
bool rt_pack_semop(struct rt_semop *, const struct sembuf *, size_t count, bool timed);      /* false: it does not fit */

RT_INLINE struct rt_id *rt_semaphores(int semid)
{
    return rt_id_of(RT_SEMAPHORES, semid == LATEST ? rt_latest_semaphores : semid);
}

RT_INLINE struct rt_call rt_semset_call(uint8_t code, const struct rt_id *id, int32_t first, int32_t second)
{
    return (struct rt_call){.event = EVENT_OPERATION, .type = TYPE_SEMSET, .code = code, .index = -1,
                            .object = rt_object_of(RT_SEMAPHORES, id), .arg = {first, second, rt_host() << 8}};
}

/* A result of the controller as the caller of the C library sees it. `gone`: the array was there no more when it was called. */
RT_INLINE int rt_semset_answer(uint32_t result, bool gone)
{
    return (int)rt_answer(result != RESULT_REMOVED ? (int32_t)result : gone ? -EINVAL : -EIDRM);
}

RT_INLINE int rt_semget(key_t key, int count, int flags)
{
    bool made;
    if (count < 0 || count > SEMSET_MOST) {
        RT_REFUSE("semget (of more than 32 semaphores)");
        return (int)rt_answer(-EINVAL);
    }
    struct rt_id *id = rt_get_id(RT_SEMAPHORES, key, flags, &made, "semget (of more arrays than VeriSoft can control)");
    if (!id)
        return -1;
    if ((made && count == 0) || (!made && count > (int)id->count)) {
        id->used &= !made;
        return (int)rt_answer(-EINVAL);
    }
    if (made) {
        id->count = (uint32_t)count;
        struct rt_call call = rt_semset_call(SEMSET_INIT, id, count, 0);
        call.fresh = true;
        RT_ENTER(&call);
    }
    return rt_latest_semaphores = rt_number_of(RT_SEMAPHORES, id);
}

RT_INLINE int rt_semset_one(uint8_t code, int semid, int index, int value)       /* SET, GET */
{
    struct rt_id *id = rt_semaphores(semid);
    if (!id || index < 0 || index >= (int)id->count)
        return (int)rt_answer(-EINVAL);
    if (code == SEMSET_SET && (value < 0 || value > 32767))
        return (int)rt_answer(-ERANGE);
    struct rt_call call = rt_semset_call(code, id, index, value);
    bool gone = id->gone;
    return rt_semset_answer((uint32_t)RT_ENTER(&call), gone);
}

RT_INLINE int rt_semset_remove(int semid)
{
    struct rt_id *id = rt_semaphores(semid);
    if (!id)
        return (int)rt_answer(-EINVAL);
    struct rt_call names = rt_access_call(true, rt_bucket(RT_SEMAPHORES, id->key, NULL), "semctl(IPC_RMID)");
    if (id->key != IPC_PRIVATE)
        RT_ENTER(&names);
    id->removed = true;
    struct rt_call call = rt_semset_call(SEMSET_REMOVE, id, 0, 0);
    uint32_t result = (uint32_t)RT_ENTER(&call);
    id->gone = true;
    return rt_semset_answer(result, true);
}

RT_INLINE int rt_semset_do(int semid, const struct sembuf *ops, size_t count, bool timed)
{
    struct rt_id *id = rt_semaphores(semid);
    struct rt_semop packed;
    if (!id || count == 0)
        return (int)rt_answer(-EINVAL);
    for (size_t i = 0; i < count; i++)
        if (ops[i].sem_num >= id->count)
            return (int)rt_answer(-EFBIG);
    if (!rt_pack_semop(&packed, ops, count, timed)) {
        RT_REFUSE("semop (of more than 5 operations, or of more than 2 with large values)");
        return (int)rt_answer(-E2BIG);
    }
    struct rt_call call = rt_semset_call(SEMSET_DO, id, packed.arg[0], packed.arg[1]);
    call.arg[2] |= packed.arg[2];
    call.text = packed.text;
    call.interrupted = -EINTR;
    bool gone = id->gone;
    uint32_t result = (uint32_t)RT_ENTER(&call);
    for (size_t i = 0; i < count && result == 0; i++)
        if (ops[i].sem_flg & SEM_UNDO)
            rt_remember_undo(rt_number_of(RT_SEMAPHORES, id), ops[i].sem_num);
    return rt_semset_answer(result, gone);
}

/* The operations of the manual, which are errors of the program where semop would only fail. */
RT_INLINE int rt_semset_manual(uint8_t code, int semid, int index, int n)        /* SET, WAIT, SIGNAL */
{
    struct rt_id *id = rt_semaphores(semid);
    if (!id)
        RT_MISUSE("there is no array of semaphores of this number");
    if (index < 0 || index >= (int)id->count)
        RT_MISUSE("there is no semaphore of this index in the array");
    if (n < 0 || n > 32767)
        RT_MISUSE("the number must be 0 to 32767");
    struct rt_call call = rt_semset_call(code, id, index, n);
    bool gone = id->gone;
    return rt_semset_answer((uint32_t)RT_ENTER(&call), gone);
}

#endif
