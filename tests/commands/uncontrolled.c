/* Two calls that nobody controls, and an error that comes about beside them. SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *change(void *unused)
{
    pthread_mutex_lock(&lock);
    value++;
    pthread_mutex_unlock(&lock);
    sigset_t none;
    sigemptyset(&none);
    signalfd(-1, &none, 0);
    return unused;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&lock);
    int before = value;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#ifdef WRONG
    assert(value == before);
#endif
    pthread_mutex_unlock(&lock);
    if (before)
        inotify_init1(0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, change, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
