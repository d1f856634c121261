/* A loop that waits for what nobody does, and changes something in each round: it has no end, and does not spin. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, rounds;

static void *work(void *unused)
{
    while (!atomic_load(&flag))
        atomic_fetch_xor(&rounds, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_load(&rounds);
    pthread_join(t, NULL);
    return 0;
}
