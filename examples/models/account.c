/* Money is moved between two accounts, by two threads in opposite directions; each account has a lock of its own. A model of it:
 *     verisoft verify account.c
 * The deadlock is found in the model, and confirmed on the program.                           SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account { pthread_mutex_t lock; int balance; };

static struct account alice = { PTHREAD_MUTEX_INITIALIZER, 100 }, bob = { PTHREAD_MUTEX_INITIALIZER, 50 };

static int move(struct account *from, struct account *to, int amount)
{
    int enough;
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    enough = from->balance >= amount;
    if (enough) {
        from->balance -= amount;
        to->balance += amount;
    }
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
    return enough;
}

static void *rent(void *arg)
{
    (void)arg;
    assert(move(&alice, &bob, 70));
    return NULL;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, rent, NULL))
        abort();
    assert(move(&bob, &alice, 20));
    pthread_join(thread, NULL);
    assert(alice.balance == 50 && bob.balance == 100);
    return 0;
}
