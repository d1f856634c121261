/* SPDX-License-Identifier: MIT */
#include "crew.h"
#include "worker.h"

#include <assert.h>
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

void crew_init(struct crew *c, unsigned count, unsigned limit)
{
    assert(count <= CREW_MOST);
    *c = (struct crew){ .count = count, .limit = limit };
    for (unsigned i = 0; i < count; i++)
        c->members[i].channel.in = c->members[i].channel.out = -1;
}

/* A child begins with all that its parent had open. Were the ends to its siblings left open here, a sibling would not see the
 * end of its pipe when the server closes it: not before this worker ends, too. */
static void close_siblings(struct crew *c)
{
#ifndef BUG_CLOSE
    for (unsigned i = 0; i < c->count; i++)
        if (c->members[i].state != ABSENT)
            channel_close(&c->members[i].channel);
#else
    (void)c;
#endif
}

int crew_hire(struct crew *c, unsigned place)
{
    struct member *m = &c->members[place];
    struct channel here, there;
    assert(m->state == ABSENT);
    int error = channel_pair(&here, &there);
    if (error)
        return error;
    pid_t pid = fork();
    if (pid < 0) {
        error = -errno;
        channel_close(&here);
        channel_close(&there);
        return error;
    }
    if (pid == 0) {
        channel_close(&here);
        close_siblings(c);
        _exit(worker_run(&there, c->limit));
    }
    channel_close(&there);
    *m = (struct member){ .state = IDLE, .pid = pid, .channel = here };
    return 0;
}

int crew_bury(struct crew *c, unsigned place)
{
    struct member *m = &c->members[place];
    int status;
    assert(m->state != ABSENT);
    channel_close(&m->channel);
    while (waitpid(m->pid, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    m->state = ABSENT;
    return status;
}

/* It sees the end of its pipe. */
int crew_dismiss(struct crew *c, unsigned place)
{
    channel_close_out(&c->members[place].channel);
    return crew_bury(c, place);
}

unsigned crew_size(const struct crew *c)
{
    unsigned size = 0;
    for (unsigned i = 0; i < c->count; i++)
        size += c->members[i].state != ABSENT;
    return size;
}
