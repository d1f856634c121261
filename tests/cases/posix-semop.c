/* expect: complete.  optimal: 2 executions.
 * expect -DWRONG: deadlock in process 0.  errors: deadlock 1.  optimal: 3 executions.
 *
 * semop does several operations at once or none of them: both forks, or no fork. WRONG: one after the other.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

static int set;

static void eat(unsigned short left, unsigned short right)
{
    struct sembuf take[2] = { { left, -1, 0 }, { right, -1, 0 } };
    struct sembuf give[2] = { { left, 1, 0 }, { right, 1, 0 } };
#ifdef WRONG
    semop(set, &take[0], 1);
    semop(set, &take[1], 1);                                     /* ERROR */
#else
    semop(set, take, 2);
#endif
    semop(set, give, 2);
}

int main(void)
{
    int status;
    set = semget(IPC_PRIVATE, 2, 0600);
    assert(set >= 0);
    assert(semctl(set, 0, SETVAL, 1) == 0 && semctl(set, 1, SETVAL, 1) == 0);
    pid_t child = fork();
    if (child == 0) {
        eat(1, 0);
        _exit(0);
    }
    eat(0, 1);
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(semctl(set, 0, IPC_RMID) == 0);
    return 0;
}
