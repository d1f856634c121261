/* Loops that wait for a flag, and count: without end (1), with an end after which there is a semaphore (2), that sleep (3), that wait
 * twice as long each time (4), for a flag that nobody sets (5); one of ROUNDS that adds up what it finds: each sum is possible (6).
 * And such as read by an operation that could write: they add nothing (7), compare with what they put there (8), set a bit that is set (9).
 * Others go first in each round, and nobody but the loop uses the flag (10). One that begins to count again (11). One that looks at many flags (12), and one
 * that finds something new again and again, each by as much more than the last (13).
 * Those that end by a variable of their own: an atomic one (14, 15), one that counts down (16), a plain one (17), a volatile one (18).
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 3
#endif

atomic_int flag;                 /* not static: a compiler that sees all who write could leave out the loop */
static int data;
static atomic_int many[8], own;
static int plain;
static volatile int spun;
static sem_t set;

static void *sets(void *unused)
{
    data = 1;
    for (int i = 1; i < 5 && WHICH == 13; i++)
        flag = 2 * i;
    for (int i = 0; i < 8 && WHICH == 12; i++)
        data |= many[i];
    if (WHICH == 12)
        many[7] = 1;
    if (WHICH >= 14)
        data += flag;
    if (WHICH == 9)
        atomic_fetch_and(&flag, ~2);
    else if (WHICH != 5 && WHICH != 10 && WHICH < 14)
        flag = 1;
    sem_post(&set);
    return unused;
}

static void waits(void)
{
    unsigned tries = 0, pause = 1;
    switch (WHICH) {
    case 1: case 5:
        while (!flag)
            tries++;
        break;
    case 2:
        while (!flag && tries++ < 1000)
            if (tries % 4 == 3)
                sched_yield();
        sem_wait(&set);
        break;
    case 3:
        while (!flag) {
            tries++;
            usleep(10);
        }
        break;
    case 11:
        while (!flag)
            if (++tries > 5) {
                sched_yield();
                tries = 0;
            }
        break;
    case 12:
#define LOOK(i) many[i] || many[i + 1] || many[i + 2]
        while (!(LOOK(0) || LOOK(3) || many[6] || many[7]))
            ;
        break;
    case 13:
        for (int now; !((now = flag) & 1); tries = (unsigned)now)
            ;
        break;
    case 14:
        while (!flag && atomic_fetch_add(&own, 1) < 5)
            ;
        sem_wait(&set);
        break;
    case 15:
        while (!flag && !atomic_exchange(&own, 1))
            ;
        sem_wait(&set);
        break;
    case 16:
        own = 6;
        while (!flag && own)
            own = own - 1;
        sem_wait(&set);
        break;
    case 17:
        while (!flag && ++plain < 5)
            ;
        sem_wait(&set);
        break;
    case 18:
        while (!flag && ++spun < 5)
            ;
        sem_wait(&set);
        break;
    case 10:
        while (!flag) {
            sched_yield();
            usleep(10);
        }
        break;
    case 7:
        while (!atomic_fetch_add(&flag, 0))
            ;
        break;
    case 8:
        while (__sync_val_compare_and_swap((int *)&flag, 0, 0) == 0)
            ;
        break;
    case 9:
        while (atomic_fetch_or(&flag, 2) & 2)
            ;
        break;
    default:
        while (!flag) {
            for (volatile unsigned i = 0; i < pause; i++)
                ;
            pause = pause < 1024 ? 2 * pause : pause;
        }
        break;
    }
}

static void adds(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += flag;
    assert(sum != SUM);
}

int main(void)
{
    pthread_t t;
    sem_init(&set, 0, 0);
    flag = WHICH == 9 ? 2 : 0;
    pthread_create(&t, NULL, sets, NULL);
    if (WHICH == 6)
        adds();
    else {
        waits();
        assert(data == 1);
    }
    pthread_join(t, NULL);
}
