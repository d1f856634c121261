/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A named semaphore: the child opens it by its name, and it lives on after sem_unlink. WRONG: the child takes another name.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME  "/verisoft-case-named"
#ifdef WRONG
#define OTHER "/verisoft-case-other"
#else
#define OTHER NAME
#endif

int main(void)
{
    sem_unlink(NAME);
    sem_t *done = sem_open(NAME, O_CREAT | O_EXCL, 0600, 0);
    assert(done != SEM_FAILED);
    assert(sem_open(NAME, O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
    pid_t child = fork();
    if (child == 0) {
        sem_t *mine = sem_open(OTHER, O_CREAT, 0600, 0);
        if (mine == SEM_FAILED || sem_post(mine) != 0 || sem_close(mine) != 0)
            _exit(1);
        _exit(0);
    }
    assert(sem_wait(done) == 0);                                 /* ERROR */
    int status;
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(sem_unlink(NAME) == 0);
    assert(sem_open(NAME, 0) == SEM_FAILED && errno == ENOENT);
    assert(sem_post(done) == 0 && sem_trywait(done) == 0);
    assert(sem_close(done) == 0);
    return 0;
}
