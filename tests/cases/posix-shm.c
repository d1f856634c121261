/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * A System V shared memory segment, locked by a System V semaphore. WRONG: the lock is let go between reading and writing.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

static int set;

static void move(short by)
{
    struct sembuf op = { 0, by, 0 };
    assert(semop(set, &op, 1) == 0);
}

static void add(int segment)
{
    int *counter = shmat(segment, NULL, 0);
    assert(counter != (void *)-1);
    move(-1);
    int value = *counter;
#ifdef WRONG
    move(1);
    move(-1);
#endif
    *counter = value + 1;
    move(1);
    assert(shmdt(counter) == 0);
}

int main(void)
{
    int status, segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    set = semget(IPC_PRIVATE, 1, 0600);
    semctl(set, 0, SETVAL, 1);
    pid_t child = fork();
    if (child == 0) {
        add(segment);
        _exit(0);
    }
    add(segment);
    assert(waitpid(child, &status, 0) == child && status == 0);
    const int *counter = shmat(segment, NULL, SHM_RDONLY);
    assert(*counter == 2);                                       /* ERROR */
    shmdt(counter);
    assert(shmctl(segment, IPC_RMID, NULL) == 0);
    semctl(set, 0, IPC_RMID);
    return 0;
}
