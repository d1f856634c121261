/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/line.h"

#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FOLDERS_OPEN = 16 };   /* folders that are open at a time */

static struct line     *lines;
static struct sigaction before;      /* what the process did about dead children when the first line was made */

static long futex(uint32_t *word, int operation, uint32_t value, const struct timespec *timeout)
{
    return syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

static void child_died(int signal, siginfo_t *info, void *context)
{
    int saved = errno;
    for (struct line *l = lines; l; l = l->next)
        __atomic_fetch_add(&l->wire->bell, 1, __ATOMIC_SEQ_CST);
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(signal, info, context);
    else if (before.sa_handler != SIG_IGN && before.sa_handler != SIG_DFL)
        before.sa_handler(signal);
    errno = saved;
}

static void hold_signal(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(how, &set, NULL);
}

void line_hear(enum line_hears what)
{
    struct sigaction action = {.sa_sigaction = child_died, .sa_flags = SA_SIGINFO | (what == HEAR_STOPS ? 0 : SA_NOCLDSTOP)};
    sigaction(SIGCHLD, &action, NULL);
}

static void listen_for_deaths(struct line *l)
{
    hold_signal(SIG_BLOCK);
    if (!lines) {
        sigaction(SIGCHLD, NULL, &before);
        line_hear(HEAR_DEATHS);
    }
    l->next = lines;
    lines = l;
    hold_signal(SIG_UNBLOCK);
}

static void stop_listening(struct line *l)
{
    hold_signal(SIG_BLOCK);
    struct line **at = &lines;
    while (*at && *at != l)
        at = &(*at)->next;
    if (*at)
        *at = l->next;
    if (!lines)
        sigaction(SIGCHLD, &before, NULL);
    hold_signal(SIG_UNBLOCK);
}

/* Of as many bytes as it says; `own` says what stands at its beginning. */
static int make_region(struct line *l, struct err *err)
{
    l->fd = memfd_create("verisoft", MFD_CLOEXEC);
    if (l->fd < 0)
        return fail_errno(err, "no shared memory to talk to the program (memfd_create)");
    if (ftruncate(l->fd, (off_t)l->bytes) < 0)
        goto failed;
    l->wire = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, l->fd, 0);
    if (l->wire == MAP_FAILED)
        goto failed;
    *l->wire = l->own;
    return 0;
failed:;
    int failure = fail_errno(err, "no shared memory to talk to the program (ftruncate, mmap)");
    close(l->fd);
    return failure;
}

static uint32_t temporary_count(const struct wire_batch *b)
{
    return b->temporary_count < MAX_TEMPORARY ? b->temporary_count : MAX_TEMPORARY;
}

static void copy_temporary(struct wire_batch *to, const struct wire_batch *from)
{
    to->temporary_count = temporary_count(from);
    memcpy(to->temporary, from->temporary, to->temporary_count * sizeof *to->temporary);
}

int line_init(struct line *l, uint32_t slots, uint32_t group, struct err *err)
{
    l->bytes = sizeof(struct wire) + slots * sizeof(struct wire_slot) + sizeof(struct wire_batch) + sizeof(struct wire_accesses);
    l->own = (struct wire){.version = WIRE_VERSION, .controller = getpid(), .slots_count = slots, .group = group};
    int failure = make_region(l, err);
    if (!failure && lines)           /* an error is confirmed by a second start, while the files of the first are still there */
        copy_temporary(line_batch(l), line_batch(lines));
    if (!failure)
        listen_for_deaths(l);
    return failure;
}

/* Sets of accesses keep their numbers. Most of the room for them was never touched. */
static void copy_accesses(struct wire_accesses *to, const struct wire_accesses *from)
{
    memcpy(to, from, offsetof(struct wire_accesses, sets));
    memcpy(to->sets, from->sets, (from->set_count < MAX_SETS ? from->set_count : MAX_SETS) * sizeof *to->sets);
    memcpy(to->accesses, from->accesses, (from->access_count < MAX_ACCESSES ? from->access_count : MAX_ACCESSES) * sizeof *to->accesses);
}

