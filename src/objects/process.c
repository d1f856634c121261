/* Processes themselves: exit, and a parent's wait for its children; in a sharing group also threads: create, join, cancel.
 * The state is a table (process.h). Without a group, process 0 is the parent of all others, and the system writes the word of a
 * process when it comes to its end (process_ended). A wait for any child gives any of those that have ended; the search tries each.
 *
 * A timer is a thread that nobody sees: it keeps no UNIX process alive, and gets no signal.
 *
 * Invariant: LIVING of a UNIX process is how many of its threads are live; only one of its own can have begun to exit; who has joined
 * or is joined was born.
 * SPDX-License-Identifier: MIT */
#include "objects/process.h"
#include "objects/builtin.h"
#include "objects/set.h"
#include "objects/signals.h"
#include "objects/timers.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { RUNNING, ENDED, REAPED, NEVER };      /* low bits of a UNIX process's word; the wait status stands above */
enum { PHASE_BITS = 2, PHASE_MASK = 3, TABLE = 1 };   /* word 0 is the number of processes, then a word each */

/* In a group, four more words for each process. Of the first the low bits are its life; the second is its host, the parent's
 * host, and how many it created, a field each. The last two are of UNIX processes: how many threads are live, and which of them
 * began to exit (1 + its number; 0: none). */
#define GROUP_TABLE UINT32_C(0x80000000)     /* in word 0 */
enum { UNBORN, LIVE, FINISHED, JOINED, LIFE_MASK = 3, DETACHED = 4, CANCELLED = 8, TIMER = 16 };
enum { JOINER_SHIFT = 8, GENERATION_SHIFT = 16 };        /* above: 1 + who joined it; how many had its number before */
enum { THREADS = TABLE + MAX_PROCESSES, FAMILIES = THREADS + MAX_PROCESSES,
       LIVING = FAMILIES + MAX_PROCESSES, EXITERS = LIVING + MAX_PROCESSES, SIGNALS = EXITERS + MAX_PROCESSES,
       TIMERS = SIGNALS + SIGNALS_WORDS, GROUP_WORDS = TIMERS + TIMERS_WORDS };
enum { PARENT_SHIFT = 8, CHILDREN_SHIFT = 16, FIELD = 0xff };

/* Nobody asked for it. */
#define MISHAP(what) .traits = OP_ALARM, .wrong = what

static const struct operation operations[] = {
    [PROCESS_EXIT]           = { .name = "exit", .format = "exit(%0)" },
    [PROCESS_WAIT]           = { .name = "wait", .format = "wait()", .result = RESULT_NUMBER, .many = true, .traits = OP_RESTARTED,
                                 .awaits = AWAITS_CHILD },
    [PROCESS_CRASH]          = { .name = "crash", .format = "crash: %e", MISHAP(WRONG_CRASH) },
    [PROCESS_DIVERGENCE]     = { .name = "divergence", .format = "divergence: %e", MISHAP(WRONG_DIVERGENCE) },
    [PROCESS_STRUCTURE]      = { .name = "structure", .format = "structure: %e", MISHAP(WRONG_STRUCTURE) },
    [PROCESS_UNSUPPORTED]    = { .name = "unsupported", .format = "unsupported: %e", MISHAP(WRONG_UNSUPPORTED) },
    [PROCESS_NONDETERMINISM] = { .name = "nondeterminism", .format = "nondeterminism: %e", MISHAP(WRONG_NONDETERMINISM) },
    [PROCESS_NONE]           = { .name = "none", .format = "not created" },
    [PROCESS_START]          = { .name = "start", .format = "start", .traits = OP_QUIET | OP_REMARKS },
    [PROCESS_CREATE]         = { .name = "create", .format = "%e", .result = RESULT_NUMBER, .traits = OP_QUIET | OP_REMARKS,
                                 .completes = COMPLETES_FUNCTION },
    [PROCESS_JOIN]           = { .name = "pthread_join", .format = "pthread_join(process %p)", .result = RESULT_NUMBER,
                                 .awaits = AWAITS_THREAD, .limit = { .arg = 2, .has = ARG_TIMED, .drops = ARG_TIMED } },
    [PROCESS_DETACH]         = { .name = "pthread_detach", .format = "pthread_detach(process %p)", .result = RESULT_NUMBER },
    [PROCESS_FINISH]         = { .name = "finish", .format = "end of the thread" },
    [PROCESS_LEAVE]          = { .name = "leave", .format = "end of the process", .traits = OP_QUIET },
    [PROCESS_YIELD]          = { .name = "yield", .format = "%e()", .traits = OP_YIELDS | OP_INTERRUPTED, .limit = { .arg = 0, .has = UINT32_MAX } },
    [PROCESS_KILL]           = { .name = "kill", .format = "%e(process %p, %1)", .result = RESULT_NUMBER },
    [PROCESS_CANCEL]         = { .name = "pthread_cancel", .format = "pthread_cancel(process %p)" },
    [PROCESS_EXITING]        = { .name = "exiting", .format = "exit()", .awaits = AWAITS_EXIT },
    [PROCESS_ALONE]          = { .name = "alone", .format = "end of the other threads", .awaits = AWAITS_EXIT },
    [PROCESS_SIGMASK]        = { .name = "sigmask", .format = "%e" },
    [PROCESS_SIGACTION]      = { .name = "sigaction", .format = "%e" },
    [PROCESS_SIGWAIT]        = { .name = "sigwait", .format = "%e()", .result = RESULT_NUMBER, .traits = OP_INTERRUPTED,
                                 .awaits = AWAITS_SIGNAL, .limit = { .arg = 0, .has = UINT32_MAX, .drops = UINT32_MAX } },
    [PROCESS_SIGPENDING]     = { .name = "sigpending", .format = "sigpending()" },
    [PROCESS_SETTIME]        = { .name = "settime", .format = "%e" },
    [PROCESS_GETTIME]        = { .name = "gettime", .format = "%e" },
    [PROCESS_EXPIRE]         = { .name = "expire", .format = "%e expires", .waiting = "%e",
                                 .awaits = AWAITS_TIME },
    [PROCESS_PAUSE]          = { .name = "pause", .format = "%e()", .traits = OP_INTERRUPTED, .awaits = AWAITS_SIGNAL },
};

