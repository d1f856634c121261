/* A data race, which is seen when VeriSoft compiles it. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
static int counter;

static void *count(void *arg)
{
    counter++;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
