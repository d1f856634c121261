/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "real.h"
#include "sys.h"
#include "wire.h"

#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>

static int latest = -1;

static int answer(long result)
{
    if (result >= 0)
        return (int)result;
    errno = (int)-result;
    return -1;
}

static int id_of(int semid)
{
    return semid == LATEST ? latest : semid;
}

int real_semget(key_t key, int count, int flags)
{
    int id = answer(RT_SYS(SYS_semget, key, count, flags));
    if (id >= 0)
        latest = id;
    return id;
}

int real_semctl(int semid, int index, int command, long argument)
{
    return answer(RT_SYS(SYS_semctl, id_of(semid), index, command, argument));
}

int real_semsetval(int semid, int index, int value)
{
    return real_semctl(semid, index, SETVAL, value);
}

int real_semadd(int semid, int index, int n)
{
    if (n == 0)                      /* to the system a 0 would mean: wait until the semaphore is 0 */
        return 0;
    struct sembuf change = {.sem_num = (unsigned short)index, .sem_op = (short)n};
    long result;
    do
        result = RT_SYS(SYS_semop, id_of(semid), &change, 1);
    while (result == -EINTR);
    return answer(result);
}
