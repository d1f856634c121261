/* expect: complete.
 * expect -DWRONG: assertion in process 2.
 *
 * A server and a client with a socket of the file system. WRONG: the client may come before the server listens.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "posix-unix-stream.socket" };

static int listening(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(fd, 2) == 0);
    return fd;
}

static void client(void)
{
    char text[4];
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(fd, (const struct sockaddr *)&address, sizeof address) == 0);     /* ERROR */
    assert(write(fd, "hi", 2) == 2);
    assert(read(fd, text, sizeof text) == 2 && !memcmp(text, "ho", 2));
    assert(read(fd, text, sizeof text) == 0);
    _exit(0);
}

int main(void)
{
    int status, fd = -1;
    char text[4];
    unlink(address.sun_path);
#ifndef WRONG
    fd = listening();
#endif
    pid_t child = fork();
    if (child == 0)
        client();
#ifdef WRONG
    fd = listening();
#endif
    int connection = accept(fd, NULL, NULL);
    assert(connection >= 0);
    assert(read(connection, text, sizeof text) == 2 && !memcmp(text, "hi", 2));
    assert(write(connection, "ho", 2) == 2);
    assert(close(connection) == 0);
    assert(waitpid(child, &status, 0) == child && status == 0);
    close(fd);
    unlink(address.sun_path);
    return 0;
}
