/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * A cancellation that comes while it is disabled waits until it is enabled and the thread comes to a cancellation point;
 * clean-up handlers run last in, first out, before the destructors of keys. WRONG: the thread counts on being asked first.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static pthread_key_t key;
static sem_t go;
static char order[8];

static void note(void *letter) { strcat(order, letter); }

static void *thread(void *argument)
{
    int old;
#ifndef WRONG
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
#endif
    pthread_setspecific(key, "k");
    pthread_cleanup_push(note, "a");
    pthread_cleanup_push(note, "b");
    sem_wait(&go);
    note("w");
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    pthread_testcancel();
    note("!");
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return argument;
}

int main(void)
{
    pthread_t other;
    void *value;
    sem_init(&go, 0, 0);
    pthread_key_create(&key, note);
    pthread_create(&other, NULL, thread, NULL);
    pthread_cancel(other);
    sem_post(&go);
    pthread_join(other, &value);
    assert(value == PTHREAD_CANCELED);
    assert(strcmp(order, "wbak") == 0);                          /* ERROR */
    return 0;
}
