/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"
#include "native/internal.h"
#include "base/memory.h"
#include "native/launch.h"
#include "objects/types.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_PARKED = 128, DEFAULT_LIMIT = 10, FIRST_SLOT = 0 };

static bool stay_on(pid_t pid, int core)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return sched_setaffinity(pid, sizeof one, &one) == 0;
}

/* While controller and program take turns, one core is fastest: to wake a process on another costs more than most transitions. */
static void stay_on_this_core(struct native *n)
{
    n->core = sched_getcpu();
    sched_getaffinity(0, sizeof n->cores, &n->cores);
    n->pinned = n->core >= 0 && stay_on(0, n->core);
}

/* The cores that the controller was given when it began, whoever keeps it to one of them now. */
static const cpu_set_t *given_cores(const struct native *n)
{
    static cpu_set_t given;
    if (!CPU_COUNT(&given))
        given = n->cores;
    return &given;
}

/* The dynamic linker leaves in memory which core it ran on, so that only starts on the same one can be compared: that is always the first
 * of those that the controller was given, whichever it has. */
static int launch_on_first_core(struct native *n, pid_t *pid, struct err *err)
{
    const cpu_set_t *given = given_cores(n);
    int first = 0;
    while (n->pinned && first < CPU_SETSIZE && !(CPU_ISSET(first, given) && stay_on(0, first)))
        first++;
    n->pinned &= first < CPU_SETSIZE;
    int failure = launch(&n->settings, &n->line, n->input[0], pid, &n->comparable, err);
    if (n->pinned)
        stay_on(0, n->core);
    return failure;
}

static void come_to_this_core(const struct native *n)
{
    for (uint32_t i = 0; n->pinned && i < n->member_count; i++)
        if (n->members[i].pid && !n->members[i].lost)
            stay_on(n->members[i].pid, n->core);
}

/* The one that so many are before, of the cores that it was given. */
static int core_at(const struct native *n, uint32_t place)
{
    int core = 0;
    for (uint32_t left = place % (uint32_t)CPU_COUNT(&n->cores); left || !CPU_ISSET(core, &n->cores); core++)
        left -= CPU_ISSET(core, &n->cores) ? 1 : 0;
    return core;
}

/* To be allowed on another core moves nobody there: it is kept to it. */
void native_take_place(struct native *n, uint32_t place, uint32_t of)
{
    if (!n->pinned)
        return;
    pace_stay_apart(n, false);
    n->crowded = of >= (uint32_t)CPU_COUNT(&n->cores);
    n->core = core_at(n, place);
    stay_on(0, n->core);
    come_to_this_core(n);
}

/* A group keeps the numbers of its objects: it will name them again. */
static void forget_objects(struct native *n)
{
    if (n->settings.group)
        return;
    n->start.object_count = n->array_count = n->user_count = n->memory_count = 0;
}

static int first_arrival(struct native *n, uint32_t slot, struct err *err)
{
    struct arrival *a = &n->start.first[slot];
    int failure = arrive(n, slot, a, err);
    if (failure || types_traits(&a->op) & OP_ENDS)
        return failure;
    n->members[slot].node = 0;
    n->members[slot].first = true;
    return 0;
}

/* The children that the first process forked while it ran have waited for this since. */
static int start_children(struct native *n, struct err *err)
{
    for (uint32_t child = 1; child < (uint32_t)n->start.processes; child++)
        member_join(n, child, member_pid(n, child), (int)child);
    for (uint32_t child = 1; child < (uint32_t)n->start.processes; child++) {
        line_command(&n->line, child, COMMAND_RUN);
        int failure = first_arrival(n, child, err);
        if (failure)
            return failure;
    }
    return 0;
}

static bool is_timed(const struct native_settings *s)
{
    return s->group && !s->timers_any && s->habits && s->habits->timed;
}

static bool cancels(const struct native_settings *s) { return s->habits && s->habits->cancels; }

static bool has_files(const struct native_settings *s) { return s->habits && s->habits->files; }
static bool is_patient(const struct native_settings *s) { return s->habits && s->habits->patient; }

