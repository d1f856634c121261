/* SPDX-License-Identifier: MIT */
#include "count.h"
#include <pthread.h>
static void *thread(void *f)
{
    void (*does)(void) = (void (*)(void))f;
    does();
    return NULL;
}

void twice(void (*f)(void))
{
    pthread_t one, two;
    pthread_create(&one, NULL, thread, (void *)f);
    pthread_create(&two, NULL, thread, (void *)f);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
