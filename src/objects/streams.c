/* Pipes and sockets: channels that go one way, all in one object. A channel counts what is in it, and knows which UNIX processes
 * hold its two ends: a read from an empty channel waits while somebody holds the writing end, and else finds the end; a write
 * fails when nobody holds the reading end. The bytes themselves are in the program's memory.
 *
 * A connection that waits to be accepted is held, on the server's side, by those who hold the listening socket. That is a channel,
 * too: of connections, written by connect and read by accept.
 *
 * An eventfd is a channel whose two ends the same processes hold, and that has no bytes: it counts what was written, and a read takes all of it, or one.
 *
 * Invariant: a channel has no more in it than it has room for; one that was never used is empty, and nobody holds an end of it.
 * SPDX-License-Identifier: MIT */
#include "objects/builtin.h"
#include "objects/set.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Word 0 is the set of channels that were ever used; then the words of each channel. PASSED counts for ever (the stamps need
 * it); it is not part of the state proper. A set of UNIX processes is two words. */
enum { CAPACITY, BYTES, PASSED, LISTENER, READERS, WRITERS = READERS + 2, CHANNEL = WRITERS + 2 };
enum { USED, TABLE, WORDS = TABLE + STREAMS_CHANNELS * CHANNEL };
enum { READING = 1, WRITING = 2 };           /* in arg[1] of OPEN, below what an eventfd begins with */
/* In LISTENER, which is one more than the channel at which a connection waits to be accepted, or 0: the end that waits there is the
 * writing one; and, which is another matter, the channel has no end though nobody writes. */
enum { SERVER_WRITES = 64, NO_END = 128 };
#define NOBODY 64                            /* the first of an empty set */

static const struct operation operations[] = {
    [STREAMS_OPEN]  = { .name = "open channel",  .format = "%c", .result = RESULT_NUMBER },
    [STREAMS_TAKE]  = { .name = "take channel",  .format = "%c" },
    [STREAMS_READ]  = { .name = "read",  .format = "%k, %1)",  .result = RESULT_NUMBER, .many = true, .role = ROLE_RECEIVE,
                        .traits = OP_RESTARTED, .limit = { .arg = 2, .has = ARG_TIMED, .drops = ARG_TIMED } },
    [STREAMS_WRITE] = { .name = "write", .format = "%k, %1)", .result = RESULT_NUMBER, .many = true, .role = ROLE_SEND,
                        .traits = OP_RESTARTED, .limit = { .arg = 2, .has = ARG_TIMED, .drops = ARG_TIMED } },
    [STREAMS_POLL]  = { .name = "poll",  .format = "poll()", .result = RESULT_NUMBER, .many = true, .traits = OP_INTERRUPTED, .limit = { .arg = 2, .has = ARG_TIMED, .drops = ARG_TIMED } },
    [STREAMS_CLOSE] = { .name = "close", .format = "%k)", .traits = OP_LETS_GO },
    [STREAMS_SHUT]  = { .name = "shutdown", .format = "%k)" },
};

static int size(const int32_t arg[3], char *why, size_t room)
{
    (void)arg, (void)why, (void)room;
    return WORDS;
}

static void init(const int32_t arg[3], uint32_t *state)
{
    (void)arg;
    memset(state, 0, WORDS * sizeof *state);
}

/* ---- what an operation says ---- */

static uint32_t host_of(const struct op *op) { return (uint32_t)op->arg[2] >> 8 & 63; }

static int listener_of(const struct op *op) { return (int)((uint32_t)op->arg[2] >> 14 & 63) - 1; }

static uint32_t capacity_of(const struct op *op)
{
    uint32_t code = (uint32_t)op->arg[2] >> 20 & 1023;
    return code < STREAMS_CODED ? code : STREAMS_MOST;
}