static void tell_visible(struct native *n)
{
    const struct visible *v = n->settings.visible;
    struct wire_accesses *told = line_accesses(&n->line);
    for (uint32_t i = 0; v && i < v->count; i++) {
        told->visible[i] = v->all[i];
        told->visible[i].address = visible_name(v, v->all[i].address);
        told->visible[i].object = visible_name(v, v->all[i].object);
    }
    told->visible_count = v ? v->count : 0;
    told->rounds = habits_rounds(n->settings.habits);
    told->endless_count = 0;
    for (uint32_t i = 0; v && i < v->loop_count; i++)
        if (v->loops[i].endless)
            told->endless[told->endless_count++] = visible_name(v, v->loops[i].place);
}

bool native_instrumented(const struct native *n) { return n->line.wire->launched & LAUNCH_INSTRUMENTED; }

bool native_fixed(const struct native *n) { return n->line.own.launched & LAUNCH_FIXED_ADDRESSES; }

/* Are the libraries still where they were in the first start? */
static int look_at_cache(struct native *n, struct err *err)
{
    int64_t size = launch_cache_size();
    if (n->booted && size != n->cache_size && native_fixed(n))
        return fail(err, "the libraries of this machine were changed while %s was searched (/etc/ld.so.cache has another size), so that it cannot be started "
                    "again as it was: start the search again", n->settings.executable);
    n->cache_size = size;
    return 0;
}

int native_boot(struct native *n, struct err *err)
{
    pid_t pid;
    if (look_at_cache(n, err) < 0)
        return -EINVAL;
    forget_objects(n);
    tell_visible(n);
    line_clear(&n->line, FIRST_SLOT);
    int failure = launch_on_first_core(n, &pid, err);
    if (failure)
        return failure;
    n->comparable &= launch_cache_size() == n->cache_size;       /* else nobody knows which it was */
    n->session = pid;
    n->own_session = getsid(pid);
    if (n->settings.group && n->line.wire->launched & LAUNCH_SANITIZED)
        return fail(err, "%s was built with a sanitizer, which cannot follow threads that VeriSoft runs: build it without "
                    "(-fsanitize=...)", n->settings.executable);
    n->starting = true;
    n->start.processes = 1;
    member_join(n, FIRST_SLOT, pid, 0);
    bool fixed = native_fixed(n);
    n->moved = n->booted && !fixed;
    n->booted = true;
    failure = first_arrival(n, FIRST_SLOT, err);
    if (!fixed)
        native_where(n);             /* places are told as addresses of the first start (runtime/layout.c): it is read from that */
    if (!launch_connected(&n->line) && failure != -EINTR)
        failure = launch_failed(&n->line, n->settings.executable, err);
    if (!failure)
        failure = start_children(n, err);
    if (failure == -ESRCH)
        fail(err, "a process of %s was killed from outside as it began", n->settings.executable);
    come_to_this_core(n);
    n->starting = false;
    n->group.alive = !failure;
    return failure;
}

static void free_parts(struct native *n)
{
    where_free(n->where);
    group_fini(n);
    free(n->start.objects);
    free(n->arrays);
    free(n->members);
    close(n->input[0]);
    close(n->input[1]);
    free(n);
}

static struct native *new_native(const struct native_settings *settings, const struct history *history, struct texts *texts)
{
    struct native *n = memory_get(sizeof *n);
    n->settings = *settings;
    n->graphs = history->graphs;
    if (n->settings.max_parked < 1)
        n->settings.max_parked = DEFAULT_PARKED;
    if (n->settings.divergence_limit < 1)
        n->settings.divergence_limit = DEFAULT_LIMIT;
    n->texts = texts;
    n->member_count = (uint32_t)n->settings.max_parked + MAX_PROCESSES + 2;      /* + who runs, and its copy */
    n->members = memory_get(n->member_count * sizeof *n->members);
    n->runner = (struct runner){.self = n, .run = settings->group ? group_run_path : native_run,
                                .glimpse = group_try, .send = group_send, .await = group_await, .name = group_name};
    if (settings->group && settings->visible) {
        n->runner.seen = seen_of;
        n->runner.accesses = seen_accesses;
    }
    if (n->settings.group)
        n->start.objects = memory_get(MAX_OBJECTS * sizeof *n->start.objects);   /* its place is known to others: never moves */
    n->start.group = n->settings.group;
    n->start.timed = is_timed(&n->settings);
    memset(n->group.same, NOT_KEPT, sizeof n->group.same);
    return n;
}