/* Who does what is not controlled goes no further, but it has not ended: its parent goes on waiting. */
uint32_t process_ended(const struct op *end)
{
    if (end->type == TYPE_PROCESS && end->code == PROCESS_UNSUPPORTED)
        return RUNNING;
    uint32_t status = end->type == TYPE_ASSERT ? SIGABRT
                    : end->code == PROCESS_EXIT ? ((uint32_t)end->arg[0] & 0xff) << 8
                    : end->code == PROCESS_CRASH ? (uint32_t)end->arg[0] & 0x7f : SIGKILL;
    return ENDED | status << PHASE_BITS;
}

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)why, (void)room;
    return arg[1] ? GROUP_WORDS : TABLE + arg[0];
}

/* In a group only the first process is there from the beginning. */
static void init(const int32_t arg[3], uint32_t *state)
{
    state[0] = arg[1] ? GROUP_TABLE | MAX_PROCESSES : (uint32_t)arg[0];
    if (!arg[1]) {
        for (int p = 0; p < arg[0]; p++)
            state[TABLE + p] = RUNNING;
        return;
    }
    for (int p = 0; p < MAX_PROCESSES; p++) {
        state[TABLE + p] = p ? NEVER : RUNNING;
        state[THREADS + p] = p ? UNBORN : LIVE;
        state[FAMILIES + p] = (uint32_t)FIELD << PARENT_SHIFT;
        state[LIVING + p] = !p;
        state[EXITERS + p] = 0;
    }
    memset(state + SIGNALS, 0, (SIGNALS_WORDS + TIMERS_WORDS) * sizeof *state);
}

/* ---- who belongs to whom ---- */

static uint32_t count_of(const uint32_t *state) { return state[0] & ~GROUP_TABLE; }

int process_host(const uint32_t *state, int p)
{
    return (state[THREADS + p] & LIFE_MASK) == UNBORN ? -1 : (int)(state[FAMILIES + p] & FIELD);
}

int process_parent(const uint32_t *state, int host)
{
    uint32_t parent = state[FAMILIES + host] >> PARENT_SHIFT & FIELD;
    return parent == FIELD || (state[TABLE + host] & PHASE_MASK) == NEVER ? -1 : (int)parent;
}

bool process_has_ended(const uint32_t *state, int host) { return (state[TABLE + host] & PHASE_MASK) != RUNNING; }

