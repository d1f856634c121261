/* expect: complete.
 * expect -DOTHER: unsupported in process 1.  message: "a signal mask among its attributes".
 *
 * A thread that begins with other signals blocked than its creator has: not controlled, and not passed over.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

static void *thread(void *unused) { return unused; }

int main(void)
{
    pthread_attr_t attributes;
    pthread_t t;
    sigset_t set;
    sigemptyset(&set);
#ifdef OTHER
    sigaddset(&set, SIGUSR1);
#endif
    pthread_attr_init(&attributes);
    pthread_attr_setsigmask_np(&attributes, &set);
    pthread_create(&t, &attributes, thread, NULL);               /* ERROR */
    pthread_join(t, NULL);
    return 0;
}
