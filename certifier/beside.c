/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "certifier/beside.h"

#include "base/child.h"
#include "base/memory.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static cpu_set_t processors;         /* of this process, before it was kept to one of them */

int beside_processors(void)
{
    if (!CPU_COUNT(&processors) && sched_getaffinity(0, sizeof processors, &processors))
        CPU_ZERO(&processors);
    return CPU_COUNT(&processors);
}

/* A request to stop is for the other one, which says what comes of it; it is heard of when the line is closed. Memory that runs out here is no end of
 * the search: the other one notices. */
static _Noreturn void be_copy(struct beside *b, pid_t parent, void (*work)(void *, struct beside *), void *arg)
{
    static const int deaf_to[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGXCPU };
    child_dies_with(parent);
    for (size_t i = 0; i < sizeof deaf_to / sizeof *deaf_to; i++)
        signal(deaf_to[i], SIG_IGN);
    memory_on_exhausted(NULL, NULL);
    sched_setaffinity(0, sizeof processors, &processors);
    work(arg, b);
    beside_send(b);
    _exit(0);
}

struct beside *beside_start(void (*work)(void *, struct beside *), void *arg)
{
    int ends[2];
    pid_t self = getpid();
    if (beside_processors() < 2 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return NULL;
    struct beside *b = memory_get(sizeof *b);
    b->copy = fork();
    if (b->copy == 0) {
        close(ends[0]);
        b->line = ends[1];
        be_copy(b, self, work, arg);
    }
    close(ends[1]);
    b->line = ends[0];
    if (b->copy > 0)
        return b;
    close(b->line);
    free(b);
    return NULL;
}

void beside_end(struct beside *b)
{
    if (!b)
        return;
    close(b->line);
    kill(b->copy, SIGKILL);
    while (waitpid(b->copy, NULL, 0) < 0 && errno == EINTR)
        ;
    free(b);
}

void beside_send(struct beside *b)
{
    const char *from = (const char *)b->out;
    size_t left = b->lost ? 0 : b->filled * sizeof *b->out;
    while (left) {
        ssize_t sent = send(b->line, from, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0) {
            b->lost = true;
            break;
        }
        from += sent;
        left -= (size_t)sent;
    }
    b->filled = 0;
}

bool beside_receive(struct beside *b)
{
    size_t got = 0;                  /* bytes: whole words are wanted */
    b->taken = b->there = 0;
    do {
        ssize_t more = recv(b->line, (char *)b->in + got, sizeof b->in - got, 0);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0) {
            b->lost = true;
            return false;
        }
        got += (size_t)more;
    } while (!got || got % sizeof *b->in);
    b->there = (uint32_t)(got / sizeof *b->in);
    return true;
}

void beside_put_long(struct beside *b, uint64_t number)
{
    beside_put(b, (uint32_t)number);
    beside_put(b, (uint32_t)(number >> 32));
}

bool beside_get_long(struct beside *b, uint64_t *number)
{
    uint32_t low, high;
    if (!beside_get(b, &low) || !beside_get(b, &high))
        return false;
    *number = (uint64_t)high << 32 | low;
    return true;
}

void beside_put_text(struct beside *b, const char *text)
{
    size_t length = strlen(text);
    beside_put(b, (uint32_t)length);
    for (size_t at = 0; at < length; at += sizeof(uint32_t)) {
        uint32_t word = 0;
        memcpy(&word, text + at, length - at < sizeof word ? length - at : sizeof word);
        beside_put(b, word);
    }
}

char *beside_get_text(struct beside *b)
{
    uint32_t length, word;
    if (!beside_get(b, &length))
        return NULL;
    char *text = memory_get((size_t)length + sizeof word);       /* zeroed, so it ends */
    for (size_t at = 0; at < length; at += sizeof word) {
        if (!beside_get(b, &word)) {
            free(text);
            return NULL;
        }
        memcpy(text + at, &word, sizeof word);
    }
    return text;
}