bool process_has_joined(const uint32_t *state, int thread)
{
    uint32_t life = state[THREADS + thread] & LIFE_MASK;
    return life == JOINED || life == UNBORN || (life == FINISHED && state[THREADS + thread] & DETACHED);
}

uint64_t process_live(const uint32_t *state, int host)
{
    uint64_t live = 0;
    for (int p = 0; p < MAX_PROCESSES; p++)
        live |= (uint64_t)((state[THREADS + p] & (LIFE_MASK | TIMER)) == LIVE && (int)(state[FAMILIES + p] & FIELD) == host) << p;
    return live;
}

uint32_t *process_signals(uint32_t *state) { return state + SIGNALS; }
uint32_t *process_timers(uint32_t *state)  { return state + TIMERS; }

uint32_t process_children(const uint32_t *state, int p) { return state[FAMILIES + p] >> CHILDREN_SHIFT; }

static uint32_t life(const uint32_t *state, int p) { return state[THREADS + p] & LIFE_MASK; }

bool process_was_born(const uint32_t *state, int p) { return life(state, p) != UNBORN; }

bool process_is_over(const uint32_t *state, int p)
{
    return life(state, p) == JOINED || (life(state, p) == FINISHED && state[THREADS + p] & DETACHED);
}

bool process_joined_by(const uint32_t *state, int p, int joiner)
{
    return life(state, p) == JOINED && (state[THREADS + p] >> JOINER_SHIFT & FIELD) == (uint32_t)joiner + 1;
}

uint32_t process_generation(const uint32_t *state, int p) { return state[THREADS + p] >> GENERATION_SHIFT; }

bool process_cancelled(const uint32_t *state, int p) { return state[THREADS + p] & CANCELLED; }

uint64_t process_family(const uint32_t *state, int host)
{
    uint64_t family = 0;
    for (int p = 0; p < MAX_PROCESSES; p++)
        family |= (uint64_t)(process_host(state, p) == host) << p;
    return family;
}

static bool awaited(const uint32_t *state, const struct op *op, uint32_t child)
{
    if (op->arg[0] >= 0 && (uint32_t)op->arg[0] != child)
        return false;
    if (!(state[0] & GROUP_TABLE))
        return op->process == 0 && child != 0;
    return (state[TABLE + child] & PHASE_MASK) != NEVER
        && (int)(state[FAMILIES + child] >> PARENT_SHIFT & FIELD) == process_host(state, op->process);
}

static uint32_t count(const uint32_t *state, const struct op *op, uint32_t phase)
{
    uint32_t found = 0;
    for (uint32_t p = 0; p < count_of(state); p++)
        found += awaited(state, op, p) && (state[TABLE + p] & PHASE_MASK) == phase;
    return found;
}

/* ---- waiting ---- */

void process_reap(struct log *log, uint32_t *state, int host)
{
    assert((state[TABLE + host] & PHASE_MASK) == ENDED);
    object_set(log, &state[TABLE + host], (state[TABLE + host] & ~(uint32_t)PHASE_MASK) | REAPED);
}

static uint32_t wait_choices(const uint32_t *state, const struct op *op)
{
    uint32_t ended = count(state, op, ENDED);
    if (ended)
        return ended;
    return op_gives_up(op) || count(state, op, RUNNING) == 0;
}

static uint32_t wait(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    for (uint32_t p = 0; p < count_of(state); p++) {
        uint32_t word = state[TABLE + p];
        if (!awaited(state, op, p) || (word & PHASE_MASK) != ENDED || choice--)
            continue;
        process_reap(log, state, (int)p);
        return WAIT_RESULT(p, word >> PHASE_BITS);
    }
    return count(state, op, RUNNING) ? WAIT_NOT_YET : WAIT_NO_CHILD;
}

/* ---- threads ---- */

static uint32_t join_now(const uint32_t *state, const struct op *op)     /* what it gives; 0: it can be joined, or waits */
{
    uint32_t thread = state[THREADS + op->arg[0]];
    if (op->arg[0] == op->process)
        return EDEADLK;
    if (thread & DETACHED)
        return EINVAL;
    return (thread & LIFE_MASK) == JOINED || (thread & LIFE_MASK) == UNBORN ? ESRCH : 0;
}

static bool finished(const uint32_t *state, const struct op *op)
{
    return (state[THREADS + op->arg[0]] & LIFE_MASK) == FINISHED;
}

