/* expect: complete.  optimal: 2 executions.
 *     verisoft logger.c -pthread --outside logger --outside log_line --outside log_close
 * expect -DWRONG: deadlock.
 *     verisoft logger.c -pthread -DWRONG --outside logger --outside log_line --outside log_close
 * expect -DSTUCK: divergence.
 *     verisoft logger.c -pthread -DSTUCK --outside logger --outside log_line --outside log_close
 *
 * Two threads move money between two accounts, and each says so in a log, which a third thread writes. How the lines of the log come is of no interest,
 * but multiplies the executions: there are 2 when the logger is left outside. WRONG: the accounts are locked in different
 * order. STUCK: the log has room for one line, and its thread is gone after the first: a line waits for ever.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

/* ---- the log ---- */

enum { ROOM = 2 };
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t log_changed = PTHREAD_COND_INITIALIZER;
static int lines, written;
static bool closed;

static void log_line(void)
{
    pthread_mutex_lock(&log_lock);
    while (lines == ROOM)
        pthread_cond_wait(&log_changed, &log_lock);
    lines++;
    pthread_cond_broadcast(&log_changed);
    pthread_mutex_unlock(&log_lock);
}

static void *logger(void *unused)
{
    pthread_mutex_lock(&log_lock);
    for (;;) {
        while (lines == 0 && !closed)
            pthread_cond_wait(&log_changed, &log_lock);
#ifdef STUCK
        break;
#endif
        if (lines == 0)
            break;
        written += lines;
        lines = 0;
        pthread_cond_broadcast(&log_changed);
    }
    pthread_mutex_unlock(&log_lock);
    return unused;
}

static void log_close(void)
{
    pthread_mutex_lock(&log_lock);
    closed = true;
    pthread_cond_broadcast(&log_changed);
    pthread_mutex_unlock(&log_lock);
}

/* ---- the accounts ---- */

struct account { pthread_mutex_t lock; int balance; };

static struct account alice = { PTHREAD_MUTEX_INITIALIZER, 100 }, bob = { PTHREAD_MUTEX_INITIALIZER, 100 };

static void transfer(struct account *first, struct account *second, int amount)
{
    log_line();
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    alice.balance -= amount;
    bob.balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
    log_line();
}

static void *rent(void *unused)
{
    transfer(&alice, &bob, 70);
    return unused;
}

int main(void)
{
    pthread_t writer, other;
    pthread_create(&writer, NULL, logger, NULL);
    pthread_create(&other, NULL, rent, NULL);
#ifdef WRONG
    transfer(&bob, &alice, -20);
#else
    transfer(&alice, &bob, -20);
#endif
    pthread_join(other, NULL);
    assert(alice.balance + bob.balance == 200);
    log_close();
    pthread_join(writer, NULL);
    assert(written == 4);
    return 0;
}
