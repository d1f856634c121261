/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * System V messages: by type, the lowest type, too long, none there, removed. WRONG: both wait for a message of the type that
 * they send.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

struct message { long type; char text[8]; };

static int queue;

static void send(long type, const char *text)
{
    struct message m = { .type = type };
    strcpy(m.text, text);
    assert(msgsnd(queue, &m, strlen(text) + 1, 0) == 0);
}

static const char *receive(long type)
{
    static struct message m;
    ssize_t n = msgrcv(queue, &m, sizeof m.text, type, 0);       /* ERROR */
    assert(n == (ssize_t)strlen(m.text) + 1);
    return m.text;
}

static void serve(void)
{
#ifdef WRONG
    receive(2);
#else
    assert(!strcmp(receive(1), "ask"));
#endif
    send(2, "answer");
    _exit(0);
}

int main(void)
{
    struct message m;
    int status;
    queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    assert(queue >= 0);
    assert(msgrcv(queue, &m, sizeof m.text, 0, IPC_NOWAIT) == -1 && errno == ENOMSG);
    send(5, "five");
    send(3, "three");
    send(4, "four");
    assert(!strcmp(receive(4), "four"));
    assert(!strcmp(receive(-9), "three"));
    assert(msgrcv(queue, &m, 2, 0, 0) == -1 && errno == E2BIG);
    assert(msgrcv(queue, &m, 2, 0, MSG_NOERROR) == 2 && m.type == 5 && !memcmp(m.text, "fi", 2));
    pid_t child = fork();
    if (child == 0)
        serve();
    send(1, "ask");
    assert(!strcmp(receive(2), "answer"));
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(msgctl(queue, IPC_RMID, NULL) == 0);
    assert(msgsnd(queue, &m, 1, 0) == -1 && errno == EINVAL);
    return 0;
}
