/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "semset.h"
#include "sys.h"
#include "waits.h"

#include <string.h>
#pragma GCC poison malloc calloc free printf

int rt_latest_semaphores = -1;

/* ---- undoing ---- */

enum { UNDONE = RT_IDS };            /* one for each array that there can be */
static struct { int host, semid; uint32_t semaphores; } undone[UNDONE];  /* a copy of its parent's in a new process: not its own */

static bool is_mine(int i) { return undone[i].semaphores && undone[i].host == rt_host(); }

void rt_remember_undo(int semid, int semaphore)
{
    int place = -1;
    for (int i = UNDONE; i-- > 0;)
        if (!is_mine(i))
            place = i;
    for (int i = 0; i < UNDONE; i++)
        if (is_mine(i) && undone[i].semid == semid)
            place = i;
    if (place < 0)
        rt_fail(RT_DISAGREE);
    if (!is_mine(place))
        undone[place].semaphores = 0;
    undone[place].host = rt_host();
    undone[place].semid = semid;
    undone[place].semaphores |= 1u << semaphore;
}

void rt_leave_semaphores(uint64_t place)
{
    for (int i = 0; i < UNDONE; i++)
        for (int n = 0; n < SEMSET_MOST && is_mine(i); n++) {
            struct rt_id *id = rt_id_of(RT_SEMAPHORES, undone[i].semid);
            if (!id || !(undone[i].semaphores >> n & 1))
                continue;
            struct rt_call call = rt_semset_call(SEMSET_UNDO, id, n, 0);
            call.place = place;
            RT_ENTER(&call);
        }
}

/* ---- describing ---- */

static char *put_number(char *at, int n)
{
    char digits[12];
    int count = 0;
    unsigned rest = n < 0 ? -(unsigned)n : (unsigned)n;
    if (n < 0)
        *at++ = '-';
    do
        digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (count)
        *at++ = digits[--count];
    return at;
}

static char *put_op(char *at, const struct sembuf *op)
{
    memcpy(at, ", {", 3);
    at = put_number(at + 3, op->sem_num);
    memcpy(at, ", ", 2);
    at = put_number(at + 2, op->sem_op);
    *at++ = '}';
    return at;
}

static bool is_small(const struct sembuf *ops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ops[i].sem_op < -256 || ops[i].sem_op > 255)
            return false;
    return count <= SEMSET_OPERATIONS;
}

static uint32_t pack(const struct sembuf *op)
{
    return SEMSET_OP(op->sem_num, (int)op->sem_op, op->sem_flg & IPC_NOWAIT ? 1 : 0, op->sem_flg & SEM_UNDO ? 1 : 0);
}

bool rt_pack_semop(struct rt_semop *out, const struct sembuf *ops, size_t count, bool timed)
{
    bool small = is_small(ops, count);
    if (!small && count > SEMSET_OPERATIONS_WIDE)
        return false;
    memset(out, 0, sizeof *out);
    uint32_t arg[3] = {0, 0, (uint32_t)count << 3 | (timed ? ARG_TIMED : 0) | (small ? 0 : SEMSET_WIDE)};
    char *at = out->text;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = pack(&ops[i]);
        if (!small)
            arg[i] = bits;
        else if (i == SEMSET_OPERATIONS - 1)
            arg[2] |= bits << SEMSET_FIFTH;
        else
            arg[i / 2] |= (bits & 0xffff) << i % 2 * 16;
        at = put_op(at, &ops[i]);
    }
    memcpy(out->arg, arg, sizeof arg);
    return true;
}

/* ---- calls ---- */

RT_FUNCTION(int, semop, (int semid, struct sembuf *ops, size_t count), (semid, ops, count),
    KERNEL(SYS_semop, semid, ops, count), NEED_GROUP, DO(rt_semset_do(semid, ops, count, false)))

RT_INLINE int group_semtimedop(int semid, struct sembuf *ops, size_t count, const struct timespec *time)
{
    rt_wait_begins("semtimedop", time, false);
    int result = rt_semset_do(semid, ops, count, time != NULL);
    if (result < 0 && errno == EAGAIN && time)
        rt_pass_time(time, false);
    return result;
}

RT_FUNCTION(int, semtimedop, (int semid, struct sembuf *ops, size_t count, const struct timespec *time),
    (semid, ops, count, time),
    KERNEL(SYS_semtimedop, semid, ops, count, time), NEED_GROUP, DO(group_semtimedop(semid, ops, count, time)))
