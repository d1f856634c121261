/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "suite/box.h"

#include <assert.h>
#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
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

/* Lines of such a table are "  0: 0100007F:1F90 00000000:0000 0A ...": a number, an address and its port, the peer's, the state. */
static bool has_listener(const char *table, int port)
{
    enum { LISTENING = 10 };
    char line[512];
    unsigned own, state;
    bool found = false;
    FILE *f = fopen(table, "re");
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, " %*u: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x", &own, &state) == 2 && own == (unsigned)port && state == LISTENING;
    if (f)
        fclose(f);
    return found;
}

static bool answers(int port)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port) };
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool yes = s >= 0 && !connect(s, (struct sockaddr *)&at, sizeof at);
    if (s >= 0)
        close(s);
    return yes;
}

/* The kernel is asked: a connection would be the box's first, and one of nobody who asks for something. */
static bool listens(int port)
{
    static const char first[] = "/proc/net/tcp", second[] = "/proc/net/tcp6";
    return access(first, R_OK) ? answers(port) : has_listener(first, port) || has_listener(second, port);
}

/* ---- what it prints ---- */

static char *all_said(const struct box *b)
{
    char *text = b->said && !access(b->said, R_OK) ? file_text(b->said, "what the box prints", NULL) : NULL;
    return text ? text : memory_text("");
}

/* To whoever wants to see it. */
static void pass_on(struct box *b)
{
    if (b->output < 0 || !b->suite->ready_line)
        return;
    char *text = all_said(b);
    size_t length = strlen(text);
    if (length > b->shown && write(b->output, text + b->shown, length - b->shown) > 0)
        b->shown = length;
    free(text);
}

/* Its last line, for an error. Gives. */
static char *last_said(const struct box *b)
{
    char *text = all_said(b), *end = text + strlen(text);
    while (end > text && (end[-1] == '\n' || end[-1] == ' '))
        *--end = '\0';
    char *line = strrchr(text, '\n'), *words = *text ? prose_make("; it said: %.200s", line ? line + 1 : text) : memory_text("");
    free(text);
    return words;
}

