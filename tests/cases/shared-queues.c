/* expect: complete.  searches: none, sleep, optimal.
 * expect -DLONG: structure in process 1.  message: "the message is longer than 4095 bytes".  searches: none, optimal.
 * expect -DMANY: unsupported in process 1.  message: "more than 1048576 words".  searches: optimal.
 *
 * Bounded queues in a program that shares memory. Two processes make one each: which of them is the first, and so has which number, depends
 * on who comes first; each keeps its own size all the same. SPDX-License-Identifier: MIT */
#include <string.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <verisoft.h>

static void fill(int size)
{
    int queue = get_bounded_queue(size);
    for (int i = 0; i < size; i++)
        send_to_queue(queue, size, "message");
    VS_assert(is_queue_full(queue, size));
}

int main(void)
{
    shmat(shmget(IPC_PRIVATE, 4096, 0600), NULL, 0);
#ifdef LONG
    static char message[5000];
    memset(message, 'a', sizeof message - 1);
    send_to_queue(get_bounded_queue(1), 1, message);             /* ERROR */
#endif
#ifdef MANY
    for (int i = 0; i < 40; i++)
        send_to_queue(get_bounded_queue(32767), 32767, "");      /* ERROR */
#endif
    if (fork() == 0) {
        fill(1);
        exit(0);
    }
    fill(3);
    wait(NULL);
    return 0;
}
