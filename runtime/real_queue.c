/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "real.h"
#include "sys.h"
#include "wire.h"

#include <errno.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>

/* Made before the processes that use them, so that all have the same numbers for them. */
static struct queue { int messages, places, size; char *received; } *queues;             /* MAX_OBJECTS of them */
static int count;

struct message { long type; char text[MAX_MESSAGE + 1]; };

static int fails(long error)
{
    errno = (int)-error;
    return -1;
}

static int known(int queue)
{
    return queue >= 0 && queue < count;
}

static bool make_room(void)
{
    if (!queues)
        queues = mmap(NULL, MAX_OBJECTS * sizeof *queues, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (queues == MAP_FAILED)
        queues = NULL;
    return queues;
}

int real_queue_new(int size)
{
    if (size < 1 || size > MAX_QUEUE || count == MAX_OBJECTS)
        return fails(-EINVAL);
    if (!make_room())
        return fails(-ENOMEM);
    long messages = RT_SYS(SYS_msgget, IPC_PRIVATE, 0600), places = RT_SYS(SYS_semget, IPC_PRIVATE, 1, 0600);
    if (messages < 0 || places < 0) {
        RT_SYS(SYS_msgctl, messages, IPC_RMID, 0);
        RT_SYS(SYS_semctl, places, 0, IPC_RMID, 0);
        return fails(messages < 0 ? messages : places);
    }
    RT_SYS(SYS_semctl, places, 0, SETVAL, size);
    queues[count].messages = (int)messages;
    queues[count].places = (int)places;
    queues[count].size = size;
    return count++;
}

static long change_places(int queue, short by)
{
    struct sembuf change = {.sem_op = by};
    long result;
    do
        result = RT_SYS(SYS_semop, queues[queue].places, &change, 1);
    while (result == -EINTR);
    return result;
}

int real_queue_send(int queue, const char *message)
{
    struct message m = {.type = 1};
    message = message ? message : "";            /* as under the controller */
    size_t length = strlen(message);
    if (!known(queue) || length > MAX_MESSAGE)
        return fails(-EINVAL);
    memcpy(m.text, message, length + 1);
    long result = change_places(queue, -1);
    while (result >= 0 && (result = RT_SYS(SYS_msgsnd, queues[queue].messages, &m, length + 1, 0)) == -EINTR)
        result = 0;
    return result < 0 ? fails(result) : 0;
}

static char *buffer(int queue)
{
    if (!queues[queue].received) {
        void *page = mmap(NULL, MAX_MESSAGE + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        queues[queue].received = page == MAP_FAILED ? NULL : page;
    }
    return queues[queue].received;
}

void *real_queue_receive(int queue)
{
    struct message m;
    long result;
    if (!known(queue) || !buffer(queue))
        return NULL;
    do
        result = RT_SYS(SYS_msgrcv, queues[queue].messages, &m, sizeof m.text, 0, 0);
    while (result == -EINTR);
    if (result < 0) {
        fails(result);
        return NULL;
    }
    change_places(queue, 1);
    memcpy(queues[queue].received, m.text, (size_t)result);
    return queues[queue].received;
}

int real_queue_is_full(int queue)
{
    if (!known(queue))
        return fails(-EINVAL);
    long places = RT_SYS(SYS_semctl, queues[queue].places, 0, GETVAL, 0);
    return places < 0 ? fails(places) : places == 0;
}

int real_queue_is_empty(int queue)
{
    if (!known(queue))
        return fails(-EINVAL);
    struct msqid_ds state;
    long result = RT_SYS(SYS_msgctl, queues[queue].messages, IPC_STAT, &state);
    return result < 0 ? fails(result) : state.msg_qnum == 0;
}

int real_queue_remove(int queue)
{
    if (!known(queue))
        return fails(-EINVAL);
    long places = RT_SYS(SYS_semctl, queues[queue].places, 0, IPC_RMID, 0);
    long messages = RT_SYS(SYS_msgctl, queues[queue].messages, IPC_RMID, 0);
    return places < 0 ? fails(places) : messages < 0 ? fails(messages) : 0;
}
