/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A child that ends with a failure, while its parent waits for the semaphore that it was to post. Right: the pipe ends with
 * the child.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int prepare(void)
{
    return -1;                                                   /* say, a file is missing */
}

int main(void)
{
    int ends[2], status;
    char c;
    sem_t *ready = mmap(NULL, sizeof *ready, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(ready, 1, 0);
    assert(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (prepare() < 0)
            _exit(1);
        sem_post(ready);
        _exit(write(ends[1], "r", 1) != 1);
    }
    close(ends[1]);
#ifdef WRONG
    sem_wait(ready);                                             /* ERROR */
    (void)c;
#else
    assert(read(ends[0], &c, 1) == 0);
#endif
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1);
    return 0;
}
