/* expect: complete.  optimal: 2 executions.
 * expect -DTWICE: complete.  optimal: 2 executions.
 * expect -DCOPY: complete.  optimal: 2 executions.
 *
 * A handler at the end closes standard output and error and looks whether all was written, as many programs do: each execution has
 * them open at its start. TWICE: what was closed by its number cannot be closed again. COPY: another file
 * has the number then.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void require(int holds) { if (!holds) abort(); }          /* assert would write to what is closed here */

static void close_output(void)
{
    require(printf("done\n") == 5 && fprintf(stderr, "done\n") == 5);
#ifdef TWICE
    require(fflush(stdout) == 0 && close(1) == 0);
    require(fclose(stdout) == EOF && errno == EBADF);
#else
    require(fclose(stdout) == 0 && fclose(stderr) == 0);
    require(write(2, "", 1) == -1 && errno == EBADF);
#endif
    require(write(1, "", 1) == -1 && errno == EBADF);
#ifdef COPY
    require(dup(0) == 1);
#endif
}

static void *take(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t other;
    atexit(close_output);
    pthread_create(&other, NULL, take, NULL);
    take(NULL);
    pthread_join(other, NULL);
    return 0;
}
