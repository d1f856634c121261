/* Who waits until one of five flags is set looks at each in turn: the fourth and the fifth, too, may be set right after it has looked there. Nobody waits for ever.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[5];

static void *sets(void *unused)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += flags[i];
    flags[WHICH] = 1 + sum;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    while (!flags[0] && !flags[1] && !flags[2] && !flags[3] && !flags[4])
        ;
    pthread_join(t, NULL);
}
