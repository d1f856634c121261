/* However a process ends (exit, crash, a spin, a call nobody controls, a broken rule), that end is an operation like any other, before which it
 * stands for ever. This is how, and in which words.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/internal.h"
#include "native/group.h"
#include "native/variable.h"
#include "objects/types.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <xxhash.h>

/* An end has no memory that matters, so its fingerprint is that of the operation alone. */
static void mark_end(struct arrival *a, const char *text)
{
    struct op op = a->op;
    op.text = 0;
    XXH128_hash_t hash = XXH3_128bits_withSeed(text, strlen(text), XXH3_64bits(&op, sizeof op));
    a->fingerprint[0] = hash.low64;
    a->fingerprint[1] = hash.high64;
    a->mergeable = true;
}

static void stand_at_end(struct native *n, uint32_t slot, uint8_t code, const int32_t arg[2], uint64_t place, const char *text, struct arrival *a)
{
    assert(slot < n->member_count && n->members[slot].process >= 0);
    *a = (struct arrival){.op = {.type = TYPE_PROCESS, .code = code, .process = (uint8_t)n->members[slot].process,
                                 .object = NO_OBJECT, .arg = {arg[0], arg[1]}, .place = place}};
    a->op.text = texts_number(n->texts, text);
    assert(types_traits(&a->op) & OP_ENDS);
    mark_end(a, text);
    memcpy(a->memory, n->told.memory, sizeof a->memory);
    arrive_notes(n, a);
    native_where(n);                                     /* while there is somebody to read it from */
    if (!n->settings.group && !n->settings.threads)      /* there it can go back, or somebody looks at how it ended */
        member_dismiss(n, slot);
}

void end_so(struct native *n, uint32_t slot, uint8_t code, int32_t arg, uint64_t place, const char *text, struct arrival *a)
{
    stand_at_end(n, slot, code, (int32_t[2]){arg}, place, text, a);
}

void end_uncontrolled(struct native *n, uint32_t slot, int how, const char *function, uint64_t place, const char *text,
                      struct arrival *a)
{
    int32_t arg[2] = {(int32_t)texts_number(n->texts, function), how};
    stand_at_end(n, slot, PROCESS_UNSUPPORTED, arg, place, text, a);
}

static void no_room(struct native *n, uint32_t slot, const char *what, struct arrival *a)
{
    char text[MAX_RULE];
    n->no_room = false;
    snprintf(text, sizeof text, "asks for %.400s", what);
    end_uncontrolled(n, slot, REFUSED_ROOM, what, n->settings.group ? group_place(n, slot, &n->told) : n->told.place, text, a);
}

void end_by_rule(struct native *n, uint32_t slot, const char *text, struct arrival *a)
{
    if (n->no_room)
        no_room(n, slot, text, a);
    else
        end_so(n, slot, PROCESS_STRUCTURE, 0, n->told.place, text, a);
}

void end_spoilt(struct native *n, uint32_t slot, struct arrival *a)
{
    line_repair(&n->line);
    n->told.notes_length = 0;
    n->no_room = false;
    end_by_rule(n, slot, rules_spoilt, a);
}

/* ---- how ---- */

static const char *signal_name(int signal, char *name, size_t room)
{
    const char *words = strsignal(signal), *short_name = sigabbrev_np(signal);
    if (short_name)
        snprintf(name, room, "%s (SIG%s)", words, short_name);
    else
        snprintf(name, room, "signal %d", signal);
    if (name[0] >= 'A' && name[0] <= 'Z' && !(name[1] >= 'A' && name[1] <= 'Z'))
        name[0] = (char)(name[0] - 'A' + 'a');
    return name;
}

static bool has_address(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS;        /* of others it is that of the instruction, which is known by its line */
}

