/* A loop that looks and counts, and ends by its count after more rounds than are taken for waiting, when nobody else is left. SETS: while another one could
 * still end it, what it does after its count is not searched.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *other(void *unused)
{
#ifdef SETS
    flag = 1;
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (long n = 0; !flag && n < 5000000; n++)
        ;
    pthread_join(thread, NULL);
    return 0;
}
