/* A parent and its child count in memory that they share: plainly, under a semaphore (-DLOCK), atomically (-DATOMIC); the parent may spin until both
 * have (-DSPIN). SPDX-License-Identifier: MIT */
#include <assert.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared { sem_t lock; int count; };

static void count(struct shared *s)
{
#ifdef LOCK
    sem_wait(&s->lock);
#endif
#ifdef ATOMIC
    __atomic_fetch_add(&s->count, 1, __ATOMIC_SEQ_CST);
#else
    s->count++;
#endif
#ifdef LOCK
    sem_post(&s->lock);
#endif
}

int main(void)
{
    struct shared *s = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(&s->lock, 1, 1);
    pid_t child = fork();
    count(s);
    if (child == 0)
        _exit(0);
#ifdef SPIN
    while (__atomic_load_n(&s->count, __ATOMIC_SEQ_CST) != 2)
        ;
#endif
    waitpid(child, NULL, 0);
    assert(s->count == 2);
    return 0;
}
