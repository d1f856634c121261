/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/gdb.h"

#include "base/child.h"
#include "base/memory.h"
#include "base/prose.h"
#include "simulator/mi.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEADLINE = 20000 };           /* milliseconds for one answer: only to end a hang */
enum { SLICE = 200 };                /* milliseconds between two looks at `interrupt` */

struct gdb {
    const volatile int *interrupt;
    pid_t   self;                    /* 0: gone */
    int     to, from;
    char   *bytes;                   /* read, and not yet a whole line */
    size_t  length, room;
    long    token;
    bool    answered;
    struct mi_record answer;         /* to the last token */
    pid_t   pid;                     /* of the program */
    bool    running, stopping;       /* stopping: SIGSTOP was sent, and has not been seen */
    json_t *stopped;
};

/* ---- the process ---- */

static bool find_gdb(char *path, size_t room)
{
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        size_t length = strcspn(folder, ":");
        if (snprintf(path, room, "%.*s/gdb", (int)length, folder) < (int)room && !access(path, X_OK))
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

bool gdb_installed(void)
{
    char path[4096];
    return find_gdb(path, sizeof path);
}

static _Noreturn void become_gdb(const char *path, int in, int out, pid_t parent)
{
    cpu_set_t all;
    sigset_t none;
    memset(&all, 0xff, sizeof all);
    sigemptyset(&none);
    child_dies_with(parent);
    setsid();                        /* out of reach of the terminal's Ctrl-C */
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    sched_setaffinity(0, sizeof all, &all);
    dup2(in, 0);
    dup2(out, 1);
    dup2(open("/dev/null", O_WRONLY), 2);
    syscall(SYS_close_range, 3, ~0u, CLOSE_RANGE_CLOEXEC);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("TERM", "dumb", 1);
    unsetenv("DEBUGINFOD_URLS");
    execl(path, "gdb", "-nx", "-nh", "--quiet", "--interpreter=mi3", (char *)NULL);
    _exit(127);
}

static int launch(struct gdb *g, const char *path, struct err *err)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) < 0)
        return fail_errno(err, "no pipe to talk to gdb");
    if (pipe2(out, O_CLOEXEC) < 0) {
        close(in[0]);
        close(in[1]);
        return fail_errno(err, "no pipe to talk to gdb");
    }
    pid_t parent = getpid();
    g->self = fork();
    if (g->self == 0)
        become_gdb(path, dup(in[0]), dup(out[1]), parent);
    close(in[0]);
    close(out[1]);
    g->to = in[1];
    g->from = out[0];
    if (g->self > 0)
        return 0;
    g->self = 0;
    close(g->to);
    close(g->from);
    return fail_errno(err, "no new process for gdb");
}

/* It may have put breakpoints into the program: whoever held it must start that again. */
static void bury(struct gdb *g)
{
    if (!g->self)
        return;
    kill(g->self, SIGKILL);
    while (waitpid(g->self, NULL, 0) < 0 && errno == EINTR)
        ;
    close(g->to);
    close(g->from);
    g->self = 0;
}