static uint32_t join(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t *thread = &state[THREADS + op->arg[0]], now = join_now(state, op);
    if (now)
        return now;
    if (!finished(state, op))
        return op_gives_up(op) & ARG_NOWAIT ? EBUSY : ETIMEDOUT;
    object_set(log, thread, (*thread & ~(uint32_t)LIFE_MASK) | JOINED | (op->process + 1u) << JOINER_SHIFT);
    return 0;
}

static uint32_t detach(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t *thread = &state[THREADS + op->arg[0]];
    if (*thread & DETACHED)
        return EINVAL;
    if ((*thread & LIFE_MASK) == JOINED || (*thread & LIFE_MASK) == UNBORN)
        return ESRCH;
    object_set(log, thread, *thread | DETACHED);
    return 0;
}

/* `child` is the number that the new process gets; UINT32_MAX: there are too many. */
static uint32_t create(struct log *log, uint32_t *state, const struct op *op, uint32_t child)
{
    uint32_t host = state[FAMILIES + op->process] & FIELD;
    if (child == UINT32_MAX)
        return child;
    assert(child < count_of(state) && life(state, (int)child) != LIVE);
    uint32_t generation = life(state, (int)child) == UNBORN ? 0 : process_generation(state, (int)child) + 1;
    object_set(log, &state[FAMILIES + op->process], state[FAMILIES + op->process] + (1u << CHILDREN_SHIFT));
    bool timer = op->arg[1] & CREATE_TIMER;
    object_set(log, &state[THREADS + child], generation << GENERATION_SHIFT | (op->arg[1] & CREATE_DETACHED ? DETACHED : 0)
                                             | (timer ? TIMER : 0) | LIVE);
    if (timer)
        timers_born(log, state + TIMERS, op, (int)child);
    if (op->arg[0]) {
        object_set(log, &state[TABLE + child], RUNNING);
        object_set(log, &state[FAMILIES + child], child | host << PARENT_SHIFT);
        object_set(log, &state[LIVING + child], 1);
    } else {
        uint32_t created = state[FAMILIES + child] >> CHILDREN_SHIFT;    /* who had the number before counts on */
        object_set(log, &state[FAMILIES + child], host | (uint32_t)FIELD << PARENT_SHIFT | created << CHILDREN_SHIFT);
        set_write(log, &state[LIVING + host], state[LIVING + host] + !timer);
    }
    return child;
}

static void end_host(struct log *log, uint32_t *state, int host, uint32_t status)
{
    object_set(log, &state[TABLE + host], ENDED | status << PHASE_BITS);
}

/* The last thread of a UNIX process ends that, too, unless there is something to be done before: then it has to. */
static uint32_t finish(struct log *log, uint32_t *state, const struct op *op)
{
    int host = process_host(state, op->process);
    if (life(state, op->process) != LIVE)
        return 0;                    /* that it ends twice is only foreseen, and wrong */
    uint32_t *thread = &state[THREADS + op->process], *living = &state[LIVING + host];
    object_set(log, thread, (*thread & ~(uint32_t)LIFE_MASK) | FINISHED);
    if (*thread & TIMER)
        return 0;
    assert(host >= 0 && *living);
    object_set(log, living, *living - 1);
    if (!*living && !op->arg[0])
        end_host(log, state, host, 0);
    return !*living && op->arg[0];
}

static int exiter(const uint32_t *state, const struct op *op) { return EXITERS + process_host(state, op->process); }

static bool may_exit(const uint32_t *state, const struct op *op)
{
    uint32_t first = state[exiter(state, op)];
    return !first || first == op->process + 1u;
}

static uint32_t kill_process(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t *word = &state[TABLE + op->arg[0]], phase = *word & PHASE_MASK;
    if (phase == NEVER || phase == REAPED)
        return ESRCH;
    if (phase == RUNNING && op->arg[1])
        object_set(log, word, ENDED | (uint32_t)op->arg[1] << PHASE_BITS);
    return 0;
}

static void mark(struct log *log, uint32_t *word, uint32_t value)
{
    if (*word != value)
        object_set(log, word, value);
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    if (op->code == PROCESS_WAIT)
        return wait_choices(state, op);
    if (op->code == PROCESS_JOIN)
        return op_gives_up(op) || join_now(state, op) || finished(state, op);
    if (op->code == PROCESS_EXITING)
        return may_exit(state, op);
    return !process_is_end(op->code);
}