void end_by_crash(struct native *n, uint32_t slot, struct arrival *a)
{
    const struct wire_slot *s = &n->told;
    struct place place = {0};
    char text[2 * MAX_RULE], name[MAX_RULE], address[64] = "", function[256] = "";
    uint64_t at = n->settings.group ? group_place(n, slot, s) : spin_place(n, slot, &place);
    if (!at || n->settings.group)                        /* a jump into nowhere cannot be unwound, or we may not look */
        place = where_call(native_where(n), at = at ? at : s->place);
    signal_name(s->arg[0], name, sizeof name);
    int child = s->arg[1] - CRASH_OF_CHILD(0);
    if (s->text[0])
        snprintf(name, sizeof name, "%.*s%s", MAX_RULE - 2, s->text, place.function ? "," : "");
    else if (s->arg[1] == CRASH_BY_ITSELF && s->arg[0] == SIGPIPE)
        snprintf(name, sizeof name, "SIGPIPE: it writes to a pipe or socket that nobody reads any more,");
    else if (s->arg[1] == CRASH_BY_ITSELF && s->arg[0] != SIGABRT)
        snprintf(name, sizeof name, "killed itself by SIG%s", sigabbrev_np(s->arg[0]) ? sigabbrev_np(s->arg[0]) : "RT");
    if (has_address(s->arg[0]))
        snprintf(address, sizeof address, " at address 0x%llx", (unsigned long long)s->address);
    if (place.function) {
        char words[sizeof function - 8];
        variable_function(place.function, words, sizeof words);
        snprintf(function, sizeof function, " in %s()", words);
    }
    snprintf(text, sizeof text, "%s%s%s", name, address, function);
    if (child >= 0 && child < MAX_PROCESSES)
        snprintf(text, sizeof text, "its child, process %d, ended by %s%s%s, and it did not look at how (wait with a status does)",
                 child + 1, name, address, function);
    end_so(n, slot, PROCESS_CRASH, s->arg[0], at, text, a);
}

void end_by_death(struct native *n, uint32_t slot, int status, struct arrival *a)
{
    char text[MAX_RULE];
    if (WIFEXITED(status)) {
        end_so(n, slot, PROCESS_EXIT, WEXITSTATUS(status), 0, "", a);
        return;
    }
    int signal = WTERMSIG(status);
    const char *name = sigabbrev_np(signal);
    bool outside = signal == SIGKILL || signal == SIGXCPU;       /* somebody, or the system's limit of processor time */
    snprintf(text, sizeof text, "killed %sby SIG%s", outside ? "from outside " : "", name ? name : "RT");
    stand_at_end(n, slot, PROCESS_CRASH, (int32_t[2]){signal, outside ? CRASH_FROM_OUTSIDE : 0}, 0, text, a);
}

void end_spinning(struct native *n, uint32_t slot, struct arrival *a)
{
    char text[MAX_RULE];
    uint64_t place = 0;
    spin_describe(n, slot, text, sizeof text, &place);
    end_so(n, slot, PROCESS_DIVERGENCE, 0, place, text, a);
    if (n->settings.group && !n->settings.threads && n->members[slot].pid && !n->members[slot].lost)
        kill(n->members[slot].pid, SIGSTOP);             /* it is never gone on with, and others need the processor */
}

void end_blocked(struct native *n, uint32_t slot, const struct watch *watch, struct arrival *a)
{
    char text[MAX_RULE], function[64];
    struct place place = {0};
    watch_describe(watch, text, sizeof text);
    watch_function(watch, function, sizeof function);
    uint64_t at = spin_place(n, slot, &place);
    end_uncontrolled(n, slot, REFUSED_BLOCKED, function, at, text, a);
}

void end_refused(struct native *n, uint32_t slot, struct arrival *a)
{
    const struct wire_slot *s = &n->told;
    char text[MAX_RULE], name[256];
    snprintf(name, sizeof name, "%.255s", s->text);
    if (s->arg[0] == REFUSED_CALL || s->arg[0] == REFUSED_SIZE) {
        char *more = strchr(name, ' ');
        if (more)
            *more++ = 0;
        snprintf(text, sizeof text, "calls %s%s%s%s, which is not controlled", name, strchr(name, '(') ? "" : "()", more ? " " : "",
                 more ? more : "");
    } else
        snprintf(text, sizeof text, "asks for %.400s", s->text);
    end_uncontrolled(n, slot, s->arg[0], name, n->settings.group ? group_place(n, slot, s) : s->place, text, a);
}
