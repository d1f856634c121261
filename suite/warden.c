/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "suite/warden.h"

#include "base/child.h"
#include "base/memory.h"
#include "base/prose.h"
#include "suite/parking.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMAND_ROOM = 16384, UNITS = 256, LAST_TRIES = 50, OWN = 3 };   /* OWN: the warden's socket, among its file descriptors */
enum what { ORDER_START, ORDER_CLEAR, NEWS_ENDED, NEWS_CLEARED, NEWS_COPIED, NEWS_REFUSED };

struct order { enum what what; int unit, port; bool talks, prints, fresh; char command[COMMAND_ROOM]; };
struct news  { enum what what; int unit, status; };

static void read_children(char *text, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, room - 1);
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
}

/* ---- in the warden ---- */

struct places { char run[80], keep[80], temporary[80]; };        /* within its folder; all but `keep` are emptied for each path */

static pid_t pids[UNITS];                /* of those that run, by their unit */

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *at)
{
    (void)s, (void)flag;
    return at->level ? remove(path), 0 : 0;
}

/* A folder that somebody has made unreadable stays as it is, and is told at the end. */
static void empty(const char *folder) { nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static void send_news(enum what what, int unit, int status)
{
    struct news n = { what, unit, status };
    while (send(OWN, &n, sizeof n, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}

static pid_t next_child(char **at)
{
    char *end;
    long pid = strtol(*at, &end, 10);
    bool whole = end > *at && *end == ' ';       /* a number that was cut is another's */
    *at = end;
    return whole ? (pid_t)pid : 0;
}

/* All that are our children now, but who is spared; orphans become so when their parent is gone. How many they were. */
static int kill_children(bool (*is_spared)(pid_t))
{
    int count = 0;
    char text[4096], *at = text;
    read_children(text, sizeof text);
    for (pid_t pid; (pid = next_child(&at)) > 0;)
        if (!is_spared(pid))
            count += !kill(pid, SIGKILL);
    return count;
}

/* Who cannot be killed, being another user's, is left. */
static void clear(const struct places *at)
{
    while (kill_children(parking_has)) {
        pid_t pid = waitpid(-1, NULL, 0);
        if (pid < 0 && errno == ECHILD)
            break;
        parking_gone(pid);
    }
    memset(pids, 0, sizeof pids);
    empty(at->run);
    empty(at->temporary);
}

static void reap(void)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        parking_gone(pid);
        for (int i = 0; i < UNITS; i++)
            if (pids[i] == pid) {
                pids[i] = 0;
                send_news(NEWS_ENDED, i, status);
            }
    }
}

static void put(int from, int to)
{
    if (dup2(from, to) < 0)
        _exit(126);
}

static void tell_number(const char *variable, int value)
{
    char number[16];
    snprintf(number, sizeof number, "%d", value);
    setenv(variable, number, 1);
}

static void become(const struct order *o, int talk, int output, int parking)
{
    sigset_t none;
    sigemptyset(&none);
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    put(nothing, 0);
    put(output >= 0 ? output : nothing, 1);
    put(1, 2);
    if (talk >= 0)
        put(talk, DRIVER_SOCKET);
    if (talk >= 0)
        tell_number("VERISOFT_DRIVER", DRIVER_SOCKET);
    if (parking >= 0)
        put(parking, PARKING_SOCKET);
    if (parking >= 0)
        tell_number("VERISOFT_PARKING", PARKING_SOCKET);
    tell_number("VERISOFT_PORT", o->port);
    execl("/bin/sh", "sh", "-c", o->command, (char *)NULL);
    _exit(127);
}

static pid_t start_new(const struct order *o, const int *fds)
{
    int talk = o->talks ? fds[0] : -1, output = o->prints ? fds[o->talks] : -1, parking = o->talks && !o->fresh ? parking_offer(o->unit) : -1;
    pid_t self = getpid(), pid = fork();
    if (pid == 0) {
        child_dies_with(self);
        become(o, talk, output, parking);
    }
    if (parking >= 0)
        close(parking);
    return pid;
}

static void start(const struct order *o, const int *fds)
{
    pid_t pid = o->talks && !o->fresh ? parking_go(o->unit, o->port, fds, o->talks + o->prints) : 0;
    if (pid)
        send_news(NEWS_COPIED, o->unit, 0);
    else
        pid = start_new(o, fds);
    if (pid < 0)
        send_news(NEWS_REFUSED, o->unit, errno);
    else
        pids[o->unit] = pid;
    for (int i = 0; i < o->talks + o->prints; i++)
        close(fds[i]);
}

/* False: there will be no more. */
static bool obey(const struct places *at)
{
    static struct order o;
    union { struct cmsghdr header; char room[CMSG_SPACE(2 * sizeof(int))]; } control;
    struct iovec part = { &o, sizeof o };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
    ssize_t length = recvmsg(OWN, &m, MSG_CMSG_CLOEXEC);
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (length <= 0)
        return false;
    int fds[2] = { -1, -1 };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    if (c)
        memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
    if (o.what == ORDER_START) {
        start(&o, fds);
    } else {
        clear(at);
        send_news(NEWS_CLEARED, 0, 0);
    }
    return true;
}

/* From now on the driver is the copy of the one that is parked. */
static void park(int socket)
{
    int unit;
    pid_t copy;
    if (parking_asks(socket, pids, &unit, &copy))
        pids[unit] = copy;
}

static void watch(const struct places *at)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child, NULL);
    int ended = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    struct pollfd all[2 + UNITS] = { { OWN, POLLIN, 0 }, { ended, POLLIN, 0 } };
    for (;;) {
        struct signalfd_siginfo info;
        int parkings = parking_waits(all + 2);
        if (poll(all, 2 + (nfds_t)parkings, -1) < 0 && errno != EINTR)
            return;
        for (int i = 2; i < 2 + parkings; i++)
            if (all[i].revents)
                park(all[i].fd);
        while (read(ended, &info, sizeof info) > 0)
            ;
        reap();
        if (all[0].revents && !obey(at))
            return;
    }
}