bool gdb_there(struct gdb *g)
{
    siginfo_t info = { 0 };
    if (g->self && (waitid(P_PID, (id_t)g->self, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid))
        bury(g);
    return g->self != 0;
}

/* The letter of /proc/PID/stat; 0: there is no such process. */
static char state_of(pid_t pid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[got > 0 ? got : 0] = '\0';
    const char *end = strrchr(text, ')');
    return end && end[1] ? end[2] : '\0';
}

static bool is_dead(pid_t pid)
{
    char state = state_of(pid);
    return !state || state == 'Z' || state == 'X';
}

/* ---- what it says ---- */

static void note_end(struct gdb *g)
{
    g->pid = 0;
    g->running = g->stopping = false;
}

static bool stopped_by_us(const struct gdb *g)
{
    const char *signal = json_string_value(json_object_get(g->stopped, "signal-name"));
    return signal && !strcmp(signal, "SIGSTOP");
}

static void take_exec(struct gdb *g, struct mi_record *m)
{
    const char *reason = json_string_value(json_object_get(m->value, "reason"));
    if (!strcmp(m->word, "running"))
        g->running = true;
    if (strcmp(m->word, "stopped"))
        return;
    json_decref(g->stopped);
    g->stopped = m->value;
    m->value = NULL;
    g->running = false;
    if (stopped_by_us(g))
        g->stopping = false;
    if (reason && !strncmp(reason, "exited", 6))
        note_end(g);
}

static void take_line(struct gdb *g, const char *line, size_t length)
{
    struct mi_record m;
    mi_read(&m, line, length);
    if (m.kind == MI_EXEC) {
        take_exec(g, &m);
    } else if (m.kind == MI_NOTIFY && !strcmp(m.word, "thread-group-exited")) {
        note_end(g);
    } else if (m.kind == MI_RESULT && m.token == g->token && !g->answered) {
        g->answer = m;
        g->answered = true;
        return;
    }
    mi_fini(&m);
}

static void take_lines(struct gdb *g)
{
    size_t at = 0;
    char *end;
    while ((end = memchr(g->bytes + at, '\n', g->length - at))) {
        take_line(g, g->bytes + at, (size_t)(end - g->bytes) - at);
        at = (size_t)(end - g->bytes) + 1;
    }
    g->length -= at;
    memmove(g->bytes, g->bytes + at, g->length);
}

/* Reads what is there. False: gdb is gone. */
static bool read_some(struct gdb *g)
{
    if (g->room - g->length < 4096)
        g->bytes = memory_resize(g->bytes, g->room = 2 * g->room + 16384);
    ssize_t got = read(g->from, g->bytes + g->length, g->room - g->length);
    if (got < 0 && errno == EINTR)
        return true;
    if (got <= 0)
        return false;
    g->length += (size_t)got;
    take_lines(g);
    return true;
}

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int gone(struct gdb *g, struct err *err)
{
    bury(g);
    return fail(err, "gdb was killed, or does not answer; ask again, and it is started again"), -ESRCH;
}

/* Until gdb says something, or the other descriptor does. GDB_STOPPED stands for: gdb said something. */
static int listen_once(struct gdb *g, int other, long until, struct err *err)
{
    struct pollfd news[2] = { { .fd = g->from, .events = POLLIN }, { .fd = other, .events = POLLIN } };
    long left = until - now();
    if (left <= 0)
        return GDB_LATE;
    int ready = poll(news, 2, left < SLICE ? (int)left : SLICE);
    if (g->interrupt && *g->interrupt)
        return fail(err, "interrupted"), -EINTR;
    if (ready <= 0)
        return GDB_STOPPED;
    if (news[0].revents)
        return read_some(g) ? GDB_STOPPED : gone(g, err);
    return GDB_OTHER;
}

/* ---- what it is told ---- */

static bool write_all(int fd, const char *bytes, size_t length)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
    sigaction(SIGPIPE, &ignore, &before);
    while (length) {
        ssize_t wrote = write(fd, bytes, length);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            break;
        bytes += wrote;
        length -= (size_t)wrote;
    }
    sigaction(SIGPIPE, &before, NULL);
    return !length;
}

static int command(struct gdb *g, struct err *err, const char *format, va_list values)
{
    struct prose line = { 0 };
    if (!g->self)
        return gone(g, err);
    prose_add(&line, "%ld", ++g->token);
    prose_add_list(&line, format, values);
    prose_add(&line, "\n");
    mi_fini(&g->answer);
    g->answered = false;
    bool sent = write_all(g->to, line.text, line.length);
    prose_fini(&line);
    if (!sent)
        return gone(g, err);
    long until = now() + DEADLINE;
    int rc = 0;
    while (!g->answered && rc >= 0)
        if ((rc = listen_once(g, -1, until, err)) == GDB_LATE)
            rc = gone(g, err);
    return rc < 0 ? rc : 0;
}

static int refused(const struct gdb *g, struct err *err)
{
    const char *words = json_string_value(json_object_get(g->answer.value, "msg"));
    return fail(err, "%s", words ? words : "gdb refuses this");
}

json_t *gdb_ask(struct gdb *g, int *failure, struct err *err, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    *failure = command(g, err, format, values);
    va_end(values);
    if (!*failure && strcmp(g->answer.word, "done"))
        *failure = refused(g, err);
    return *failure ? NULL : json_incref(g->answer.value);
}

int gdb_go(struct gdb *g, struct err *err, const char *format, ...)
{
    va_list values;
    json_decref(g->stopped);
    g->stopped = NULL;
    va_start(values, format);
    int rc = command(g, err, format, values);
    va_end(values);
    if (!rc && strcmp(g->answer.word, "running"))
        return refused(g, err);
    if (!rc && !g->stopped && g->pid)        /* or it has stopped already */
        g->running = true;
    return rc;
}

int gdb_wait(struct gdb *g, int other, int milliseconds, struct err *err)
{
    long until = now() + milliseconds;
    int rc = GDB_STOPPED;
    while (g->running && rc == GDB_STOPPED)
        rc = listen_once(g, other, until, err);
    return rc;
}

/* Not -exec-interrupt: that is a SIGINT, which the runtime keeps blocked where the program waits. */
int gdb_stop(struct gdb *g, struct err *err)
{
    if (!g->running)
        return 0;
    g->stopping = kill(g->pid, SIGSTOP) == 0;
    int rc = gdb_wait(g, -1, DEADLINE, err);
    return rc < 0 ? rc : rc == GDB_LATE ? gone(g, err) : 0;
}

/* gdb does not hear of the death of what it holds stopped, and is of no use then. */
bool gdb_holds(struct gdb *g)
{
    if (g->pid && is_dead(g->pid)) {
        bury(g);
        note_end(g);
    }
    return g->pid != 0;
}

