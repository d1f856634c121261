/* Writes random bytes into the memory by which VeriSoft talks to it, at random moments: the argument is the seed, and a second one makes
 * its processes threads. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdint.h>
#include <verisoft.h>

enum { BYTES = 4 << 20, SLOT = 16576 };
static volatile unsigned char *const region = (volatile unsigned char *)0x200000000000;      /* runtime/start.c */
static uint64_t seed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t draw(uint64_t below)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed % below;
}

/* The header, the first slots, the batch behind the last, or anywhere. */
static uint64_t somewhere(void)
{
    switch (draw(4)) {
    case 0:  return draw(64);
    case 1:  return 64 + draw(4) * SLOT + draw(400);
    case 2:  return 64 + 194 * SLOT + draw(1000);
    default: return draw(BYTES - 8);
    }
}

static void scribble(void)
{
    for (uint64_t i = draw(3) ? 0 : 1 + draw(8); i > 0; i--) {
        uint64_t at = somewhere(), kind = draw(3), value = draw(3) ? draw(256) : draw(UINT64_MAX);
        if (kind == 0)
            region[at] = (unsigned char)value;
        else if (kind == 1)
            *(volatile uint32_t *)(region + at / 4 * 4) = (uint32_t)value;
        else
            *(volatile uint64_t *)(region + at / 8 * 8) = value;
    }
}

static void *work(void *argument)
{
    for (int i = 0; i < 3; i++) {
        scribble();
        pthread_mutex_lock(&lock);
        scribble();
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void threads(void)
{
    pthread_t other[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&other[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(other[i], NULL);
}

static void processes(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    semsetval(semaphore, 0, 1);
    fork();
    for (int i = 0; i < 3; i++) {
        scribble();
        semwait(semaphore, 0, 1);
        VS_toss((int)draw(2));
        scribble();
        semsignal(semaphore, 0, 1);
    }
}

int main(int argc, char **argv)
{
    seed = 0x9e3779b97f4a7c15u * (uint64_t)(1 + atoi(argv[1]));
    if (argc > 2)
        threads();
    else
        processes();
    return 0;
}
