/* The live processes of the program: who has which slot, who is parked where, and who goes when there are too many.
 * Invariant: only a process that is an unreaped child of ours, in the session of the program, is ever sent a signal: so a number that
 * the program scribbled into shared memory can harm nobody.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/internal.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIGNAL_PATIENCE = 200 };                          /* milliseconds for a handler of SIGUSR2 to clean up */

int member_slot(struct native *n)
{
    do
        for (uint32_t i = 0; i < n->member_count; i++)
            if (!n->members[i].pid)
                return (int)i;
    while (member_make_room(n));
    return -EAGAIN;
}

pid_t member_pid(const struct native *n, uint32_t slot)
{
    siginfo_t info = {0};
    pid_t pid = __atomic_load_n(&n->line.wire->slots[slot].pid, __ATOMIC_RELAXED);
    bool ours = pid > 1 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    return ours && getsid(pid) == n->own_session ? pid : NOBODY;
}

void member_join(struct native *n, uint32_t slot, pid_t pid, int process)
{
    assert(slot < n->member_count && process < MAX_PROCESSES);
    assert(!n->members[slot].pid || n->settings.group);
    n->members[slot] = (struct member){.pid = pid, .process = process, .node = NO_NODE, .from = NO_NODE, .used = ++n->now,
                                       .lost = pid == NOBODY};
    n->counts.starts++;
}

static pid_t try_wait(pid_t pid, int *status, int options)
{
    pid_t result;
    do
        result = waitpid(pid, status, options);
    while (result < 0 && errno == EINTR);
    return result;
}

bool member_gone(struct native *n, uint32_t slot, int *status)
{
    struct member *m = &n->members[slot];
    assert(m->pid > 1);
    *status = SIGKILL;
    if (!m->lost)
        m->lost = try_wait(m->pid, status, WNOHANG) != 0 && !WIFSTOPPED(*status);
    return m->lost;
}

static void ask_to_go(struct native *n, uint32_t slot)
{
    struct timespec while_it_goes = {.tv_nsec = 1000000};
    int status;
    assert(n->members[slot].pid > 1);
    kill(n->members[slot].pid, SIGCONT);                 /* one that was in a loop was stopped */
    n->line.wire->slots[slot].result = 1;
    line_command(&n->line, slot, COMMAND_END);
    for (int i = 0; i < SIGNAL_PATIENCE && !member_gone(n, slot, &status); i++) {
        nanosleep(&while_it_goes, NULL);
        if (i == SIGNAL_PATIENCE / 2 && !line_taken(&n->line, slot))
            kill(n->members[slot].pid, SIGUSR2);         /* it is running, and does not look at commands */
    }
}

void member_dismiss(struct native *n, uint32_t slot)
{
    struct member *m = &n->members[slot];
    int status;
    if (!m->pid)
        return;
    if (!member_gone(n, slot, &status) && n->settings.sigusr2)
        ask_to_go(n, slot);
    if (!m->lost) {
        assert(m->pid > 1);
        kill(m->pid, SIGKILL);
        try_wait(m->pid, &status, 0);
    }
    memset(m, 0, sizeof *m);
    line_clear(&n->line, slot);
}

/* What the program started behind our back is still in its group; a group keeps its number while a member lives. */
static void kill_group(struct native *n)
{
    int status;
    assert(n->session > 1);          /* else all that we may send signals to would be the group */
    for (uint32_t i = 0; i < n->member_count; i++)
        if (n->members[i].pid && !member_gone(n, i, &status) && getpgid(n->members[i].pid) == n->session) {
            kill(-n->session, SIGKILL);
            return;
        }
}

/* Processes that are not in the table because their clone was under way. */
static void dismiss_strays(struct native *n)
{
    int status;
    for (uint32_t i = 0; (i = line_used(&n->line, i)) < n->member_count; i++) {
        pid_t pid = member_pid(n, i);
        if (pid != NOBODY && try_wait(pid, &status, WNOHANG) == 0) {
            kill(pid, SIGKILL);
            try_wait(pid, &status, 0);
        }
    }
}

void member_dismiss_all(struct native *n)
{
    int status;
    for (uint32_t i = n->member_count; i-- > 1 && n->settings.sigusr2;)
        member_dismiss(n, i);
    if (n->session && !n->settings.sigusr2)
        kill_group(n);
    for (uint32_t i = 0; i < n->member_count && !n->settings.sigusr2; i++)   /* all first, so that they die side by side */
        if (n->members[i].pid && !member_gone(n, i, &status))
            kill(n->members[i].pid, SIGKILL);
    for (uint32_t i = 0; i < n->member_count; i++)
        member_dismiss(n, i);
    dismiss_strays(n);
    assert(member_of(n, 0) < 0);
    n->session = 0;
}

static bool can_go(const struct member *m)
{
    return m->pid && !m->first && m->node != NO_NODE;
}

static int least_used(const struct native *n, uint32_t *parked)
{
    int least = -1;
    *parked = 0;
    for (uint32_t i = 0; i < n->member_count; i++) {
        if (!can_go(&n->members[i]))
            continue;
        ++*parked;
        if (least < 0 || n->members[i].used < n->members[least].used)
            least = (int)i;
    }
    return least;
}

bool member_make_room(struct native *n)
{
    uint32_t parked;
    int slot = least_used(n, &parked);
    if (slot >= 0)
        member_dismiss(n, (uint32_t)slot);
    return slot >= 0;
}

void member_limit(struct native *n)
{
    uint32_t parked;
    int slot = least_used(n, &parked);
    assert((slot >= 0) == (parked > 0));
    if (parked > (uint32_t)n->settings.max_parked)
        member_dismiss(n, (uint32_t)slot);
}

int member_at(const struct native *n, int process, uint32_t node)
{
    for (uint32_t i = 0; i < n->member_count; i++)
        if (n->members[i].pid && n->members[i].process == process && n->members[i].node == node)
            return (int)i;
    return -1;
}

int member_of(const struct native *n, int process)
{
    for (uint32_t i = 0; i < n->member_count; i++)
        if (n->members[i].pid && n->members[i].process == process)
            return (int)i;
    return -1;
}
