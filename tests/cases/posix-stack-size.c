/* expect: crash.  message: "SIGSEGV".
 * expect -DFITS: complete.
 * expect -DMAIN: complete.
 * expect -DCHILD: complete.
 * expect -DLEAST: crash.  message: "SIGSEGV".
 * expect -DLEAST -DFITS: complete.
 *
 * A thread has the stack that was asked for: what goes far beyond it is a fault, also when a thread of the same number had a larger
 * one before. (CHILD: where a parent looks at how its child ended, that is no error.) What the first thread is told of its own stack is there.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL = 64 << 10, LARGE = 1 << 20, USED = 400 << 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) int use(size_t bytes)                                           /* ERROR */
{                                                                                               /* ERROR */
    volatile char *room = alloca(bytes);                                                        /* ERROR */
    for (size_t i = bytes; i > 0; i -= 64)                                                      /* ERROR */
        room[i - 64] = 1;                                                                       /* ERROR */
    return room[bytes - 64];
}

static void *user(void *bytes)
{
    pthread_mutex_lock(&lock);
    raise(SIGUSR1);
    pthread_mutex_unlock(&lock);
    assert(use((size_t)bytes) == 1);                                                            /* ERROR */
    return NULL;
}

static void run(size_t stack, size_t bytes)
{
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    assert(pthread_attr_setstacksize(&attr, stack) == 0);
    assert(pthread_create(&thread, &attr, user, (void *)bytes) == 0);
    pthread_join(thread, NULL);
}

/* Of the smallest stack that there can be, operations and handlers of signals leave most to the program. */
static void use_least(void)
{
    size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
#ifdef FITS
    run(least, least / 4);
#else
    run(least, least + (8 << 10));
#endif
}

static void handle(int number) { (void)number; }

static void use_main_stack(void)
{
    pthread_attr_t attr;
    void *lowest;
    size_t bytes;
    assert(pthread_getattr_np(pthread_self(), &attr) == 0 && pthread_attr_getstack(&attr, &lowest, &bytes) == 0);
    size_t down = (size_t)((char *)&attr - (char *)lowest);
    assert(down < bytes && use((down - LARGE) & ~(size_t)63) == 1);
}

static void in_child(void)
{
    int status;
    if (fork() == 0)
        run(SMALL, USED);
    wait(&status);
    assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

int main(void)
{
    signal(SIGUSR1, handle);
#if defined LEAST
    use_least();
    return 0;
#elif defined MAIN
    use_main_stack();
#elif defined CHILD
    in_child();
#else
    run(LARGE, USED);
#endif
#ifdef FITS
    run(SMALL, SMALL / 2);
    run(LARGE, USED);
#elif !defined MAIN && !defined CHILD
    run(SMALL, USED);
#endif
    (void)use_main_stack;
    (void)in_child;
    (void)use_least;
    return 0;
}
