/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * WNOHANG: 0 while no child has ended. wait() gives whoever ended, in any order. WRONG: the first to be started is the first
 * to end.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int status;
    pid_t children[2], ended[2];
    sem_t *go = mmap(NULL, sizeof *go, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(go, 1, 0);
    for (int i = 0; i < 2; i++)
        if ((children[i] = fork()) == 0) {
            sem_wait(go);
            _exit(i);
        }
    assert(waitpid(-1, &status, WNOHANG) == 0);
    sem_post(go);
    sem_post(go);
    for (int i = 0; i < 2; i++) {
        ended[i] = wait(&status);
        assert(ended[i] == children[0] || ended[i] == children[1]);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == (ended[i] == children[1]));
    }
#ifdef WRONG
    assert(ended[0] == children[0]);                             /* ERROR */
#endif
    assert(ended[0] != ended[1]);
    assert(waitpid(children[0], &status, WNOHANG) == -1 && errno == ECHILD);
    return 0;
}
