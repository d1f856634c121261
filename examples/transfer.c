/* expect: deadlock.
 *     verisoft transfer.c -pthread
 *
 * Plain POSIX threads: a transfer locks the account that pays, then the one that is paid. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>

struct account { pthread_mutex_t lock; int balance; };

static struct account alice = { PTHREAD_MUTEX_INITIALIZER, 100 }, bob = { PTHREAD_MUTEX_INITIALIZER, 100 };

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *rent(void *unused)
{
    transfer(&alice, &bob, 70);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, rent, NULL);
    transfer(&bob, &alice, 20);
    pthread_join(other, NULL);
    assert(alice.balance + bob.balance == 200);
    return 0;
}
