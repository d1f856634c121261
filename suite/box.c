/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "suite/box.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int free_port(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof at;
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), port = 0;
    if (s >= 0 && !bind(s, (struct sockaddr *)&at, sizeof at) && !getsockname(s, (struct sockaddr *)&at, &length))
        port = ntohs(at.sin_port);
    if (s >= 0)
        close(s);
    return port;
}

static bool listens(int port)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port) };
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool yes = s >= 0 && !connect(s, (struct sockaddr *)&at, sizeof at);
    if (s >= 0)
        close(s);
    return yes;
}

/* What came of waiting for news of a unit for so many milliseconds at most: 1 and its status, 0, or negative. */
static int await(struct box *b, int unit, int milliseconds, int *status, struct err *err)
{
    struct pollfd news = { b->warden.socket, POLLIN, 0 };
    int who, rc;
    poll(&news, 1, milliseconds);
    while ((rc = warden_news(&b->warden, &who, status, err)) > 0)
        if (who == unit || who == UNIT_BOX)
            return who == unit ? 1 : fail(err, "the black box ended before it was ready, with wait status %d: %s", *status, b->suite->start);
    return b->interrupt && *b->interrupt ? -EINTR : rc;
}

/* Runs a command to its end; its exit status, or negative. */
static int helper(struct box *b, const char *command, const char *what, int output, struct err *err)
{
    struct errand e = { UNIT_HELPER, command, -1, output, b->port };
    int status = 0, rc = warden_start(&b->warden, &e, err);
    for (double end = now() + b->suite->timeout; rc >= 0;) {
        rc = await(b, UNIT_HELPER, 50, &status, err);
        if (rc > 0)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (!rc && now() > end)
            return fail(err, "%s has not ended after %d seconds (timeout of the suite): %s", what, b->suite->timeout, command);
    }
    return rc;
}

static int must(struct box *b, const char *command, const char *what, int output, struct err *err)
{
    int status = helper(b, command, what, output, err);
    return status <= 0 ? status : fail(err, "%s ended with status %d: %s", what, status, command);
}

static bool is_ready(struct box *b, int *rc, struct err *err)
{
    bool port = !b->suite->ready_port || listens(b->port);
    if (!port || !b->suite->ready)
        return port;
    int status = helper(b, b->suite->ready, "ready", -1, err);
    *rc = status < 0 ? status : 0;
    return status == 0;
}

static int await_ready(struct box *b, struct err *err)
{
    enum { PAUSE = 2, UNHURRIED = 20 };    /* milliseconds between two looks */
    int rc = 0, status, pause = PAUSE;
    for (double end = now() + b->suite->timeout; rc >= 0 && now() < end;) {
        if (is_ready(b, &rc, err) || rc < 0)
            return rc;
        rc = await(b, UNIT_BOX, pause, &status, err);
        if (rc > 0)
            return fail(err, "the black box ended before it was ready, with wait status %d: %s", status, b->suite->start);
        pause = pause < UNHURRIED ? pause * 2 : pause;
    }
    return rc < 0 ? rc : fail(err, "the black box was not ready after %d seconds (timeout of the suite): %s", b->suite->timeout, b->suite->start);
}

int box_begin(struct box *b, int output, struct err *err)
{
    const struct suite *s = b->suite;
    int rc = warden_clear(&b->warden, err);
    b->port = free_port();
    if (rc >= 0 && s->reset)
        rc = must(b, s->reset, "reset", output, err);
    struct errand e = { UNIT_BOX, s->start, -1, output, b->port };
    if (rc >= 0 && s->start)
        rc = warden_start(&b->warden, &e, err);
    return rc < 0 || !s->start ? rc : await_ready(b, err);
}

void box_end(struct box *b)
{
    struct err err;
    warden_clear(&b->warden, &err);      /* where it is gone, so is all below it */
}

int box_open(struct box *b, const struct suite *suite, const struct warden_home *home, const volatile int *interrupt, struct err *err)
{
    *b = (struct box){ .suite = suite, .interrupt = interrupt };
    int rc = warden_open(&b->warden, home, err);
    return rc < 0 || !suite->prepare ? rc : must(b, suite->prepare, "prepare", 2, err);
}

void box_close(struct box *b) { warden_close(&b->warden); }
