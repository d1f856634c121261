/* expect -DLOCK: crash in process 1.  message: "in main()".
 * expect -DINIT: crash in process 1.  message: "in main()".
 * expect -DCREATE: crash in process 1.  message: "in main()".
 *
 * A pointer that leads nowhere, given to a function that is controlled: the program dies where it calls it.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

static void *nothing(void *argument) { return argument; }

int main(void)
{
    pthread_t thread;
    void *nowhere = (void *)(uintptr_t)16;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
#if defined LOCK
    return pthread_mutex_lock(nowhere);                          /* ERROR */
#elif defined INIT
    return sem_init(nowhere, 0, 1);                              /* ERROR */
#else
    return pthread_create(nowhere, NULL, nothing, NULL);         /* ERROR */
#endif
}
