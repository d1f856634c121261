/* expect: complete.  optimal: 12 executions.
 * expect -DWRONG: deadlock.
 *
 * A stream has a lock that its holder can take again, and who closes the stream has done with it. (Of 12 executions, in 6 the four
 * times of holding it come one after the other; in the others one of the tries comes while the other thread holds it.) WRONG: one that
 * is not given back.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int inside, failed;

static void use(FILE *f)
{
    flockfile(f);                                                /* ERROR */
    flockfile(f);
    assert(++inside == 1);
    putc_unlocked('x', f);
    inside--;
    funlockfile(f);
#ifndef WRONG
    funlockfile(f);
#endif
}

static void *user(void *unused)
{
    use(stdout);
    if (ftrylockfile(stdout))
        failed++;
    else
        funlockfile(stdout);
    return unused;
}

int main(void)
{
    pthread_t thread;
    FILE *f = fopen("/dev/null", "w");
    if (f) {
        flockfile(f);
        fclose(f);
    }
    pthread_create(&thread, NULL, user, NULL);
    user(NULL);
    pthread_join(thread, NULL);                                  /* ERROR */
    assert(failed < 2);
    return 0;
}
