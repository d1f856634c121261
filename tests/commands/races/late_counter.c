/* Who waits counts in a variable that is not on its stack, and nobody else has touched yet what it waits for. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, n;
static int tries;

static void add(void)
{
    int x = n;
    n = x + 1;
}

static void *other(void *arg)
{
    add();
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    add();
    while (!flag)
        tries++;
    pthread_join(t, NULL);
    assert(n == 2);
    return 0;
}
