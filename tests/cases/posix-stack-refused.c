/* expect -DLARGE: unsupported.  message: "asks for memory for the stack of a thread".
 * expect -DNOWHERE: crash in process 1.  message: "SIGSEGV".  needs: addresses.
 * expect -DNOWHERE -DHANDLED: complete.
 *
 * A thread whose stack cannot be had is nobody's error but the system's; one whose stack is no memory ends the program where it is made, and
 * not later. The others go on.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void leave(int signal)
{
    (void)signal;
    _exit(0);
}

int main(void)
{
    pthread_t first, second;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
#ifdef LARGE
    pthread_attr_setstacksize(&attributes, (size_t)1 << 46);
#else
    enum { SIZE = 1 << 20 };
    void *nowhere = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_setstack(&attributes, nowhere, SIZE);
#endif
#ifdef HANDLED
    signal(SIGSEGV, leave);
#else
    (void)leave;
#endif
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, &attributes, work, NULL);            /* ERROR */
    pthread_join(first, NULL);
    return 0;
}
