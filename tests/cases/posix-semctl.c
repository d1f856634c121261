/* expect: complete.
 *
 * semctl and the finer points of semop: SETALL, GETALL, IPC_NOWAIT, waiting for zero, a set found by its key, and EIDRM for
 * who waits when the set is removed.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY = 0x5653cafe };
union semun { int val; struct semid_ds *buf; unsigned short *array; };

static void waits(int set)
{
    struct sembuf zero = { 0, 0, 0 }, take = { 1, -1, 0 };
    int first = semop(set, &zero, 1);
    if (first < 0)
        _exit(errno == EIDRM || errno == EINVAL ? 2 : 1);
    if (semop(set, &take, 1) == 0)
        _exit(1);
    _exit(errno == EIDRM || errno == EINVAL ? 0 : 1);
}

int main(void)
{
    unsigned short values[2] = { 2, 0 }, seen[2];
    struct sembuf both[2] = { { 0, -1, IPC_NOWAIT }, { 1, -1, IPC_NOWAIT } }, down = { 0, -2, 0 };
    int status, set = semget(KEY, 2, IPC_CREAT | 0600);
    assert(set >= 0 && semget(KEY, 2, 0600) == set);
    assert(semget(KEY, 2, IPC_CREAT | IPC_EXCL | 0600) == -1 && errno == EEXIST);
    assert(semctl(set, 0, SETALL, (union semun){ .array = values }) == 0);
    assert(semop(set, both, 2) == -1 && errno == EAGAIN);        /* and the first was not taken */
    assert(semctl(set, 0, GETALL, (union semun){ .array = seen }) == 0 && seen[0] == 2 && seen[1] == 0);
    assert(semctl(set, 0, GETVAL) == 2);
    pid_t child = fork();
    if (child == 0)
        waits(set);
    assert(semop(set, &down, 1) == 0);
    assert(semctl(set, 0, IPC_RMID) == 0);
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) != 1);
    assert(semop(set, &down, 1) == -1 && errno == EINVAL);
    return 0;
}
