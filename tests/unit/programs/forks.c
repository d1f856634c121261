/* UNIX processes with memory of their own and memory that they share.        SPDX-License-Identifier: MIT */
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared { sem_t ready; int value; };

static struct shared *shared;
static int level = 7;

static void child(int number)
{
    int mine = number * 10;
    level = mine;
    sem_wait(&shared->ready);
    shared->value += mine;
    mine++;
    sem_post(&shared->ready);
    _exit(number);
}

int main(void)
{
    int status, sum = 0;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(&shared->ready, 1, 1);
    for (int i = 1; i <= 2; i++)
        if (fork() == 0)
            child(i);
    for (int i = 0; i < 2; i++) {
        wait(&status);
        sum += WEXITSTATUS(status);
    }
    return sum != 3;
}
