/* Process groups and sessions. The first process leads one of each, as if it had been started from a terminal of its own; who is forked is where its
 * parent was. Nothing of it is the kernel's: the table is in memory that all share, and who looks at it, or changes it, has said so by an ACCESS
 * operation. Two things look without saying so, and are refused where that could matter: a fork, of a process that another one moves, and a wait
 * for a process group, which goes on while children leave it.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "session.h"
#include "descriptors.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

#define PLACE (&rt_root->families[rt_host()])

static bool is_one(int host) { return host >= 0 && host < MAX_PROCESSES && rt_hosts() >> host & 1; }

/* About to look at where processes are, or to change it. */
RT_INLINE void say(bool changes, const char *call)
{
    struct rt_call access = rt_access_call(changes, rt_root->families, call);
    RT_ENTER(&access);
}
#define SAY(changes, name) say(changes, name "()")

uint64_t rt_group_members(int group)
{
    uint64_t members = 0;
    for (int h = 0; h < MAX_PROCESSES; h++)
        if (is_one(h) && rt_root->families[h].group == (group == RT_OWN_GROUP ? PLACE->group : group))
            members |= UINT64_C(1) << h;
    return members;
}

uint64_t rt_children(void)
{
    uint64_t children = 0;
    for (int h = 1; h < MAX_PROCESSES; h++)
        if (is_one(h) && rt_root->families[h].parent == rt_host())
            children |= UINT64_C(1) << h;
    return children;
}

void rt_family_inherited(int child)
{
    struct rt_family *own = PLACE;
    own->forks = true;
    rt_root->families[child] = (struct rt_family){.group = own->group, .session = own->session, .parent = (uint8_t)rt_host()};
}

bool rt_was_moved(void) { return PLACE->moved; }

/* ---- questions ---- */

/* NULL: there is no such process. */
RT_INLINE const struct rt_family *ask(pid_t pid, const char *name, const char *call)
{
    int host = pid ? pid - FIRST_PID : rt_host();
    if (!is_one(host) || (host != rt_host() && !rt_is_there(host, name, RT_FRAME)))
        return NULL;
    if (host)                            /* the first process stays where it is */
        say(false, call);
    return &rt_root->families[host];
}

RT_INLINE pid_t ask_group(pid_t pid, const char *name, const char *call)
{
    const struct rt_family *f = ask(pid, name, call);
    return f ? FIRST_PID + f->group : (pid_t)rt_answer(-ESRCH);
}

RT_INLINE pid_t ask_session(pid_t pid)
{
    const struct rt_family *f = ask(pid, "getsid", "getsid()");
    return f ? FIRST_PID + f->session : (pid_t)rt_answer(-ESRCH);
}

/* Alone, nobody has gone anywhere. */
static pid_t first(pid_t pid)
{
    return pid == 0 || (pid >= FIRST_PID && pid < FIRST_PID + MAX_PROCESSES) ? FIRST_PID : (pid_t)rt_answer(-ESRCH);
}

RT_FUNCTION(pid_t, getpgrp, (void), (), NEXT, DO(FIRST_PID), DO(ask_group(0, "getpgrp", "getpgrp()")))
RT_FUNCTION(pid_t, getpgid, (pid_t pid), (pid), NEXT, DO(first(pid)), DO(ask_group(pid, "getpgid", "getpgid()")))
RT_FUNCTION(pid_t, getsid, (pid_t pid), (pid), NEXT, DO(first(pid)), DO(ask_session(pid)))

/* ---- changes ---- */

#define WAITED_FOR " (of a child of who waits for a process group)"

/* Somebody in it who has not been waited for. */
RT_INLINE bool has_members(int group)
{
    for (uint64_t members = rt_group_members(group); members; members &= members - 1) {
        int h = __builtin_ctzll(members);
        if (rt_root->families[h].session == PLACE->session && (h == rt_host() || rt_is_there(h, "setpgid", RT_FRAME)))
            return true;
    }
    return false;
}

static bool parent_waits(const struct rt_family *f) { return f != rt_root->families && rt_root->families[f->parent].waits; }

/* Gives 0 or a negative errno. */
RT_INLINE int move(pid_t pid, pid_t group)
{
    int self = rt_host(), host = pid ? pid - FIRST_PID : self, to = group ? group - FIRST_PID : host;
    struct rt_family *f = &rt_root->families[host];
    if (group < 0)
        return -EINVAL;
    if (!is_one(host) || (host != self && !rt_is_there(host, "setpgid", RT_FRAME)))
        return -ESRCH;
    SAY(true, "setpgid");
    if (host != self && f->parent != self)
        return -ESRCH;
    if (f->session != PLACE->session || f->session == host || (to != host && (!is_one(to) || !has_members(to))))
        return -EPERM;
    if (host != self && f->forks)
        RT_REFUSE("setpgid (of another process that forks)");
    if (f->group != to && parent_waits(f))
        RT_REFUSE("setpgid" WAITED_FOR);
    f->moved |= host != self;
    f->group = (uint8_t)to;
    return 0;
}

RT_INLINE pid_t begin_session(void)
{
    struct rt_family *own = PLACE;
    SAY(true, "setsid");
    if (rt_group_members(rt_host()))
        return (pid_t)rt_answer(-EPERM);
    if (parent_waits(own))
        RT_REFUSE("setsid" WAITED_FOR);
    own->group = own->session = (uint8_t)rt_host();
    return FIRST_PID + rt_host();
}

RT_FUNCTION(int, setpgid, (pid_t pid, pid_t group), (pid, group), NEXT, NEED_GROUP, DO((int)rt_answer(move(pid, group))))
RT_FUNCTION(int, setpgrp, (void), (), NEXT, NEED_GROUP, DO((int)rt_answer(move(0, 0))))
RT_FUNCTION(pid_t, setsid, (void), (), NEXT, NEED_GROUP, DO(begin_session()))

/* ---- a daemon ---- */

static int replace_streams(void)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0)
        return -1;
    for (int fd = 0; fd <= 2; fd++)
        dup2(null, fd);
    if (null > 2)
        close(null);
    return 0;
}

RT_INLINE int become_daemon(int stays, int keeps_streams)
{
    pid_t child = fork();
    if (child < 0)
        return -1;
    if (child > 0)
        _exit(0);
    if (setsid() < 0)
        return -1;
    if (!stays && chdir("/"))
        return -1;
    return keeps_streams ? 0 : replace_streams();
}

RT_CONTROLLED(int, daemon, (int stays, int keeps_streams), (stays, keeps_streams), NEXT, DO(become_daemon(stays, keeps_streams)))
