/* expect: complete.  optimal: 2 executions.
 * expect -DWRONG: assertion in process 1.
 *
 * Two senders, one queue: which message is first is open. WRONG: the first child's is.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

struct message { long type; int from; };

int main(void)
{
    int queue = msgget(IPC_PRIVATE, 0600), from[2], status;
    pid_t children[2];
    struct message m = { .type = 1 };
    for (int i = 0; i < 2; i++)
        if ((children[i] = fork()) == 0) {
            m.from = i;
            _exit(msgsnd(queue, &m, sizeof m.from, 0) != 0);
        }
    for (int i = 0; i < 2; i++) {
        assert(msgrcv(queue, &m, sizeof m.from, 0, 0) == sizeof m.from);
        from[i] = m.from;
    }
    assert(from[0] + from[1] == 1);
#ifdef WRONG
    assert(from[0] == 0);                                        /* ERROR */
#endif
    for (int i = 0; i < 2; i++)
        assert(waitpid(children[i], &status, 0) == children[i] && status == 0);
    assert(msgctl(queue, IPC_RMID, NULL) == 0);
    return 0;
}
