/* expect: complete.  searches: optimal.
 *
 * Forty undos of two processes at a time, twice as many as there are semaphores. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SEMAPHORES = 20, CHILDREN = 2 };

static void add(int set, unsigned short semaphore, short value, short flags)
{
    struct sembuf operation = { semaphore, value, flags };
    assert(semop(set, &operation, 1) == 0);
}

static void child(int set, int gate)
{
    for (unsigned short i = 0; i < SEMAPHORES; i++)
        add(set, i, 1, SEM_UNDO);
    add(gate, 0, 1, 0);
    add(gate, 1, -1, 0);                                         /* both are alive until the parent has seen both */
    exit(0);
}

int main(void)
{
    int set = semget(IPC_PRIVATE, SEMAPHORES, 0600), gate = semget(IPC_PRIVATE, 2, 0600);
    for (int i = 0; i < CHILDREN; i++)
        if (!fork())
            child(set, gate);
    add(gate, 0, -CHILDREN, 0);
    for (int i = 0; i < SEMAPHORES; i++)
        assert(semctl(set, i, GETVAL) == CHILDREN);
    add(gate, 1, CHILDREN, 0);
    for (int i = 0; i < CHILDREN; i++)
        wait(NULL);
    for (int i = 0; i < SEMAPHORES; i++)
        assert(semctl(set, i, GETVAL) == 0);
    semctl(set, 0, IPC_RMID);
    semctl(gate, 0, IPC_RMID);
    return 0;
}