static void put_in_front(const char *variable, const char *folder)
{
    const char *old = getenv(variable);
    char *both = prose_make("%s%s%s", folder, old && *old ? ":" : "", old ? old : "");
    setenv(variable, both, 1);
    free(both);
}

static void surround(const struct warden_home *home, const struct places *at)
{
    put_in_front("PATH", home->drivers);
    static const char *const searched[] = { "PYTHONPATH", "PERL5LIB", "NODE_PATH" };
    for (size_t i = 0; i < sizeof searched / sizeof *searched; i++)
        put_in_front(searched[i], home->drivers);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    setenv("PYTHONHASHSEED", "0", 1);
    setenv("VERISOFT_INCLUDE", home->include, 1);
    setenv("VERISOFT_FOLDER", home->run ? home->run : at->run, 1);
    setenv("VERISOFT_KEEP", home->keep ? home->keep : at->keep, 1);
    setenv("TMPDIR", at->temporary, 1);          /* who is killed leaves what he has there */
    char *copy = prose_make("%d", home->copy);
    setenv("VERISOFT_COPY", copy, 1);
    free(copy);
}

/* What it says first: where its folders are; or why there are none, as errno. */
struct folders { int code; char path[64]; };

static void remove_folders(const char *folder)
{
    empty(folder);
    for (int i = 0; rmdir(folder) && i < LAST_TRIES; i++) {     /* somebody else's drivers may still write to `keep` */
        usleep(20000);
        empty(folder);
    }
}

/* They are made here, by one who outlives whoever wants them, and removes them in any case. */
static bool make_folders(struct folders *f, struct places *at)
{
    const char *given = getenv("TMPDIR");
    snprintf(f->path, sizeof f->path, "%s/verisoft-XXXXXX", given && *given == '/' && strlen(given) < 32 ? given : "/tmp");
    bool made = mkdtemp(f->path), all = made;
    snprintf(at->run, sizeof at->run, "%s/run", f->path);
    snprintf(at->keep, sizeof at->keep, "%s/keep", f->path);
    snprintf(at->temporary, sizeof at->temporary, "%s/tmp", f->path);
    all = all && !mkdir(at->run, 0700) && !mkdir(at->keep, 0700) && !mkdir(at->temporary, 0700);
    f->code = all ? 0 : errno;
    if (made && !all)
        remove_folders(f->path);
    return all;
}

static void stand_apart(int socket)
{
    setsid();
    for (int s = 1; s < NSIG; s++)
        signal(s, s == SIGCHLD ? SIG_DFL : SIG_IGN);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    put(socket, OWN);
    close_range(OWN + 1, ~0u, 0);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < 3; i++)
        put(nothing, i);
    fcntl(OWN, F_SETFD, FD_CLOEXEC);
}

/* Who ends all that is called verisoft is not to end the one who tidies up after it: neither by its name nor by its command line. */
static void be_called(const char *name)
{
    char text[1024] = "", *at;
    unsigned long begin = 0, end = 0;
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    close(file);
    prctl(PR_SET_NAME, name);
    text[length > 0 ? length : 0] = '\0';
    at = strrchr(text, ')');
    /* After the name: a letter, 44 numbers, and where the command line is. */
    enum { BEFORE = 46 };
    for (int i = 0; at && i < BEFORE; i++)
        at = strchr(at + 1, ' ');
    if (!at || sscanf(at, "%lu %lu", &begin, &end) != 2 || end <= begin)
        return;
    memset((char *)begin, 0, end - begin);
    strncpy((char *)begin, name, end - begin - 1);
}

/* It ends only when nobody is left who could give orders: not by a signal that was meant for us. */
static void be_warden(int socket, const struct warden_home *home)
{
    struct folders f = { 0 };
    struct places at;
    stand_apart(socket);
    bool fine = make_folders(&f, &at);
    if (fine && chdir(home->folder)) {
        f.code = errno;
        fine = false;
        remove_folders(f.path);
    }
    send(OWN, &f, sizeof f, MSG_NOSIGNAL);       /* where nobody is left to hear it, that is seen next */
    if (!fine)
        _exit(1);
    surround(home, &at);
    be_called("box-warden");
    watch(&at);
    parking_close();
    clear(&at);
    remove_folders(f.path);
    _exit(0);
}