int line_renew(struct line *l, struct err *err)
{
    struct line fresh = *l;
    fresh.own.controller = getpid();
    int failure = make_region(&fresh, err);
    if (failure)
        return failure;
    copy_accesses(line_accesses(&fresh), line_accesses(l));
    copy_temporary(line_batch(&fresh), line_batch(l));
    hold_signal(SIG_BLOCK);
    munmap(l->wire, l->bytes);
    close(l->fd);
    l->wire = fresh.wire;
    l->own = fresh.own;
    l->fd = fresh.fd;
    hold_signal(SIG_UNBLOCK);
    return 0;
}

static int remove_one(const char *name, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(name);
}

/* What has a name that the program gave, but is another file by now, stays. */
static void remove_temporary(const struct wire_temporary *t)
{
    struct stat about;
    char name[MAX_TEMPORARY_NAME];
    memcpy(name, t->name, sizeof name);
    name[sizeof name - 1] = '\0';
    if (name[0] != '/' || lstat(name, &about) || about.st_dev != t->device || about.st_ino != t->inode)
        return;
    nftw(name, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

void line_fini(struct line *l)
{
    stop_listening(l);
    for (uint32_t i = 0; i < temporary_count(line_batch(l)); i++)
        remove_temporary(&line_batch(l)->temporary[i]);
    munmap(l->wire, l->bytes);
    close(l->fd);
}

bool line_intact(const struct line *l)
{
    const struct wire *w = l->wire, *own = &l->own;
    return w->version == own->version && w->controller == own->controller && w->slots_count == own->slots_count
        && w->group == own->group && !memcmp(w->reserved, own->reserved, sizeof w->reserved);
}

void line_repair(struct line *l)
{
    uint32_t bell = l->wire->bell, launched = l->wire->launched;
    *l->wire = l->own;
    l->wire->bell = bell;
    l->wire->launched = launched;
}

struct wire_batch *line_batch(const struct line *l)
{
    return (struct wire_batch *)&l->wire->slots[l->own.slots_count];
}

struct wire_accesses *line_accesses(const struct line *l) { return (struct wire_accesses *)(line_batch(l) + 1); }

void line_clear(struct line *l, uint32_t slot)
{
    assert(slot < l->own.slots_count);
    memset(&l->wire->slots[slot], 0, offsetof(struct wire_slot, text));
}

void line_command(struct line *l, uint32_t slot, uint32_t command)
{
    assert(slot < l->own.slots_count && command != COMMAND_NONE);
    uint32_t *word = &l->wire->slots[slot].command;
    __atomic_store_n(word, command, __ATOMIC_RELEASE);
    futex(word, FUTEX_WAKE, 1, NULL);
}

bool line_taken(const struct line *l, uint32_t slot)
{
    return __atomic_load_n(&l->wire->slots[slot].command, __ATOMIC_ACQUIRE) == COMMAND_NONE;
}

uint32_t line_event(struct line *l, uint32_t slot)
{
    assert(slot < l->own.slots_count);
    return __atomic_exchange_n(&l->wire->slots[slot].event, EVENT_NONE, __ATOMIC_ACQUIRE);
}

/* To look at the others would make pages of them. */
uint32_t line_used(const struct line *l, uint32_t slot)
{
    const size_t head = offsetof(struct wire, slots), each = sizeof *l->wire->slots;
    off_t used = lseek(l->fd, (off_t)(head + slot * each), SEEK_DATA);
    if (used < 0)
        return errno == ENXIO ? l->own.slots_count : slot;       /* nobody; or nobody can tell */
    uint64_t there = ((size_t)used - head) / each;
    return there < l->own.slots_count ? (uint32_t)there : l->own.slots_count;
}

uint32_t line_bell(const struct line *l)
{
    return __atomic_load_n(&l->wire->bell, __ATOMIC_SEQ_CST);
}

bool line_wait(struct line *l, uint32_t bell, int milliseconds)
{
    struct timespec timeout = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    return futex(&l->wire->bell, FUTEX_WAIT, bell, &timeout) == 0 || errno != ETIMEDOUT;
}
