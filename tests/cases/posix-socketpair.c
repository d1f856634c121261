/* expect: complete.
 * expect -DWRONG: deadlock in process 0.
 *
 * A socket pair goes both ways; shutdown ends one of them. WRONG: both wait for the other to speak first.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(int fd)
{
    char text[8];
    ssize_t n;
    while ((n = read(fd, text, sizeof text)) > 0)                /* ERROR */
        for (ssize_t i = 0; i < n; i++) {
            char upper = (char)(text[i] - 'a' + 'A');
            assert(write(fd, &upper, 1) == 1);
        }
    _exit(n == 0 ? 0 : 1);
}

int main(void)
{
    int fds[2], status;
    char text[4];
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(fds[0]);
        child(fds[1]);
    }
    close(fds[1]);
#ifndef WRONG
    assert(send(fds[0], "ab", 2, 0) == 2);
#endif
    assert(recv(fds[0], text, 1, 0) == 1 && text[0] == 'A');     /* ERROR */
    assert(recv(fds[0], text, 1, 0) == 1 && text[0] == 'B');
    assert(shutdown(fds[0], SHUT_WR) == 0);
    assert(read(fds[0], text, 1) == 0);
    close(fds[0]);
    assert(waitpid(pid, &status, 0) == pid && status == 0);
    return 0;
}
