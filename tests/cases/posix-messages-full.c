/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A System V queue holds so many bytes, and who sends more waits, or is told EAGAIN. WRONG: one process sends more than that
 * to itself.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 8000 };                                           /* a queue holds 16384 */

struct message { long type; char text[LARGE]; };

static struct message m = { .type = 1 };

int main(void)
{
    int queue = msgget(IPC_PRIVATE, 0600), status;
    assert(queue >= 0);
    assert(msgsnd(queue, &m, LARGE, 0) == 0 && msgsnd(queue, &m, LARGE, IPC_NOWAIT) == 0);
    assert(msgsnd(queue, &m, LARGE, IPC_NOWAIT) == -1 && errno == EAGAIN);
    pid_t child = fork();
    if (child == 0) {
#ifndef WRONG
        if (msgrcv(queue, &m, LARGE, 0, 0) != LARGE)
            _exit(1);
#endif
        _exit(0);
    }
    assert(msgsnd(queue, &m, LARGE, 0) == 0);                    /* ERROR */
    assert(waitpid(child, &status, 0) == child && status == 0);
    assert(msgctl(queue, IPC_RMID, NULL) == 0);
    return 0;
}
