/* expect: complete.
 *
 * A pipe: what was written in parts is read together, a read gives what there is, the end is 0, and writing to nobody is
 * EPIPE.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *argument)
{
    assert(write(ends[1], "hello", 5) == 5);
    assert(close(ends[1]) == 0);
    return argument;
}

int main(void)
{
    char text[16];
    pthread_t other;
    assert(pipe(ends) == 0);
    assert(write(ends[1], "ab", 2) == 2 && write(ends[1], "cd", 2) == 2);
    assert(read(ends[0], text, 3) == 3 && !memcmp(text, "abc", 3));
    assert(read(ends[0], text, sizeof text) == 1 && text[0] == 'd');
    int copy = dup(ends[0]);
    pthread_create(&other, NULL, writer, NULL);
    assert(read(copy, text, sizeof text) == 5 && !memcmp(text, "hello", 5));
    assert(read(ends[0], text, sizeof text) == 0);
    pthread_join(other, NULL);
    assert(close(copy) == 0 && close(ends[0]) == 0);
    assert(close(copy) == -1 && errno == EBADF);

    assert(pipe2(ends, O_NONBLOCK) == 0);
    assert(read(ends[0], text, 1) == -1 && errno == EAGAIN);
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    close(ends[1]);
    return 0;
}
