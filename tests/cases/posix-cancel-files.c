/* expect: complete.  arguments: 1.  optimal: 4 executions, 0 sleep_cut.  searches: optimal, source, sleep.
 * expect: complete.  arguments: 4.  optimal: 7 executions, 0 sleep_cut.  searches: optimal, source, sleep.
 * expect -DWRONG: assertion in process 1.  arguments: 4.  searches: optimal, source, sleep.
 *
 * Calls that block nobody are cancellation points all the same: open, write, fsync, close of plain files. A request comes before the thread starts, before
 * one of N such calls, between the last and its end, or after its end: N + 3 executions. WRONG: that it comes too late is taken for granted.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int points, done;

static void *logs(void *unused)
{
    int file = open("/dev/null", O_WRONLY);
    done = 1;
    if (points > 1 && write(file, "", 1) == 1)
        done = 2;
    if (points > 2 && fsync(2) <= 0)
        done = 3;
    if (points > 3 && close(file) == 0)
        done = 4;
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *end;
    points = argc > 1 ? atoi(argv[1]) : 1;
    pthread_create(&thread, NULL, logs, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &end);
#ifdef WRONG
    assert(end != PTHREAD_CANCELED);         /* ERROR */
#endif
    assert(end == PTHREAD_CANCELED ? done < points : done == points);
    return 0;
}