/* Where it is to print: a file of ours, but for what only is to be seen. */
static int open_said(struct box *b)
{
    b->shown = 0;
    return b->output >= 0 && !b->suite->ready_line ? -1 : open(b->said, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
}

/* ---- who has ended ---- */

static void note_cleared(struct box *b)
{
    bool box = b->runs && b->ends.is[UNIT_BOX];
    int status = b->ends.status[UNIT_BOX];
    b->ends = (struct ends){ 0 };
    if (box) {
        b->ends.is[UNIT_BOX] = true;
        b->ends.status[UNIT_BOX] = status;
    }
    if (!--b->clears && b->phase == BOX_CLEARING)
        b->phase = BOX_RESETTING;
}

static int hear(struct box *b, struct warden *w, struct err *err)
{
    struct warden_news n;
    int rc;
    while ((rc = warden_news(w, &n, err)) > 0) {
        if (n.cleared) {
            note_cleared(b);
            continue;
        }
        if (n.copied) {
            b->copied++;
            continue;
        }
        assert(n.unit >= 0 && n.unit < UNITS_OF_BOX);
        b->ends.is[n.unit] = true;
        b->ends.status[n.unit] = n.status;
    }
    return rc;
}

int box_hear(struct box *b, struct err *err)
{
    int rc = hear(b, &b->warden, err);
    pass_on(b);
    return rc < 0 || !b->suite->renew ? rc : hear(b, &b->drivers, err);
}

int box_start(struct box *b, const struct errand *e, struct err *err)
{
    b->ends.is[e->unit] = false;
    return warden_start(b->suite->renew && e->unit != UNIT_BOX ? &b->drivers : &b->warden, e, err);
}

/* ---- commands that come to an end ---- */

static int start_helper(struct box *b, const char *command, int output, struct err *err)
{
    struct errand e = { UNIT_HELPER, command, -1, output, b->port, false };
    return box_start(b, &e, err);
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

/* A box that can be renewed, and is still there, stays at its port; else all of it is gone when both wardens have said so. */
int box_begin(struct box *b, int port, int output, struct err *err)
{
    bool stays = b->suite->renew && b->runs && !b->ends.is[UNIT_BOX];
    b->runs = stays;
    b->port = stays ? b->port : port;
    b->output = output;
    enter(b, BOX_CLEARING);
    int rc = b->suite->renew ? warden_clear(&b->drivers, err) : 0;
    b->clears += 1 + (b->suite->renew && !stays);
    return rc < 0 || stays ? rc : warden_clear(&b->warden, err);
}

static int after_reset(struct box *b, struct err *err)
{
    const struct suite *s = b->suite;
    enter(b, s->start ? BOX_STARTING : BOX_READY);
    if (!s->start)
        return 0;
    int file = open_said(b);
    struct errand e = { UNIT_BOX, s->start, -1, file >= 0 ? file : b->output, b->port, false };
    int rc = box_start(b, &e, err);
    b->runs = s->renew;
    if (file >= 0)
        close(file);
    return rc;
}

static int after_clear(struct box *b, struct err *err)
{
    enter(b, b->runs ? BOX_RENEWING : BOX_RESETTING);
    if (b->runs)
        return start_helper(b, b->suite->renew, b->output, err);
    return b->suite->reset ? start_helper(b, b->suite->reset, b->output, err) : after_reset(b, err);
}

static int not_ready(struct box *b, struct err *err)
{
    char *said = last_said(b);
    int status = b->ends.status[UNIT_BOX];
    if (!b->ends.is[UNIT_BOX])
        fail(err, "the black box was not ready after %d seconds (timeout of the suite): %s%s", b->suite->timeout, b->suite->start, said);
    else
        fail(err, "the black box ended before it was ready, %s %d: %s%s", WIFSIGNALED(status) ? "by signal" : "with status",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), b->suite->start, said);
    free(said);
    return -EINVAL;
}

static bool has_said(const struct box *b)
{
    char *text = all_said(b);
    const char *at = strstr(text, b->suite->ready_line);
    bool whole = at && strchr(at, '\n');         /* the line has an end: all of it is there */
    free(text);
    return whole;
}

static void look_later(struct box *b)
{
    b->phase = BOX_STARTING;
    b->look = box_now() + b->pause;
    b->pause = b->pause * 1e3 < UNHURRIED ? b->pause * 2 : b->pause;
}

/* Is it ready? The command comes last, for it takes its time. */
static int look(struct box *b, struct err *err)
{
    const struct suite *s = b->suite;
    if (b->ends.is[UNIT_BOX] && (s->ready || s->ready_port || s->ready_line))
        return not_ready(b, err);
    if (box_now() < b->look)
        return 0;
    if ((s->ready_port && !listens(b->port)) || (s->ready_line && !has_said(b))) {
        look_later(b);
        return box_now() > b->until ? not_ready(b, err) : 0;
    }
    b->phase = s->ready ? BOX_ASKING : BOX_READY;
    return s->ready ? start_helper(b, s->ready, -1, err) : 0;
}

static int asked(struct box *b, struct err *err)
{
    int status = 0, rc = helper_ended(b, b->suite->ready, "ready", &status, err);
    if (rc <= 0)
        return rc;
    b->phase = BOX_READY;
    if (status)
        look_later(b);
    return status && box_now() > b->until ? not_ready(b, err) : 0;
}

static int reset_ended(struct box *b, struct err *err)
{
    int rc = must_end_well(b, b->suite->reset, "reset", err);
    return rc <= 0 ? rc : after_reset(b, err);
}

static int renewed(struct box *b, struct err *err)
{
    int rc = must_end_well(b, b->suite->renew, "renew", err);
    if (rc > 0)
        b->phase = BOX_READY;
    return rc < 0 ? rc : 0;
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
        else if (rc >= 0 && phase == BOX_RENEWING)
            rc = renewed(b, err);
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
    int rc = warden_open(&b->warden, home, err);
    if (rc < 0)
        return rc;
    b->said = prose_make("%s/said", b->warden.folder);
    struct warden_home beside = *home;
    char *run = prose_make("%s/run", b->warden.folder), *keep = prose_make("%s/keep", b->warden.folder);
    beside.run = run;
    beside.keep = home->keep ? home->keep : keep;
    rc = suite->renew ? warden_open(&b->drivers, &beside, err) : 0;
    free(run);
    free(keep);
    return rc;
}

int box_prepare(struct box *b, const volatile int *interrupt, struct err *err)
{
    enum { MOMENT = 50 };
    if (!b->suite->prepare)
        return 0;
    b->port = box_free_port();           /* what is prepared may need one, too */
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

void box_close(struct box *b)
{
    warden_close(&b->drivers);
    warden_close(&b->warden);
    free(b->said);
}
