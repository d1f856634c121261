/* What is of one thread alone: its own variable (_Thread_local), its stack, memory that it got. -DLENT: it gives its address away. WHICH of them.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static _Thread_local int mine;
static int *lent;
static sem_t told, done;

static void *owner(void *unused)
{
    int here = 0, *got = malloc(sizeof *got), *p = WHICH == 1 ? &mine : WHICH == 2 ? &here : got;
    *p = 0;
    lent = p;
    sem_post(&told);
    ++*p;
    sem_wait(&done);
    assert(*p >= 1);
    free(got);
    return unused;
}

int main(void)
{
    pthread_t t;
    int other = 0;
    sem_init(&told, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, owner, NULL);
    sem_wait(&told);
#ifdef LENT
    ++*lent;
#else
    ++other, ++mine;
#endif
    sem_post(&done);
    pthread_join(t, NULL);
    return other == 2;
}
