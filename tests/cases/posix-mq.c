/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * POSIX message queues: priorities, a queue that is full or empty and does not block, timeouts. WRONG: both sides send more
 * than the queue of the other holds before they receive.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static mqd_t make(const char *name, int flags)
{
    struct mq_attr room = { .mq_maxmsg = 2, .mq_msgsize = 8 };
    mq_unlink(name);
    mqd_t queue = mq_open(name, O_CREAT | O_RDWR | flags, 0600, &room);
    assert(queue != (mqd_t)-1);
    assert(mq_unlink(name) == 0);
    return queue;
}

static void alone(void)
{
    char text[8];
    unsigned priority;
    struct mq_attr now;
    struct timespec until;
    mqd_t queue = make("/verisoft-case-mq", O_NONBLOCK);
    assert(mq_receive(queue, text, 8, NULL) == -1 && errno == EAGAIN);
    assert(mq_send(queue, "low", 4, 1) == 0 && mq_send(queue, "high", 5, 9) == 0);
    assert(mq_send(queue, "more", 5, 0) == -1 && errno == EAGAIN);
    assert(mq_getattr(queue, &now) == 0 && now.mq_curmsgs == 2 && now.mq_maxmsg == 2);
    assert(mq_receive(queue, text, 8, &priority) == 5 && priority == 9 && !strcmp(text, "high"));
    assert(mq_receive(queue, text, 4, NULL) == -1 && errno == EMSGSIZE);
    assert(mq_receive(queue, text, 8, &priority) == 4 && priority == 1);
    assert(mq_setattr(queue, &(struct mq_attr){ .mq_flags = 0 }, NULL) == 0);
    clock_gettime(CLOCK_REALTIME, &until);
    assert(mq_timedreceive(queue, text, 8, NULL, &until) == -1 && errno == ETIMEDOUT);
    assert(mq_close(queue) == 0);
}

static void talk(mqd_t to, mqd_t from, int first)
{
    char text[8];
    for (int i = 0; i < 3 && !first; i++)
        assert(mq_receive(from, text, 8, NULL) == 2);
    for (int i = 0; i < 3; i++)
        assert(mq_send(to, "x", 2, 0) == 0);                     /* ERROR */
    for (int i = 0; i < 3 && first; i++)
        assert(mq_receive(from, text, 8, NULL) == 2);
}

int main(void)
{
    int status;
    alone();
    mqd_t down = make("/verisoft-case-down", 0), up = make("/verisoft-case-up", 0);
    pid_t child = fork();
    if (child == 0) {
#ifdef WRONG
        talk(up, down, 1);
#else
        talk(up, down, 0);
#endif
        _exit(0);
    }
    talk(down, up, 1);
    assert(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}
