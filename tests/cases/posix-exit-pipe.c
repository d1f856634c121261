/* expect: complete.  optimal: 1 executions.
 * expect -DREAD: complete.  optimal: 1 executions.
 * expect -DCHILD: assertion in process 2.  errors: assertion 1.
 *
 * Threads share their files, and these are closed when the last thread is gone: while one of them reads or writes a pipe of which
 * the process has both ends, it finds neither the end of the file nor that nobody reads. CHILD: another process has only one end,
 * and finds the end as soon as the first has ended.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *use(void *argument)
{
    char byte = 0;
#if defined READ || defined CHILD
    assert(read(ends[0], &byte, 1) != 0);                        /* ERROR */
#else
    assert(write(ends[1], &byte, 1) == 1);
#endif
    return argument;
}

int main(void)
{
    pthread_t thread;
    if (pipe(ends))
        return 1;
#ifdef CHILD
    if (fork() == 0) {
        close(ends[1]);
        use(NULL);
        return 0;
    }
#endif
    pthread_create(&thread, NULL, use, NULL);
    return 0;
}
