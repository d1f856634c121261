/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "suite/box.h"

#include <assert.h>
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
#include <sys/stat.h>
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

/* The last line of the file, for an error. Gives. */
static char *last_line(const char *path)
{
    char bytes[4096], *end = bytes;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    off_t all = file < 0 ? 0 : lseek(file, 0, SEEK_END), from = all < (off_t)sizeof bytes ? 0 : all - (off_t)sizeof bytes + 1;
    ssize_t length = file < 0 ? 0 : pread(file, bytes, sizeof bytes - 1, from);
    if (file >= 0)
        close(file);
    end += length > 0 ? length : 0;
    while (end > bytes && (end[-1] == '\n' || end[-1] == ' '))
        end--;
    *end = '\0';
    char *line = memrchr(bytes, '\n', (size_t)(end - bytes)), *words = end > bytes ? prose_make("; it said: %.200s", line ? line + 1 : bytes) : memory_text("");
    prose_one_line(words);
    return words;
}

enum { PIECE = 65536, AT_ONCE = 64, LONGEST_LINE = 1 << 20 };   /* AT_ONCE: pieces, for it may print faster than we read */

/* To whoever wants to see it. */
static void pass_on(struct box *b)
{
    static char bytes[PIECE];
    int file = b->output < 0 || !b->suite->ready_line ? -1 : open(b->said, O_RDONLY | O_CLOEXEC);
    ssize_t length, written;
    for (int i = 0; file >= 0 && i < AT_ONCE && (length = pread(file, bytes, sizeof bytes, (off_t)b->shown)) > 0; i++) {
        written = write(b->output, bytes, (size_t)length);
        b->shown += written > 0 ? (size_t)written : 0;
        if (written <= 0)
            break;
    }
    if (file >= 0)
        close(file);
}

/* Is one of its lines the one that says that it is ready? Of one that does not end, the beginning is not kept. */
static void hear_lines(struct box *b, const char *bytes, size_t length)
{
    const char *wanted = b->suite->ready_line;
    prose_bytes(&b->line, bytes, length);
    char *at = b->line.text, *end = at + b->line.length;
    for (char *newline; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1)
        b->announced = b->announced || memmem(at, (size_t)(newline - at), wanted, strlen(wanted));
    if (end - at > LONGEST_LINE) {
        b->announced = b->announced || memmem(at, (size_t)(end - at), wanted, strlen(wanted));
        at = end - PIECE;
    }
    b->line.length = (size_t)(end - at);
    memmove(b->line.text, at, b->line.length);
    b->line.text[b->line.length] = '\0';
}

static bool has_said(struct box *b)
{
    static char bytes[PIECE];
    int file = open(b->said, O_RDONLY | O_CLOEXEC);
    ssize_t length;
    for (int i = 0; file >= 0 && !b->announced && i < AT_ONCE && (length = pread(file, bytes, sizeof bytes, (off_t)b->heard)) > 0; i++) {
        hear_lines(b, bytes, (size_t)length);
        b->heard += (size_t)length;
    }
    if (file >= 0)
        close(file);
    return b->announced;
}

/* It may print for ever: what was read of it need not be kept, but for its end. Where the file system cannot give back a part of a file, it stays. */
static void forget_said(struct box *b)
{
    enum { KEPT = 2 * 4096 };
    struct stat s;
    if (stat(b->said, &s) || s.st_size < (off_t)b->forgotten + LONGEST_LINE)
        return;
    size_t read = b->suite->ready_line && !b->announced ? b->heard : (size_t)s.st_size;
    if (b->suite->ready_line && b->output >= 0 && b->shown < read)
        read = b->shown;
    size_t until = read < KEPT ? 0 : (read - KEPT) / KEPT * KEPT;
    int file = until > b->forgotten ? open(b->said, O_WRONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    (void)!fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)b->forgotten, (off_t)(until - b->forgotten));
    b->forgotten = until;
    close(file);
}