int native_start(struct native **out, const struct native_settings *settings, const struct history *history, struct texts *texts,
                 struct start *start, struct err *err)
{
    int failure = launch_check(settings, err);
    if (failure)
        return failure;
    struct native *n = new_native(settings, history, texts);
    if (settings->outside && !settings->one_path)
        outside_forget(settings->outside);
    if (pipe2(n->input, O_CLOEXEC) < 0) {
        failure = fail_errno(err, "no pipe for the program's input");
        n->input[0] = n->input[1] = -1;
        goto failed;
    }
    uint32_t group = (settings->threads ? GROUP_THREADS : 0)
                   | (!settings->group ? 0 : GROUP_ON | (settings->spurious ? GROUP_SPURIOUS : 0) | (settings->states ? GROUP_STATES : 0)
                                         | (settings->timers_any ? GROUP_TIMERS_ANY : 0) | (settings->timers_late ? GROUP_TIMERS_LATE : 0) | (is_timed(settings) ? GROUP_CLOCK : 0) | (cancels(settings) ? GROUP_CANCELS : 0)
                                         | (is_patient(settings) ? GROUP_PATIENT : 0) | (has_files(settings) ? GROUP_BY_FILES : 0) | settings->overruns << GROUP_OVERRUNS_SHIFT
                                         | (settings->pooled ? GROUP_POOLED : 0) | (settings->visible ? GROUP_WATCH : 0)
                                         | (settings->outside ? GROUP_OUTSIDE : 0) | (settings->demand ? GROUP_DEMAND : 0) | (settings->plain_volatile ? GROUP_VOLATILE_PLAIN : 0));
    failure = line_init(&n->line, n->member_count, group, err);
    if (failure)
        goto failed;
    stay_on_this_core(n);
    failure = native_boot(n, err);
    if (failure) {
        native_stop(n);
        return failure;
    }
    *start = n->start;
    *out = n;
    return 0;
failed:
    free_parts(n);
    return failure;
}

void native_stop(struct native *n)
{
    if (!n)
        return;
    member_dismiss_all(n);
    line_fini(&n->line);
    sched_setaffinity(0, sizeof n->cores, &n->cores);
    free_parts(n);
}

int native_renew(struct native *n, struct err *err)
{
    assert(n->settings.group);
    memset(n->members, 0, n->member_count * sizeof *n->members);
    n->session = 0;
    group_forget(n);
    return line_renew(&n->line, err);
}

uint64_t *native_numbers(struct native *n)
{
    _Static_assert(offsetof(struct native_counts, restores) == 2 * sizeof(uint64_t), "three numbers in a row");
    return &n->counts.transitions;
}

const struct runner *native_runner(const struct native *n) { return &n->runner; }

pid_t native_pid(const struct native *n, int process, uint32_t node)
{
    int slot = n->settings.group ? process : n->settings.threads ? member_of(n, process) : member_at(n, process, node);
    return slot >= 0 && !n->members[slot].lost ? n->members[slot].pid : 0;
}

/* The program may write anything there. */
static void copy_words(char *to, const char *from, size_t room)
{
    size_t length = 0;
    for (; length + 1 < room && from[length] >= ' ' && from[length] <= '~'; length++)
        to[length] = from[length];
    to[length] = 0;
}

struct native_counts native_counts(const struct native *n)
{
    struct native_counts counts = n->counts;
    const struct wire_batch *batch = n->settings.group && n->line.wire ? line_batch(&n->line) : NULL;
    if (batch && batch->kernel_state && !n->settings.restart)
        copy_words(counts.starts_again, batch->kernel_words, sizeof counts.starts_again);
    return counts;
}

bool native_comparable(const struct native *n)
{
    return n->comparable && n->pinned;
}

bool native_alike(const struct native *a, const struct native *b)
{
    return native_comparable(a) && native_comparable(b) && a->cache_size == b->cache_size;
}

struct where *native_where(struct native *n)
{
    for (uint32_t i = 0; !n->where && !n->moved && i < n->member_count; i++)
        if (n->members[i].pid && !n->members[i].lost)
            n->where = where_new(n->members[i].pid, NULL);
    return n->where;
}