bool          gdb_running(const struct gdb *g) { return g->running; }
pid_t         gdb_pid(const struct gdb *g)     { return g->pid; }
const json_t *gdb_stopped(const struct gdb *g) { return g->stopped; }

/* ---- begin and end ---- */

/* Nothing may stop the program but us, flood an answer, ask back, or be fetched from the network. Separate debug files are those of
 * the system's libraries: slow to read, and a step would lead into them. */
static const char *const settings[] = {
    "-gdb-set confirm off", "-gdb-set pagination off", "-gdb-set width 0", "-gdb-set height 0", "-gdb-set mi-async on",
    "-gdb-set debuginfod enabled off", "-gdb-set debug-file-directory", "-gdb-set auto-load local-gdbinit off",
    "-gdb-set may-call-functions off", "-gdb-set print elements 200", "-gdb-set print repeats 10",
    "-gdb-set print frame-arguments scalars", "-gdb-set print thread-events off", "-gdb-set max-value-size 4194304",
    "-gdb-set style enabled off", "-gdb-set startup-with-shell off", "-gdb-set disable-randomization on",
    "-gdb-set follow-fork-mode parent", "-gdb-set detach-on-fork on", "-gdb-set history save off", "-gdb-set unwindonsignal on",
    "-interpreter-exec console \"handle all nostop noprint pass\"",
    "-interpreter-exec console \"handle SIGINT nostop noprint pass\"",
    "-interpreter-exec console \"handle SIGSTOP stop print nopass\"",
    "-interpreter-exec console \"skip -rfu ^std::\"", "-interpreter-exec console \"skip -rfu ^__gnu_cxx::\"",
};

/* Settings that this version of gdb does not have are none that it needs. */
static int set_up(struct gdb *g, const char *executable, struct err *err)
{
    int failure = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && failure != -ESRCH && failure != -EINTR; i++)
        json_decref(gdb_ask(g, &failure, err, "%s", settings[i]));
    if (failure == -ESRCH || failure == -EINTR)
        return failure;
    char *file = mi_quote(executable);
    json_decref(gdb_ask(g, &failure, err, "-file-exec-and-symbols %s", file));
    free(file);
    return failure;
}

struct gdb *gdb_new(const char *executable, const volatile int *interrupt, struct err *err)
{
    char path[4096];
    if (!find_gdb(path, sizeof path)) {
        fail(err, "gdb is not installed; install it (apt-get install gdb) to see into the program");
        return NULL;
    }
    struct gdb *g = memory_get(sizeof *g);
    g->interrupt = interrupt;
    if (launch(g, path, err) < 0 || set_up(g, executable, err) < 0) {
        gdb_free(g);
        return NULL;
    }
    return g;
}

void gdb_free(struct gdb *g)
{
    if (!g)
        return;
    if (gdb_there(g))
        gdb_detach(g);
    bury(g);
    mi_fini(&g->answer);
    json_decref(g->stopped);
    free(g->bytes);
    free(g);
}

static int cannot_attach(const struct gdb *g, pid_t pid, struct err *err)
{
    if (!g->self)
        return -ESRCH;
    if (is_dead(pid))
        return fail(err, "the process was killed"), -ESRCH;
    struct err why = *err;
    return fail(err, "gdb may not attach to the program: %.400s To allow it: echo 0 | sudo tee /proc/sys/kernel/yama/ptrace_scope "
                "(in a container: run it with --cap-add SYS_PTRACE)", why.text);
}

int gdb_attach(struct gdb *g, pid_t pid, struct err *err)
{
    int failure;
    json_decref(g->stopped);
    g->stopped = NULL;
    g->pid = pid;
    g->running = true;
    json_decref(gdb_ask(g, &failure, err, "-target-attach %d", (int)pid));
    if (failure) {
        note_end(g);
        return cannot_attach(g, pid, err);
    }
    g->running = !g->stopped;
    int rc = gdb_wait(g, -1, DEADLINE, err);
    if (rc == GDB_LATE)
        return gone(g, err);
    if (rc >= 0 && !g->pid)
        return fail(err, "the process was killed"), -ESRCH;
    return rc < 0 ? rc : 0;
}

void gdb_detach(struct gdb *g)
{
    struct err err;
    int failure;
    if (!g->self || !gdb_holds(g))
        return;
    pid_t pid = g->pid;
    bool stopped = gdb_stop(g, &err) == 0;
    if (g->self)
        json_decref(gdb_ask(g, &failure, &err, "-break-delete"));
    if (stopped && g->pid)
        json_decref(gdb_ask(g, &failure, &err, "-target-detach"));
    if (g->stopping)                 /* it stopped for another reason, and ours is still to come */
        kill(pid, SIGCONT);
    note_end(g);
}