static bool counts(const struct op *op) { return (op->code == STREAMS_READ || op->code == STREAMS_WRITE) && op->arg[2] & STREAMS_COUNTS; }
static uint32_t first_count(const struct op *open) { return (uint32_t)open->arg[1] >> STREAMS_FIRST_SHIFT; }
static bool patient(const struct op *op) { return !op_gives_up(op) && !(counts(op) && op->code == STREAMS_WRITE); }
static bool peeks(const struct op *op) { return op->code == STREAMS_READ && op->arg[2] & STREAMS_PEEK; }

/* What a poll looks at: way 0: as a reader; 1: as a writer. */
static uint32_t polled(const struct op *op, int way)
{
    uint32_t set = (uint32_t)op->arg[way];
    for (uint32_t i = 0; i < STREAMS_ENDS_COUNT(op->arg[2]); i++)
        if ((STREAMS_END(op->arg[2], i) & STREAMS_END_WRITTEN) == (way ? STREAMS_END_WRITTEN : 0))
            set |= 1u << STREAMS_END(op->arg[2], i) % STREAMS_CHANNELS;
    return set;
}

/* ---- channels ---- */

static uint32_t *channel_at(uint32_t *state, uint32_t number) { return state + TABLE + number % STREAMS_CHANNELS * CHANNEL; }

static const uint32_t *channel(const uint32_t *state, uint32_t number)
{
    return state + TABLE + number % STREAMS_CHANNELS * CHANNEL;
}

static uint32_t first_of(const uint32_t *set)
{
    uint64_t all = set[0] | (uint64_t)set[1] << 32;
    return all ? (uint32_t)__builtin_ctzll(all) : NOBODY;
}

/* The first that holds this end; of the server's end of a connection that waits to be accepted, that holds the listener. */
static uint32_t holder(const uint32_t *state, uint32_t number, uint32_t end)
{
    const uint32_t *c = channel(state, number);
    uint32_t first = first_of(c + end);
    uint32_t listener = c[LISTENER] & (SERVER_WRITES - 1);
    if (first != NOBODY || !listener || (c[LISTENER] & SERVER_WRITES) != (end == WRITERS ? SERVER_WRITES : 0))
        return first;
    return first_of(channel(state, listener - 1) + READERS);
}

static bool held(const uint32_t *state, uint32_t number, uint32_t end) { return holder(state, number, end) != NOBODY; }

static bool is_free(const uint32_t *state, uint32_t number)
{
    return !held(state, number, READERS) && !held(state, number, WRITERS);
}

static uint32_t room_in(const uint32_t *c) { return c[CAPACITY] - c[BYTES]; }

/* ---- reading and writing ---- */

