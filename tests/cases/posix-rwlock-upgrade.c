/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * Two readers that both want to become writers wait for each other. Right: they let go first, and look again.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int made;

static void *thread(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    if (!made) {
#ifndef WRONG
        pthread_rwlock_unlock(&lock);
#endif
        pthread_rwlock_wrlock(&lock);                            /* ERROR */
        if (!made)
            made = 1;
    }
    pthread_rwlock_unlock(&lock);
    return argument;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    thread(NULL);
    pthread_join(other, NULL);
    assert(made == 1);
    return 0;
}
