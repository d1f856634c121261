/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * poll over two pipes: whoever is ready, ends (POLLHUP), and a poll that may time out. WRONG: the first child is always the
 * first.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

static int start(char name, pid_t *child)
{
    int ends[2];
    assert(pipe(ends) == 0);
    if ((*child = fork()) == 0) {
        close(ends[0]);
        _exit(write(ends[1], &name, 1) != 1);
    }
    close(ends[1]);
    return ends[0];
}

int main(void)
{
    pid_t children[2];
    struct pollfd fds[2] = { { .fd = start('a', &children[0]), .events = POLLIN },
                             { .fd = start('b', &children[1]), .events = POLLIN } };
    char name, got[2];
    int many = 0, open = 2, status;
    int ready = poll(fds, 2, 0);
    assert(ready >= 0 && ready <= 2);
    while (open > 0) {
        assert(poll(fds, 2, -1) > 0);
        for (int i = 0; i < 2; i++) {
            if (fds[i].revents & POLLIN) {
                assert(read(fds[i].fd, &name, 1) == 1 && name == "ab"[i]);
                got[many++] = name;
            } else if (fds[i].revents & POLLHUP) {
                close(fds[i].fd);
                fds[i].fd = -1;
                open--;
            }
        }
    }
    assert(many == 2 && got[0] != got[1]);
#ifdef WRONG
    assert(got[0] == 'a');                                       /* ERROR */
#endif
    for (int i = 0; i < 2; i++)
        assert(waitpid(children[i], &status, 0) == children[i] && status == 0);
    return 0;
}
