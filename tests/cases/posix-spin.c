/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * Spin locks. A thread that spins does not run for ever: it waits. WRONG: a path through the critical section takes the lock
 * again.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void add(int n)
{
    pthread_spin_lock(&lock);                                    /* ERROR */
    counter += n;
#ifdef WRONG
    if (counter == 3)
        add(1);
#endif
    pthread_spin_unlock(&lock);
}

static void *thread(void *argument)
{
    add(2);
    return argument;
}

int main(void)
{
    pthread_t other;
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    pthread_create(&other, NULL, thread, NULL);
    int result = pthread_spin_trylock(&lock);
    assert(result == 0 || result == EBUSY);
    if (result == 0)
        pthread_spin_unlock(&lock);
    add(1);                                                      /* ERROR */
    pthread_join(other, NULL);                                   /* ERROR */
    assert(counter == 3);
    assert(pthread_spin_destroy(&lock) == 0);
    return 0;
}
