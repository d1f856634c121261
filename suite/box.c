/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "suite/box.h"

#include <assert.h>
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

double box_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int box_free_port(void)
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

int box_hear(struct box *b, struct err *err)
{
    struct warden_news n;
    int rc;
    while ((rc = warden_news(&b->warden, &n, err)) > 0) {
        if (n.cleared) {
            b->ends = (struct ends){ 0 };
            b->phase = b->phase == BOX_CLEARING ? BOX_RESETTING : b->phase;
            continue;
        }
        assert(n.unit >= 0 && n.unit < UNITS_OF_BOX);
        b->ends.is[n.unit] = true;
        b->ends.status[n.unit] = n.status;
    }
    return rc;
}

/* ---- commands that come to an end ---- */

static int start_helper(struct box *b, const char *command, int output, struct err *err)
{
    struct errand e = { UNIT_HELPER, command, -1, output, b->port };
    b->ends.is[UNIT_HELPER] = false;
    return warden_start(&b->warden, &e, err);
}

/* 1 and its exit status, when it has ended. */
static int helper_ended(struct box *b, const char *command, const char *what, int *status, struct err *err)
{
    int wait = b->ends.status[UNIT_HELPER];
    if (!b->ends.is[UNIT_HELPER])
        return box_now() <= b->until ? 0 : fail(err, "%s has not ended after %d seconds (timeout of the suite): %s", what,
                                                b->suite->timeout, command);
    *status = WIFEXITED(wait) ? WEXITSTATUS(wait) : 128 + WTERMSIG(wait);
    return 1;
}

static int must_end_well(struct box *b, const char *command, const char *what, struct err *err)
{
    int status = 0, rc = helper_ended(b, command, what, &status, err);
    return rc <= 0 || !status ? rc : fail(err, "%s ended with status %d: %s", what, status, command);
}

/* ---- beginning ---- */

enum { SOON = 2, UNHURRIED = 20 };       /* milliseconds between two looks */

static void enter(struct box *b, enum box_phase phase)
{
    b->phase = phase;
    b->until = box_now() + b->suite->timeout;
    b->pause = SOON / 1e3;
    b->look = box_now();
}

int box_begin(struct box *b, int port, int output, struct err *err)
{
    b->port = port;
    b->output = output;
    enter(b, BOX_CLEARING);
    return warden_clear(&b->warden, err);
}

static int after_reset(struct box *b, struct err *err)
{
    const struct suite *s = b->suite;
    struct errand e = { UNIT_BOX, s->start, -1, b->output, b->port };
    enter(b, s->start ? BOX_STARTING : BOX_READY);
    return s->start ? warden_start(&b->warden, &e, err) : 0;
}

static int after_clear(struct box *b, struct err *err)
{
    enter(b, BOX_RESETTING);
    return b->suite->reset ? start_helper(b, b->suite->reset, b->output, err) : after_reset(b, err);
}

static int box_gone(struct box *b, struct err *err)
{
    return fail(err, "the black box ended before it was ready, with wait status %d: %s", b->ends.status[UNIT_BOX], b->suite->start);
}

static void look_later(struct box *b)
{
    b->phase = BOX_STARTING;
    b->look = box_now() + b->pause;
    b->pause = b->pause * 1e3 < UNHURRIED ? b->pause * 2 : b->pause;
}

/* Is it ready? The port first, then the command, which takes its time. */
static int look(struct box *b, struct err *err)
{
    if (b->ends.is[UNIT_BOX] && (b->suite->ready || b->suite->ready_port))
        return box_gone(b, err);
    if (box_now() > b->until)
        return fail(err, "the black box was not ready after %d seconds (timeout of the suite): %s", b->suite->timeout, b->suite->start);
    if (box_now() < b->look)
        return 0;
    if (b->suite->ready_port && !listens(b->port)) {
        look_later(b);
        return 0;
    }
    b->phase = b->suite->ready ? BOX_ASKING : BOX_READY;
    return b->suite->ready ? start_helper(b, b->suite->ready, -1, err) : 0;
}

static int asked(struct box *b, struct err *err)
{
    int status = 0, rc = helper_ended(b, b->suite->ready, "ready", &status, err);
    if (rc <= 0)
        return rc;
    if (status)
        look_later(b);
    else
        b->phase = BOX_READY;
    return 0;
}

static int reset_ended(struct box *b, struct err *err)
{
    int rc = must_end_well(b, b->suite->reset, "reset", err);
    return rc <= 0 ? rc : after_reset(b, err);
}

int box_turn(struct box *b, struct err *err)
{
    enum box_phase before = b->phase, phase;
    int rc = box_hear(b, err);
    if (rc >= 0 && before == BOX_CLEARING && b->phase == BOX_RESETTING)
        rc = after_clear(b, err);
    do {
        phase = b->phase;
        if (rc >= 0 && phase == BOX_RESETTING)
            rc = reset_ended(b, err);
        else if (rc >= 0 && phase == BOX_STARTING)
            rc = look(b, err);
        else if (rc >= 0 && phase == BOX_ASKING)
            rc = asked(b, err);
    } while (rc >= 0 && b->phase != phase);
    return rc < 0 ? rc : b->phase == BOX_READY;
}

/* ---- all of it ---- */

int box_open(struct box *b, const struct suite *suite, const struct warden_home *home, struct err *err)
{
    *b = (struct box){ .suite = suite, .output = -1 };
    return warden_open(&b->warden, home, err);
}

int box_prepare(struct box *b, const volatile int *interrupt, struct err *err)
{
    enum { MOMENT = 50 };
    if (!b->suite->prepare)
        return 0;
    enter(b, BOX_IDLE);
    int rc = start_helper(b, b->suite->prepare, 2, err), ended = 0;
    while (rc >= 0 && !ended) {
        struct pollfd news = { b->warden.socket, POLLIN, 0 };
        poll(&news, 1, MOMENT);
        rc = interrupt && *interrupt ? -EINTR : box_hear(b, err);
        if (rc >= 0)
            rc = ended = must_end_well(b, b->suite->prepare, "prepare", err);
    }
    return rc;
}

void box_close(struct box *b) { warden_close(&b->warden); }