/* Where it is to print: a file of ours, but for what only is to be seen. */
static int open_said(struct box *b)
{
    b->shown = b->heard = b->forgotten = b->line.length = 0;
    b->announced = false;
    b->asked = -1;
    int file = open(b->said, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (b->output < 0 || b->suite->ready_line || file < 0)
        return file;
    close(file);
    return -1;
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
    forget_said(b);
    return rc < 0 || !b->suite->renew ? rc : hear(b, &b->drivers, err);
}

/* One that was to go to the background leaves behind who goes on. */
bool box_is_gone(const struct box *b)
{
    return b->ends.is[UNIT_BOX] && !(b->suite->background && b->ends.status[UNIT_BOX] == 0);
}

int box_start(struct box *b, const struct errand *e, struct err *err)
{
    b->ends.is[e->unit] = false;
    return warden_start(b->suite->renew && e->unit != UNIT_BOX ? &b->drivers : &b->warden, e, err);
}

/* ---- commands that come to an end ---- */

/* What it prints nobody sees, unless there is an output, is kept for an error. */
static int start_helper(struct box *b, const char *command, int output, struct err *err)
{
    int file = output >= 0 ? -1 : open(b->told, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    struct errand e = { UNIT_HELPER, command, -1, output >= 0 ? output : file, b->port, false };
    int rc = box_start(b, &e, err);
    if (file >= 0)
        close(file);
    return rc;
}

static int exit_status(int wait) { return WIFEXITED(wait) ? WEXITSTATUS(wait) : 128 + WTERMSIG(wait); }

/* 1 and its exit status, when it has ended. */
static int helper_ended(struct box *b, const char *command, const char *what, int *status, struct err *err)
{
    int wait = b->ends.status[UNIT_HELPER];
    if (!b->ends.is[UNIT_HELPER])
        return box_now() <= b->until ? 0 : fail(err, "%s has not ended in time (timeout of the suite: %d s): %s", what,
                                                b->suite->timeout, command);
    *status = exit_status(wait);
    return 1;
}

static int must_end_well(struct box *b, const char *command, const char *what, struct err *err)
{
    int status = 0, rc = helper_ended(b, command, what, &status, err);
    if (rc <= 0 || !status)
        return rc;
    char *said = last_line(b->told);
    fail(err, "%s ended with status %d: %s%s", what, status, command, said);
    free(said);
    return -EINVAL;
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
    bool stays = b->suite->renew && b->runs && !box_is_gone(b);
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

/* What it lacks. Gives. */
static char *lacks(const struct box *b)
{
    const struct suite *s = b->suite;
    if (s->background && !b->ends.is[UNIT_BOX])
        return memory_text("its command has not ended, as it should that goes to the background");
    if (s->ready_port && !listens(b->port))
        return prose_make("nothing listens at its port, VERISOFT_PORT=%d", b->port);
    if (s->ready_line && !b->announced)
        return prose_make("it has not printed a line with '%s'", s->ready_line);
    if (!s->ready)
        return memory_text("it took too long");
    return b->asked >= 0 ? prose_make("ready ended with status %d: %s", b->asked, s->ready) : prose_make("ready has not ended: %s", s->ready);
}

static int not_ready(struct box *b, struct err *err)
{
    char *said = last_line(b->said), *why = lacks(b);
    int status = b->ends.status[UNIT_BOX];
    if (!box_is_gone(b))
        fail(err, "the black box was not ready in time (timeout of the suite: %d s): %s; %s%s", b->suite->timeout, b->suite->start, why, said);
    else
        fail(err, "the black box ended before it was ready, %s %d: %s%s%s", WIFSIGNALED(status) ? "by signal" : "with status",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), b->suite->start, said,
             status ? "" : "; if it goes on in the background, the suite must say background = true");
    free(said);
    free(why);
    return -EINVAL;
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
    if (box_is_gone(b) && (s->ready || s->ready_port || s->ready_line || s->background))
        return not_ready(b, err);
    if (box_now() < b->look)
        return 0;
    if ((s->background && !b->ends.is[UNIT_BOX]) || (s->ready_port && !listens(b->port)) || (s->ready_line && !has_said(b))) {
        look_later(b);
        return box_now() > b->until ? not_ready(b, err) : 0;
    }
    b->phase = s->ready ? BOX_ASKING : BOX_READY;
    return s->ready ? start_helper(b, s->ready, -1, err) : 0;
}

static int asked(struct box *b, struct err *err)
{
    bool ended = b->ends.is[UNIT_HELPER], well = ended && b->ends.status[UNIT_HELPER] == 0;
    b->asked = ended ? exit_status(b->ends.status[UNIT_HELPER]) : b->asked;
    if (!well && box_now() > b->until)
        return not_ready(b, err);
    if (!ended)
        return 0;
    b->phase = BOX_READY;
    if (!well)
        look_later(b);
    return 0;
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
    b->told = prose_make("%s/told", b->warden.folder);
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
    prose_fini(&b->line);
    free(b->said);
    free(b->told);
}
