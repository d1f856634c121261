/* A loop that comes back to what it was after PERIOD rounds, and leaves in one of them alone: it waits only if it has read the same all the time, and since it last
 * waited has looked at all that it looks at. Nobody waits for ever here. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, other;

static void *sets(void *unused)
{
    flag = 1;
    flag = 0;
    other = 1;
    flag = 2;
    return unused;
}

int main(void)
{
    pthread_t t;
    int phase = 0;
    pthread_create(&t, NULL, sets, NULL);
    for (int v = 0, w = 0; !(phase == 1 && v == 2 && w); phase = (phase + 1) % PERIOD) {
        v = flag;
        w = other;
    }
    pthread_join(t, NULL);
}
