/* expect: complete.
 * expect -DUDP: complete.
 * expect -DEARLY: assertion in process 3.
 * expect -DLATE: assertion in process 3.
 *
 * A port, and a name of AF_UNIX without a file, are free again when nobody has them any more: closed, at the end of the process, or when it
 * is killed. EARLY, LATE: who tries to have it while its holder is killed comes before or after that.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef UDP
enum { KIND = SOCK_DGRAM };
#else
enum { KIND = SOCK_STREAM };
#endif

static int bound(void)
{
    int s = socket(AF_INET, KIND, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(23456), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (!bind(s, (struct sockaddr *)&a, sizeof a) && (KIND == SOCK_DGRAM || !listen(s, 2)))
        return s;
    assert(errno == EADDRINUSE);
    return -1;
}

static int bound_without_file(void)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    memcpy(a.sun_path, "\0name", 5);
    if (!bind(s, (struct sockaddr *)&a, offsetof(struct sockaddr_un, sun_path) + 5))
        return s;
    assert(errno == EADDRINUSE);
    return -1;
}

/* A child that has the port when this returns. how: 0: until it is killed; 1: it kills itself; 2: it exits. */
static pid_t holder(int how)
{
    int ends[2];
    char byte;
    assert(!pipe(ends));
    pid_t child = fork();
    if (child == 0) {
        assert(bound() >= 0 && write(ends[1], "", 1) == 1);
        if (how == 0)
            for (;;)
                pause();
        if (how == 1)
            raise(SIGKILL);
        _exit(0);
    }
    assert(read(ends[0], &byte, 1) == 1);
    close(ends[0]);
    close(ends[1]);
    return child;
}

static void closed(void)
{
    int s = bound();
    assert(s >= 0 && bound() < 0 && !close(s) && (s = bound()) >= 0 && !close(s));
    s = bound_without_file();
    assert(s >= 0 && bound_without_file() < 0 && !close(s) && (s = bound_without_file()) >= 0);
    if (fork() == 0)
        _exit(close(s));             /* the parent still has it */
    wait(NULL);
    assert(bound_without_file() < 0 && !close(s));
    if (fork() == 0)
        _exit(bound_without_file() < 0);
    wait(NULL);
    assert((s = bound_without_file()) >= 0 && !close(s));
}

int main(void)
{
    int status;
#if defined(EARLY) || defined(LATE)
    pid_t first = holder(0);
    if (fork() == 0) {
        int s = bound();
#ifdef EARLY
        assert(s >= 0);              /* ERROR */
#else
        assert(s < 0);               /* ERROR */
#endif
        _exit(0);
    }
    kill(first, SIGKILL);
    while (wait(&status) > 0)
        ;
#else
    closed();
    for (int how = 0; how < 3; how++) {
        pid_t child = holder(how);
        if (how == 0)
            assert(bound() < 0 && !kill(child, SIGKILL));
        assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status) == (how < 2));
        int s = bound();
        assert(s >= 0 && !close(s));
    }
#endif
    return 0;
}