/* All that never waits. */
static bool guard(const struct op *op, struct guard *g)
{
    *g = (struct guard){ .span = UINT32_MAX };
    return !process_is_end(op->code) && op->code != PROCESS_WAIT && op->code != PROCESS_JOIN && op->code != PROCESS_EXITING && op->code != PROCESS_SIGWAIT
        && op->code != PROCESS_PAUSE && op->code != PROCESS_KILL && op->code != PROCESS_EXPIRE;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    switch (op->code) {
    case PROCESS_WAIT:   return wait(log, state, op, choice);
    case PROCESS_CREATE: return create(log, state, op, choice);
    case PROCESS_JOIN:   return join(log, state, op);
    case PROCESS_DETACH: return detach(log, state, op);
    case PROCESS_KILL:   return kill_process(log, state, op);
    case PROCESS_FINISH: return finish(log, state, op);
    case PROCESS_LEAVE:
        end_host(log, state, process_host(state, op->process), (uint32_t)op->arg[0]);
        return 0;
    case PROCESS_SETTIME: timers_set(log, state + TIMERS, op); return 0;
    case PROCESS_EXITING: mark(log, &state[exiter(state, op)], op->process + 1u); return 0;
    case PROCESS_CANCEL: mark(log, &state[THREADS + op->arg[0]], state[THREADS + op->arg[0]] | CANCELLED); return 0;
    default:             return 0;
    }
}

/* Threads that others have ended keep their words. */
static void check(const uint32_t *state)
{
    for (int p = 0; p < MAX_PROCESSES && state[0] & GROUP_TABLE; p++) {
        uint32_t joiner = state[THREADS + p] >> JOINER_SHIFT & FIELD, exits = state[EXITERS + p];
        bool unix_process = (state[TABLE + p] & PHASE_MASK) != NEVER;
        assert(!unix_process || state[LIVING + p] == (uint32_t)__builtin_popcountll(process_live(state, p)));
        assert(!exits || process_host(state, (int)exits - 1) == p);
        assert(!joiner || process_was_born(state, (int)joiner - 1));
        assert(!process_was_born(state, p) || process_host(state, process_host(state, p)) == process_host(state, p));
    }
    if (state[0] & GROUP_TABLE)
        signals_check(state + SIGNALS), timers_check(state + TIMERS);
}

/* Those of `count` words that are not 0, with their places. */
static uint32_t *not_zero(const uint32_t *words, uint32_t from, uint32_t count, uint32_t *out)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < count; i++)
        any |= words[from + i];
    for (uint32_t i = 0; any && i < count; i++)
        if (words[from + i]) {
            *out++ = from + i;
            *out++ = words[from + i];
        }
    return out;
}

static uint32_t *canonical_signals(const uint32_t *signals, uint32_t p, uint32_t *out)
{
    enum { ACTIONS = 64 * SIGNALS_ACTION_WORDS };
    out = not_zero(signals, SIGNALS_MASKS + 2 * p, 2, out);
    for (uint32_t target = p; target < SIGNALS_TARGETS; target += MAX_PROCESSES) {
        out = not_zero(signals, SIGNALS_PENDING + 2 * target, 2, out);
        out = not_zero(signals, SIGNALS_SLOTS_AT + target * SIGNAL_SLOTS, SIGNAL_SLOTS, out);
    }
    return not_zero(signals, SIGNALS_ACTIONS + p * ACTIONS, ACTIONS, out);
}

/* In a group only what is there, without what only counts, or tells of the past: how many had a number before, who joined its owner, how many somebody has
 * created; how a child ended for which somebody has waited. */
static uint32_t canonical(const uint32_t *state, uint32_t words, uint32_t *out)
{
    uint32_t *end = out;
    if (!(state[0] & GROUP_TABLE)) {
        memcpy(out, state, words * sizeof *out);
        return words;
    }
    for (uint32_t p = 0; p < MAX_PROCESSES; p++) {
        uint32_t host = state[TABLE + p], family = state[FAMILIES + p] & ((UINT32_C(1) << CHILDREN_SHIFT) - 1);
        if (life(state, (int)p) == UNBORN)
            continue;
        *end++ = p << 16 | family;
        *end++ = (host & PHASE_MASK) == REAPED ? REAPED : host;
        *end++ = state[LIVING + p] << 16 | state[EXITERS + p] << 8 | (state[THREADS + p] & (LIFE_MASK | DETACHED | CANCELLED | TIMER));
    }
    for (uint32_t p = 0; p < MAX_PROCESSES; p++)
        if (life(state, (int)p) != UNBORN)
            end = canonical_signals(state + SIGNALS, p, end);
    end += timers_canonical(state + TIMERS, end);
    return (uint32_t)(end - out);
}

