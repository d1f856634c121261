/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * SEM_UNDO: what a process took is given back when it ends. WRONG: without it the token is gone.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef WRONG
#define UNDO 0
#else
#define UNDO SEM_UNDO
#endif

int main(void)
{
    int set = semget(IPC_PRIVATE, 1, 0600), status;
    struct sembuf take = { 0, -1, UNDO }, give = { 0, 1, UNDO };
    semctl(set, 0, SETVAL, 1);
    pid_t child = fork();
    if (child == 0) {
        semop(set, &take, 1);                                    /* ERROR */
        _exit(3);                                                /* forgets to give it back */
    }
    assert(semop(set, &take, 1) == 0);                           /* ERROR */
    assert(semop(set, &give, 1) == 0);
    assert(waitpid(child, &status, 0) == child);                 /* ERROR */
    assert(WEXITSTATUS(status) == 3);
    assert(semop(set, &take, 1) == 0);                           /* ERROR */
    semctl(set, 0, IPC_RMID);
    return 0;
}