static bool ended(const uint32_t *state, uint32_t number)       /* nobody writes, and so there is an end */
{
    return !(channel(state, number)[LISTENER] & NO_END) && !held(state, number, WRITERS);
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* How many bytes it would read or write; 0: it waits, fails, or finds the end. */
static uint32_t amount(const uint32_t *state, const struct op *op)
{
    const uint32_t *c = channel(state, (uint32_t)op->arg[0]);
    uint32_t wanted = (uint32_t)op->arg[1];
    if (op->code == STREAMS_READ)
        return smaller(wanted, c[BYTES]);
    if (!held(state, (uint32_t)op->arg[0], READERS))
        return 0;
    if (op->arg[2] & STREAMS_WHOLE)
        return wanted + counts(op) <= room_in(c) ? wanted : 0;          /* a number is never so large that nothing could be added */
    return smaller(wanted, room_in(c));
}

static bool read_enabled(const uint32_t *state, const struct op *op)
{
    if (amount(state, op) || !patient(op) || op->arg[1] == 0)
        return true;
    return !(op->arg[2] & STREAMS_ENDLESS) && !held(state, (uint32_t)op->arg[0], WRITERS);
}

static bool write_enabled(const uint32_t *state, const struct op *op)
{
    return amount(state, op) || !patient(op) || op->arg[1] == 0 || !held(state, (uint32_t)op->arg[0], READERS);
}

/* Two bits for each channel of the two sets, in the order of the channels, first those to read: can something be moved, and does
 * nobody hold the other end? If they are too many, one bit: is either so? Then a bit for each that is looked at for its end alone. */
static uint32_t ready(const uint32_t *state, const struct op *op)
{
    uint32_t ends = STREAMS_ENDS_COUNT(op->arg[2]);
    bool detail = STREAMS_DETAIL(op->arg[0], op->arg[1], ends);
    uint32_t result = 0, place = 0;
    for (int way = 0; way < 2; way++)
        for (uint32_t n = 0; n < STREAMS_CHANNELS; n++)
            if ((uint32_t)op->arg[way] >> n & 1) {
                bool moves = way == 0 ? channel(state, n)[BYTES] : room_in(channel(state, n));
                bool alone = way == 0 ? ended(state, n) : !held(state, n, READERS);
                result |= (detail ? (uint32_t)moves | (uint32_t)alone << 1 : (uint32_t)(moves || alone)) << place;
                place += detail ? 2 : 1;
            }
    for (uint32_t i = 0; i < ends; i++) {
        uint32_t end = STREAMS_END(op->arg[2], i), n = end % STREAMS_CHANNELS;
        bool alone = end & STREAMS_END_WRITTEN ? !held(state, n, READERS) : ended(state, n);
        result |= (uint32_t)alone << place++;
    }
    return result;
}

static uint32_t choices(const uint32_t *state, const struct op *op)
{
    switch (op->code) {
    case STREAMS_READ:  return read_enabled(state, op);
    case STREAMS_WRITE: return write_enabled(state, op);
    case STREAMS_POLL:  return !patient(op) || ready(state, op);
    default:            return 1;
    }
}

static uint32_t read_some(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t *c = channel_at(state, (uint32_t)op->arg[0]), got = amount(state, op);
    if (!got && op->arg[1] && (held(state, (uint32_t)op->arg[0], WRITERS) || op->arg[2] & STREAMS_ENDLESS))
        return (uint32_t)-EAGAIN;
    if (got && !peeks(op)) {
        object_set(log, &c[BYTES], c[BYTES] - got);
        object_set(log, &c[PASSED], c[PASSED] + got);
    }
    return got;
}

static uint32_t write_some(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t *c = channel_at(state, (uint32_t)op->arg[0]), put_in = amount(state, op);
    if (!held(state, (uint32_t)op->arg[0], READERS))
        return (uint32_t)-EPIPE;
    if (!put_in && op->arg[1])
        return (uint32_t)-EAGAIN;
    set_write(log, &c[BYTES], c[BYTES] + put_in);
    return put_in;
}

/* ---- ends ---- */

/* The one it asks for, or one that was never used, while there are any: then it does not matter who closes what meanwhile. */
static uint32_t pick(const uint32_t *state, const struct op *op)
{
    uint32_t n = 0;
    if (!(state[USED] >> op->arg[0] % STREAMS_CHANNELS & 1))
        return (uint32_t)op->arg[0] % STREAMS_CHANNELS;
    if (~state[USED])
        return (uint32_t)__builtin_ctz(~state[USED]);
    while (n < STREAMS_CHANNELS && !is_free(state, n))
        n++;
    return n;
}

static uint32_t waiting_end(const struct op *op)
{
    uint32_t no_end = op->arg[2] & STREAMS_ENDLESS ? NO_END : 0;
    if (listener_of(op) < 0)
        return no_end;
    return no_end | (uint32_t)(listener_of(op) + 1) | (op->arg[1] & WRITING ? 0 : SERVER_WRITES);
}

static uint32_t open_channel(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t number = pick(state, op), *c = channel_at(state, number);
    if (number == STREAMS_CHANNELS)
        return (uint32_t)-ENFILE;
    set_write(log, &state[USED], state[USED] | 1u << number);
    set_write(log, &c[CAPACITY], capacity_of(op));
    set_write(log, &c[BYTES], first_count(op));
    set_write(log, &c[LISTENER], waiting_end(op));
    if (op->arg[1] & READING)
        set_add(log, c + READERS, host_of(op));
    if (op->arg[1] & WRITING)
        set_add(log, c + WRITERS, host_of(op));
    return number;
}

static uint32_t end_of(const struct op *op) { return op->arg[2] & STREAMS_WRITING ? WRITERS : READERS; }

static uint32_t take(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t *c = channel_at(state, (uint32_t)op->arg[0]);
    set_write(log, &c[LISTENER], c[LISTENER] & NO_END);
    set_add(log, c + end_of(op), host_of(op));
    return 0;
}

static uint32_t shut(struct log *log, uint32_t *state, const struct op *op)
{
    uint32_t *c = channel_at(state, (uint32_t)op->arg[0]);
    set_write(log, &c[end_of(op)], 0);
    set_write(log, &c[end_of(op) + 1], 0);
    return 0;
}

static uint32_t execute(struct log *log, uint32_t *state, const struct op *op, uint32_t choice)
{
    (void)choice;
    switch (op->code) {
    case STREAMS_OPEN:  return open_channel(log, state, op);
    case STREAMS_TAKE:  return take(log, state, op);
    case STREAMS_READ:  return read_some(log, state, op);
    case STREAMS_WRITE: return write_some(log, state, op);
    case STREAMS_POLL:  return ready(state, op);
    case STREAMS_SHUT:  return shut(log, state, op);
    default:            set_remove(log, channel_at(state, (uint32_t)op->arg[0]) + end_of(op), host_of(op)); return 0;
    }
}

static void forked(struct log *log, uint32_t *state, int parent_host, int child_host)
{
    for (uint32_t n = 0; n < STREAMS_CHANNELS; n++)
        for (uint32_t end = READERS; end <= WRITERS; end += 2) {
            uint32_t *set = channel_at(state, n) + end;
            if (set_has(set, (uint32_t)parent_host))
                set_add(log, set, (uint32_t)child_host);
        }
}

static void killed(struct log *log, uint32_t *state, int host)
{
    for (uint32_t n = 0; n < STREAMS_CHANNELS; n++) {
        set_remove(log, channel_at(state, n) + READERS, (uint32_t)host);
        set_remove(log, channel_at(state, n) + WRITERS, (uint32_t)host);
    }
}

static void check(const uint32_t *state)
{
    for (uint32_t n = 0; n < STREAMS_CHANNELS; n++) {
        const uint32_t *c = channel(state, n);
        bool used = state[USED] >> n & 1;
        assert(c[BYTES] <= c[CAPACITY]);
        assert(used || (is_free(state, n) && !c[BYTES]));
        assert((c[LISTENER] & (SERVER_WRITES - 1)) <= STREAMS_CHANNELS);
    }
}

/* ---- what depends on what ---- */

/* A stamp: where in the channel's history it reads or writes (so many bits: steps further apart are in order anyway), whether it
 * got less than it wanted, and who had to hold the other end for that (0: it did not matter; else one more than the first holder).
 * Of OPEN: how it came to its channel. */
enum { AS_ASKED, UNUSED, USED_BEFORE };
enum { POSITION_BITS = 24, POSITION = (1 << POSITION_BITS) - 1, SHORT = 1 << POSITION_BITS, HOLDER_SHIFT = POSITION_BITS + 1 };

static uint32_t poll_stamp(const uint32_t *state, const struct op *op)
{
    uint32_t last = 0;
    for (uint32_t n = 0; n < STREAMS_CHANNELS; n++)
        for (int way = 0; way < 2; way++)
            if (polled(op, way) >> n & 1) {
                uint32_t first = holder(state, n, way == 0 ? WRITERS : READERS);
                last = first > last ? first : last;
            }
    return (last + 1) << HOLDER_SHIFT;
}

static uint32_t open_stamp(const uint32_t *state, const struct op *op)
{
    return !(state[USED] >> op->arg[0] % STREAMS_CHANNELS & 1) ? AS_ASKED : ~state[USED] ? UNUSED : USED_BEFORE;
}

static uint32_t stamp(const uint32_t *state, const struct op *op)
{
    const uint32_t *c = channel(state, (uint32_t)op->arg[0]);
    switch (op->code) {
    case STREAMS_OPEN: return open_stamp(state, op);
    case STREAMS_POLL: return poll_stamp(state, op);
    case STREAMS_READ: case STREAMS_WRITE: break;
    default:           return 0;
    }
    bool reads = op->code == STREAMS_READ;
    uint32_t done = amount(state, op), position = reads ? c[PASSED] : c[PASSED] + c[BYTES];
    uint32_t first = holder(state, (uint32_t)op->arg[0], reads ? WRITERS : READERS);
    return (position & POSITION) | (done < (uint32_t)op->arg[1] ? SHORT : 0) | (reads && done ? 0 : first + 1) << HOLDER_SHIFT;
}

/* Is position a before position b? */
static bool before(uint32_t a, uint32_t b)
{
    uint32_t distance = (b - a) & POSITION;
    return distance != 0 && distance <= POSITION / 2;
}

static bool moves(const struct op *op) { return op->code == STREAMS_READ || op->code == STREAMS_WRITE; }

/* A read that got all it wanted goes before or after a write of later bytes, as long as there is room for these anyway. */
static bool read_and_write(const struct op *read, uint32_t read_stamp, const struct op *write, uint32_t write_stamp)
{
    uint32_t from = read_stamp & POSITION, to = from + (uint32_t)read->arg[1], at = write_stamp & POSITION;
    bool makes_room = !peeks(read) && before(from + capacity_of(write), at + (uint32_t)write->arg[1]);
    return read_stamp & SHORT || before(at, to) || makes_room;
}

static bool move_and_move(const struct op *a, uint32_t a_stamp, const struct op *b, uint32_t b_stamp)
{
    if (a->code == b->code)
        return !(peeks(a) && peeks(b));
    return a->code == STREAMS_READ ? read_and_write(a, a_stamp, b, b_stamp) : read_and_write(b, b_stamp, a, a_stamp);
}

/* The sets of channels that it looks at, for reading and for writing. A connection also depends on its listener. */
static uint32_t looks_at(const struct op *op, int way)
{
    if (op->code == STREAMS_POLL)
        return polled(op, way);
    return op->code == (way == 0 ? STREAMS_READ : STREAMS_WRITE) ? 1u << op->arg[0] % 32 : 0;
}

/* Could it be about a connection that waits to be accepted at the socket that is closed? */
static bool waits_at(const struct op *close, const struct op *other)
{
    if (!(close->arg[2] & STREAMS_LISTENING))
        return false;
    return other->code == STREAMS_POLL || (moves(other) && listener_of(other) == close->arg[0]);
}

/* A close matters to who needs that somebody holds this end, unless one with a lower number does: it stays the first holder. */
static bool close_and_other(const struct op *close, const struct op *other, uint32_t other_stamp)
{
    uint32_t bit = 1u << close->arg[0] % 32, needs = other_stamp >> HOLDER_SHIFT;
    switch (other->code) {
    case STREAMS_CLOSE: return false;
    case STREAMS_OPEN:  return other_stamp == USED_BEFORE || host_of(close) == host_of(other);
    case STREAMS_TAKE:  return other->arg[0] == close->arg[0] || host_of(close) == host_of(other);
    case STREAMS_SHUT:  return other->arg[0] == close->arg[0];
    }
    return (waits_at(close, other) || looks_at(other, close->arg[2] & STREAMS_WRITING ? 0 : 1) & bit) && host_of(close) < needs;
}

/* Threads of one UNIX process share the numbers of files, so there the order is seen in any case. */
static bool open_and_open(const struct op *a, uint32_t a_stamp, const struct op *b, uint32_t b_stamp)
{
    return host_of(a) == host_of(b) || a_stamp != AS_ASKED || b_stamp != AS_ASKED;
}

static uint32_t touches(const struct op *op)
{
    return op->code == STREAMS_POLL ? polled(op, 0) | polled(op, 1) : 1u << op->arg[0] % 32;
}

static bool conflict(const struct op *first, uint32_t first_stamp, const struct op *second, uint32_t second_stamp)
{
    if (first->code == STREAMS_CLOSE)
        return close_and_other(first, second, second_stamp);
    if (second->code == STREAMS_CLOSE)
        return close_and_other(second, first, first_stamp);
    if (first->code == STREAMS_OPEN && second->code == STREAMS_OPEN)
        return open_and_open(first, first_stamp, second, second_stamp);
    if (first->code == STREAMS_OPEN || second->code == STREAMS_OPEN)
        return (first_stamp == USED_BEFORE && second->code == STREAMS_SHUT)
            || (second_stamp == USED_BEFORE && first->code == STREAMS_SHUT);
    if (!(touches(first) & touches(second)))
        return false;
    if (moves(first) && moves(second))
        return move_and_move(first, first_stamp, second, second_stamp);
    return !(first->code == STREAMS_POLL && second->code == STREAMS_POLL) && !(peeks(first) && second->code == STREAMS_POLL)
        && !(first->code == STREAMS_POLL && peeks(second));
}

static bool dependent(const uint32_t *state, const struct op *a, const struct op *b)
{
    uint32_t a_stamp = stamp(state, a), b_stamp = stamp(state, b);
    return conflict(a, a_stamp, b, b_stamp) || conflict(b, b_stamp, a, a_stamp);
}

/* ---- for people and tables ---- */

static uint32_t canonical(const uint32_t *state, uint32_t words, uint32_t *out)
{
    memcpy(out, state, words * sizeof *out);
    for (uint32_t n = 0; n < STREAMS_CHANNELS; n++) {
        uint32_t *c = channel_at(out, n);
        c[PASSED] = 0;
        if (is_free(state, n))
            memset(c, 0, CHANNEL * sizeof *c);
    }
    return words;
}

static void print(const uint32_t *state, const char *(*text)(void *, uint32_t), void *texts, char *out, size_t room)
{
    (void)text, (void)texts;
    int used = 0;
    *out = 0;
    for (uint32_t n = 0; n < STREAMS_CHANNELS && (size_t)used < room; n++) {
        const uint32_t *c = channel(state, n);
        if (!is_free(state, n))
            used += snprintf(out + used, room - (size_t)used, "%schannel %u: %u of %u%s%s", used ? "; " : "", n, c[BYTES],
                             c[CAPACITY], held(state, n, READERS) ? "" : ", nobody reads",
                             held(state, n, WRITERS) ? "" : ", nobody writes");
    }
}

static uint64_t holders(const uint32_t *set) { return set[0] | (uint64_t)set[1] << 32; }

static uint64_t why(const uint32_t *state, const struct op *op, char *out, size_t room)
{
    const uint32_t *c = channel(state, (uint32_t)op->arg[0]);
    bool reads = op->code == STREAMS_READ;
    uint64_t others = holders(c + (reads ? WRITERS : READERS));
    if (op->code != STREAMS_READ && op->code != STREAMS_WRITE) {
        snprintf(out, room, "none of what it looks at is ready");
        return 0;
    }
    if (reads && c[LISTENER] & NO_END && !others) {
        snprintf(out, room, "nobody connects, or sends anything");
        return 0;
    }
    if (counts(op)) {
        snprintf(out, room, "nothing was written to it since it was read last");
        return 0;
    }
    char which[32];
    snprintf(which, sizeof which, op->text ? "it" : "channel %d", op->arg[0]);           /* of a socket the name stands before this */
    int used = !reads   ? snprintf(out, room, "%s is full (%u of %u bytes), and its reading end is open in", which, c[BYTES], c[CAPACITY])
             : op->text ? snprintf(out, room, "nothing has come, and it does not end, because its other end is still open in")
                        : snprintf(out, room, "%s is empty, and it does not end, because its writing end is still open in", which);
    const char *own = op->process == host_of(op) ? " itself" : ", of which it is a thread";
    for (uint64_t m = others; m && used > 0 && (size_t)used < room; m &= m - 1)
        used += snprintf(out + used, room - (size_t)used, "%s process %d%s", m == others ? "" : ",", __builtin_ctzll(m) + 1,
                         (uint32_t)__builtin_ctzll(m) == host_of(op) ? own : "");
    return others;
}

static void passage(const uint32_t *before, const struct op *op, uint32_t result, struct passage *p)
{
    if (!moves(op))
        return;
    const uint32_t *c = channel(before, (uint32_t)op->arg[0]);
    if ((int32_t)result <= 0 || peeks(op))
        p->role = ROLE_NONE;
    p->part = (uint32_t)op->arg[0];
    p->first = op->code == STREAMS_READ ? c[PASSED] : c[PASSED] + c[BYTES];
    p->count = result;
}

/* Who waits with a time limit of the socket's own is not restarted. */
static uint32_t traits(const struct op *op)
{
    bool timed = op->code != STREAMS_POLL && op->arg[2] & ARG_TIMED;
    return (op_gives_up(op) ? OP_YIELDS : 0) | (timed ? OP_INTERRUPTED : 0);
}

/* ---- channels that count the expiries of a timer ---- */

static uint32_t ticks(const uint32_t *state, uint32_t number) { return channel(state, number)[BYTES]; }

static void tick(struct log *log, uint32_t *state, uint32_t number, bool more)
{
    uint32_t *c = channel_at(state, number);
    if (more && !room_in(c))         /* nobody opened it: that is only told by a program that wrote into the wire */
        return;
    if (!more)
        set_write(log, &c[PASSED], c[PASSED] + c[BYTES]);
    set_write(log, &c[BYTES], more ? c[BYTES] + 1 : 0);
}

static bool sees_ticks(const struct op *op, uint32_t number)
{
    if (op->code == STREAMS_OPEN)
        return false;
    if (number == NO_OBJECT)                             /* what counts there is whether somebody has seen the last one */
        return op->code == STREAMS_READ && op->arg[2] & STREAMS_WHOLE;
    return op->code == STREAMS_POLL ? (uint32_t)op->arg[0] >> number & 1 : (uint32_t)op->arg[0] == number;
}

/* Which channel is opened is its result. */
static uint32_t touches_there(const struct op *op) { return op->code == STREAMS_OPEN ? 0 : touches(op); }

static bool possible(const struct op *op, bool group)
{
    (void)group;
    if (op->code == STREAMS_POLL)
        return __builtin_popcount((uint32_t)op->arg[0]) + __builtin_popcount((uint32_t)op->arg[1]) + (int)STREAMS_ENDS_COUNT(op->arg[2]) <= STREAMS_POLLED;
    return op->arg[0] >= 0 && op->arg[0] < STREAMS_CHANNELS && op->arg[1] >= 0 && (op->code != STREAMS_OPEN || first_count(op) < capacity_of(op));
}

const struct object_type streams_type = {
    .version = OBJECT_VERSION, .name = "pipes and sockets", .lives = LIVES_IN_GROUPS, .possible = possible,
    .operations = operations, .operation_count = sizeof operations / sizeof *operations,
    .size = size, .init = init, .choices = choices, .execute = execute, .dependent = dependent, .stamp = stamp,
    .conflict = conflict, .canonical = canonical, .print = print, .passage = passage, .why = why, .killed = killed, .forked = forked,
    .traits = traits, .numbered = true, .copied = true, .counted = MENTIONED, .check = check, .ticks = ticks, .tick = tick, .sees_ticks = sees_ticks,
    .touches = touches_there,
};
