/* expect: assertion in process 1.  errors: assertion 1.  note: "pread(file.tmp)" "pwrite(file.tmp)".  searches: optimal, source.
 * expect -DLOCK: complete.  optimal: 2 executions, 0 sleep_cut.  searches: optimal, source.
 * expect -DOWN: complete.  optimal: 1 executions, 6 transitions.  searches: optimal, source.
 * expect -DLOG: assertion in process 1.  searches: optimal, source.
 * expect -DPLACE: assertion in process 1.  searches: optimal, source.
 * expect -DNAME: complete.  optimal: 2 executions.  searches: optimal, source.
 * expect -DNAME -DWRONG: assertion in process 1.  searches: optimal, source.
 * expect -DSTREAM: assertion in process 1.  searches: optimal, source.
 *
 * Two threads that use a file: both read and write it (LOCK: with a lock; OWN: each has one of its own, and no access is an operation), both only
 * write, and what is in it then depends on the order (LOG), both read through one descriptor (PLACE), both would make it (NAME), one writes it by a stream
 * of the C library while the other one reads so (STREAM).
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define NAME_OF_FILE "file.tmp"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int             file, found[2];
static char            got[2];

static void increment(int from)
{
    char value = 0;
    if (pread(from, &value, 1, 0) != 1)
        return;
    value++;
    pwrite(from, &value, 1, 0);
}

static void use(int who)
{
#if defined LOCK
    pthread_mutex_lock(&lock);
    increment(file);
    pthread_mutex_unlock(&lock);
#elif defined OWN
    int own = open(who ? "one.tmp" : "other.tmp", O_RDWR | O_CREAT, 0600);
    increment(own);
    close(own);
#elif defined LOG
    write(file, who ? "b" : "a", 1);
#elif defined PLACE
    read(file, &got[who], 1);
#elif defined NAME
    found[who] = open("made.tmp", O_RDWR | O_CREAT | O_EXCL, 0600) >= 0;
#elif defined STREAM
    FILE *f = fopen(NAME_OF_FILE, who ? "r" : "a");
    if (who)
        found[who] = fgetc(f);
    else
        fprintf(f, "b");
    fclose(f);
#else
    (void)who;
    increment(file);
#endif
}

static void *second(void *unused)
{
    use(1);
    return unused;
}

int main(void)
{
    pthread_t other;
    file = open(NAME_OF_FILE, O_RDWR | O_CREAT | O_TRUNC, 0600);
#if defined PLACE
    pwrite(file, "ab", 2, 0);
#elif !defined STREAM && !defined LOG
    pwrite(file, "0", 1, 0);
#endif
    unlink("made.tmp");
    pthread_create(&other, NULL, second, NULL);
    use(0);
    pthread_join(other, NULL);
#ifndef PLACE
    pread(file, got, 2, 0);
#endif
#if defined PLACE || defined LOG
    assert(got[0] == 'a');           /* ERROR */
#elif defined NAME
    assert(found[0] + found[1] == 1);
# ifdef WRONG
    assert(found[0]);                /* ERROR */
# endif
#elif defined STREAM
    assert(found[1] == 'b');         /* ERROR */
#elif !defined OWN
    assert(got[0] == '2');           /* ERROR */
#endif
    return 0;
}
