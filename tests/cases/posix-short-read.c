/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * A record that is written in two parts may be read in two parts. WRONG: one read is enough.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *argument)
{
    assert(write(ends[1], "head", 4) == 4);
    assert(write(ends[1], "body", 4) == 4);
    return argument;
}

static size_t read_record(char *to, size_t size)
{
    size_t got = 0;
    while (got < size) {
        ssize_t n = read(ends[0], to + got, size - got);
        assert(n > 0);
        got += (size_t)n;
#ifdef WRONG
        break;
#endif
    }
    return got;
}

int main(void)
{
    pthread_t other;
    char record[8];
    assert(pipe(ends) == 0);
    pthread_create(&other, NULL, writer, NULL);
    assert(read_record(record, 8) == 8);                         /* ERROR */
    assert(!memcmp(record, "headbody", 8));
    pthread_join(other, NULL);
    return 0;
}
