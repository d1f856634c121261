/* expect: complete.  optimal: 2 executions.
 *
 * Process-shared semaphores in memory that was mapped before a fork: ping and pong; then who of two takes the last token.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct table { sem_t ping, pong, token; int ball; };

int main(void)
{
    struct table *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(&t->ping, 1, 0);
    sem_init(&t->pong, 1, 0);
    sem_init(&t->token, 1, 1);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 2; i++) {
            sem_wait(&t->ping);
            t->ball++;
            sem_post(&t->pong);
        }
        _exit(sem_trywait(&t->token) == 0);
    }
    for (int i = 0; i < 2; i++) {
        assert(t->ball == i);
        sem_post(&t->ping);
        sem_wait(&t->pong);
    }
    int mine = sem_trywait(&t->token) == 0, status;
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    assert(t->ball == 2 && mine + WEXITSTATUS(status) == 1);
    return 0;
}
