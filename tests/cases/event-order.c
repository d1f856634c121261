/* expect: complete.  optimal: 2 executions.  searches: none, sleep, optimal.
 * expect -DWRONG: assertion in process 1.  searches: none, sleep, optimal.
 *
 * Who sends first is seen by whoever reads what the real calls have left: two events that send do not commute, though nobody receives.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <verisoft.h>

static int spool;

static void *put(void *letter)
{
    VS_event("spool", "send", letter);
    if (write(spool, letter, 1) != 1)
        abort();
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    char name[] = "/tmp/spoolXXXXXX", letters[2];
    spool = mkstemp(name);
    unlink(name);
    pthread_create(&threads[0], NULL, put, "a");
    pthread_create(&threads[1], NULL, put, "b");
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (pread(spool, letters, 2, 0) != 2)
        abort();
#ifdef WRONG
    assert(letters[0] == 'a');                           /* ERROR */
#else
    assert(letters[0] != letters[1]);
#endif
    return 0;
}