/* ---- outside of it ---- */

/* Children of ours that no warden has left to us: wardens, and who was there before. */
static struct { pid_t *items; uint32_t count, room; } own;

static void note_own(pid_t pid)
{
    ARRAY_GROW(own.items, own.count, own.room);
    own.items[own.count++] = pid;
}

static bool is_own(pid_t pid)
{
    for (uint32_t i = 0; i < own.count; i++)
        if (own.items[i] == pid)
            return true;
    return false;
}

static void forget_own(pid_t pid)
{
    for (uint32_t i = 0; i < own.count; i++)
        if (own.items[i] == pid)
            own.items[i--] = own.items[--own.count];
}

/* Whom a warden that was killed would have ended, becomes ours. */
static void take_orphans(void)
{
    char text[4096], *at = text;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    read_children(text, sizeof text);
    for (pid_t pid; (pid = next_child(&at)) > 0;)
        if (!is_own(pid))
            note_own(pid);
}

static void tidy_up(const struct warden *w)
{
    for (int i = 0; kill_children(is_own) && i < LAST_TRIES; i++) {
        char text[4096], *at = text;
        usleep(20000);
        read_children(text, sizeof text);
        for (pid_t pid; (pid = next_child(&at)) > 0;)
            if (!is_own(pid))
                waitpid(pid, NULL, WNOHANG);
    }
    if (*w->folder)
        remove_folders(w->folder);
}

static int gone(struct err *err)
{
    fail(err, "the process below which the box runs is gone; was it killed?");
    return -EIO;
}

static int hear_folders(struct warden *w, struct err *err)
{
    struct folders f;
    ssize_t length;
    while ((length = recv(w->socket, &f, sizeof f, 0)) < 0 && errno == EINTR)
        ;
    if (length != sizeof f)
        return gone(err);
    strcpy(w->folder, f.path);
    errno = f.code;
    return f.code ? fail_errno(err, "%s: no folder can be made there for the box, or that of the suite cannot be entered", f.path) : 0;
}

int warden_open(struct warden *w, const struct warden_home *home, struct err *err)
{
    int ends[2];
    char path[64];
    *w = (struct warden){ .socket = -1 };
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    if (access(path, R_OK))
        return fail_errno(err, "%s: without it the box could not be put back, for its processes could not be found", path);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return fail_errno(err, "no socket to start the box with");
    fflush(NULL);
    if (!own.count)
        take_orphans();
    w->pid = fork();
    if (w->pid == 0)
        be_warden(ends[1], home);
    if (w->pid > 0)
        note_own(w->pid);
    close(ends[1]);
    w->socket = ends[0];
    return w->pid < 0 ? fail_errno(err, "no process to start the box with") : hear_folders(w, err);
}

void warden_close(struct warden *w)
{
    int status = 0;
    if (w->pid <= 0)
        return;
    close(w->socket);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    forget_own(w->pid);
    if (WIFSIGNALED(status))
        tidy_up(w);
    w->pid = 0;
}

int warden_start(struct warden *w, const struct errand *e, struct err *err)
{
    struct order o = { .what = ORDER_START, .unit = e->unit, .port = e->port, .talks = e->talk >= 0, .prints = e->output >= 0, .fresh = e->fresh };
    assert(e->unit >= 0 && e->unit < UNITS);
    if (strlen(e->command) >= sizeof o.command)
        return fail(err, "a command of more than %zu bytes: write it into a file", sizeof o.command - 1);
    strcpy(o.command, e->command);
    int fds[2], count = 0;
    if (o.talks)
        fds[count++] = e->talk;
    if (o.prints)
        fds[count++] = e->output;
    ssize_t sent;
    while ((sent = parking_pass(w->socket, &o, sizeof o, fds, count, 0)) < 0 && errno == EINTR)
        ;
    return sent < 0 ? gone(err) : 0;
}

static int receive(struct warden *w, struct news *n, struct err *err)
{
    ssize_t length;
    while ((length = recv(w->socket, n, sizeof *n, MSG_DONTWAIT)) < 0 && errno == EINTR)
        ;
    if (length < 0 && errno == EAGAIN)
        return 0;
    return length <= 0 ? gone(err) : 1;
}

int warden_clear(struct warden *w, struct err *err)
{
    struct { enum what what; } o = { ORDER_CLEAR };
    ssize_t sent;
    while ((sent = send(w->socket, &o, sizeof o, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return sent < 0 ? gone(err) : 0;
}

int warden_news(struct warden *w, struct warden_news *news, struct err *err)
{
    struct news n;
    int rc = receive(w, &n, err);
    if (rc <= 0)
        return rc;
    if (n.what == NEWS_REFUSED) {
        errno = n.status;
        fail_errno(err, "no process for a driver or the box");
        return -EIO;
    }
    *news = (struct warden_news){ n.what == NEWS_CLEARED, n.what == NEWS_COPIED, n.unit, n.status };
    return 1;
}
