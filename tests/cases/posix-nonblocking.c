/* expect: complete.
 *
 * Pipes that do not block, as the kernel has them: how much fits, what part of a large write, what dup2 and fcntl do.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

enum { ROOM = 65536 };

static char data[2 * ROOM];

int main(void)
{
    int ends[2];
    assert(pipe(ends) == 0);
    assert((fcntl(ends[1], F_GETFL) & O_NONBLOCK) == 0);
    assert(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
    assert(fcntl(ends[1], F_GETFL) & O_NONBLOCK);
    assert(write(ends[1], data, sizeof data) == ROOM);
    assert(write(ends[1], data, 1) == -1 && errno == EAGAIN);
    assert(read(ends[0], data, PIPE_BUF) == PIPE_BUF);
    assert(write(ends[1], data, PIPE_BUF) == PIPE_BUF);
    assert(read(ends[0], data, sizeof data) == ROOM);

    int other = dup2(ends[1], 50);
    assert(other == 50 && close(ends[1]) == 0);
    assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    assert(read(ends[0], data, 1) == -1 && errno == EAGAIN);
    assert(write(other, "ab", 2) == 2 && close(other) == 0);
    assert(read(ends[0], data, 10) == 2 && data[1] == 'b');
    assert(read(ends[0], data, 10) == 0);
    assert(write(ends[0], "x", 1) == -1 && errno == EBADF);
    assert(read(other, data, 1) == -1 && errno == EBADF);
    return 0;
}
