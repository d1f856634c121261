/* expect: structure in process 1.  message: "a mutex is used that was never initialised".
 * expect -DUNLOCK: structure in process 1.  message: "a mutex is used that was never initialised".
 * expect -DCONDITION: structure in process 1.  message: "a condition variable is used that was never initialised".
 * expect -DINITIALISED: complete.
 * expect -DCOPIED: complete.
 *
 * Memory that holds anything is no mutex until it was made one. A structure that was initialised and then copied works everywhere.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <string.h>

struct box { pthread_mutex_t lock; pthread_cond_t changed; };

static struct box make(void)
{
    struct box b;
    memset(&b, 0xff, sizeof b);
#if defined INITIALISED || defined COPIED
    pthread_mutex_init(&b.lock, NULL);
    pthread_cond_init(&b.changed, NULL);
#endif
    return b;
}

static void *nothing(void *arg) { return arg; }

int main(void)
{
    static struct box fixed;
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    struct box copy = make();
#ifdef COPIED
    struct box *b = &copy;
#else
    struct box *b = &fixed;
    memcpy(b, &copy, sizeof copy);
#endif
#ifdef INITIALISED
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
#endif
#ifdef CONDITION
    pthread_cond_signal(&b->changed);                    /* ERROR */
#elif defined UNLOCK
    pthread_mutex_unlock(&b->lock);                      /* ERROR */
#else
    pthread_mutex_lock(&b->lock);                        /* ERROR */
    pthread_mutex_unlock(&b->lock);
    pthread_cond_signal(&b->changed);
#endif
    return 0;
}