/* Whoever is stopped in the middle of a call listens no more, and in a group nobody beside it goes on. */
static uint32_t traits(const struct op *op)
{
    bool deaf = op->code == PROCESS_UNSUPPORTED && op->arg[1] == REFUSED_BLOCKED, tries = op->code == PROCESS_JOIN && op_gives_up(op);
    return OP_PATIENT | (process_is_end(op->code) ? OP_ENDS : 0) | (deaf ? OP_ABORTS : 0) | (tries ? OP_YIELDS : 0);
}

/* ---- results in words ---- */

static void print_waited(uint32_t result, char *out, size_t room)
{
    if (result == WAIT_NO_CHILD || result == WAIT_NOT_YET)
        snprintf(out, room, result == WAIT_NO_CHILD ? "no child" : "none yet");
    else
        snprintf(out, room, "process %u", (result >> 16) + 1);
}

static void print_sent(uint32_t result, char *out, size_t room)
{
    uint32_t target = result >> SIGNAL_TARGET_SHIFT & SIGNAL_TARGET;
    if (result & (SIGNAL_KILLED | SIGNAL_ENDS))
        snprintf(out, room, result & SIGNAL_KILLED ? "killed" : "ends");
    else if (result & SIGNAL_SENT && target < MAX_PROCESSES)
        snprintf(out, room, "to process %u", target + 1);
    else if (result & SIGNAL_SENT)
        snprintf(out, room, "pending");
    else
        builtin_errno_name(result, out, room);
}

static bool print_expired(uint32_t result, char *out, size_t room)
{
    if (result & (EXPIRE_GONE | EXPIRE_AGAIN))
        snprintf(out, room, result & EXPIRE_GONE ? "deleted" : "again");
    else
        print_sent(result, out, room);
    return result;
}

static bool print_result(const struct op *op, uint32_t result, char *out, size_t room)
{
    switch (op->code) {
    case PROCESS_EXPIRE:  return print_expired(result, out, room);
    case PROCESS_KILL:    print_sent(result, out, room); return true;
    case PROCESS_WAIT:    print_waited(result, out, room); return true;
    case PROCESS_CREATE:  snprintf(out, room, result == UINT32_MAX ? "nobody" : "process %u", result + 1); return true;
    case PROCESS_SIGWAIT: builtin_signal_name(result & SIGNAL_NUMBER, out, room); return result;
    default:              return false;
    }
}

/* ---- what a program can say ---- */

static bool is_number(int32_t p) { return p >= 0 && p < MAX_PROCESSES; }
static bool is_signal(int32_t s) { return s >= 1 && s <= 64; }

/* Most ends are told by events of their own. */
static bool possible(const struct op *op, bool group)
{
    switch (op->code) {
    case PROCESS_EXIT: case PROCESS_STRUCTURE: return true;
    case PROCESS_WAIT:      return op->arg[0] == -1 || is_number(op->arg[0]);
    case PROCESS_CRASH: case PROCESS_DIVERGENCE: case PROCESS_UNSUPPORTED: case PROCESS_NONDETERMINISM: case PROCESS_NONE: return false;
    case PROCESS_JOIN: case PROCESS_DETACH: case PROCESS_CANCEL: return group && is_number(op->arg[0]);
    case PROCESS_KILL:      return group && is_number(op->arg[0]) && (!op->arg[1] || is_signal(op->arg[1]));
    case PROCESS_CREATE: case PROCESS_SETTIME: case PROCESS_EXPIRE: return group && timers_possible(op);
    case PROCESS_SIGACTION: return group && is_signal(op->arg[0] & SIGNAL_NUMBER);
    default:                return group;
    }
}

const struct object_type process_type = {
    .version = OBJECT_VERSION, .name = "process", .aside = true, .possible = possible,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .guard = guard, .execute = execute,
    .dependent = builtin_independent, .conflict = builtin_no_conflict,    /* an exit and a wait: the system sees to it */
    .traits = traits, .print_result = print_result, .check = check, .canonical = canonical,
};
