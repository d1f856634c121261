/* A sharing group: the whole program runs along a path, in batches; to go back, memory is put back or the program starts again.
 *
 * Invariant: `ran` are the steps that the program has run since its start, each with the digest of where it led; it stands there.
 * Snapshot i was taken after `snapshots[i]` of them. A snapshot is taken, and put back, by each UNIX process when it next runs:
 * until then `snapshot` and `restore` stand in its slot. One that did not run between two snapshots takes only the first.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/inside.h"
#include "base/memory.h"
#include "objects/types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAR = 24 };                   /* so many steps run again are dearer than a snapshot */
enum { BOOTS = 3 };                  /* starts of the program for one path, when somebody kills its processes */

/* ---- the objects that it names ---- */

static uint32_t count_of_type(const struct native *n, uint8_t type)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->start.object_count; i++)
        count += n->start.objects[i].type == type;
    return count;
}

static int find_object(struct native *n, const struct wire_slot *s, int host, uint32_t *object)
{
    int owner = s->private_memory ? host : -1;
    for (uint32_t i = 0; i < n->start.object_count; i++) {
        const struct created *c = &n->start.objects[i];
        if (c->type == s->type && c->address == s->object && c->host == owner) {
            *object = i;
            return 0;
        }
    }
    if (n->start.object_count == MAX_OBJECTS)
        return -ENOSPC;
    struct created *c = &n->start.objects[n->start.object_count];
    *c = (struct created){.type = s->type, .number = count_of_type(n, s->type), .index = -1, .address = s->object, .host = owner};
    memcpy(c->arg, s->arg, sizeof c->arg);
    *object = n->start.object_count++;
    return 0;
}

/* ---- where in the source ---- */

/* A header of the compiler's (std::mutex::lock) is not where a person looks. */
static bool is_own_source(struct native *n, uint64_t address)
{
    struct known_place *k = &n->group.places[address / 2 % KNOWN_PLACES];
    if (k->address != address) {
        struct place place = where_call(native_where(n), address);
        bool own = place.file && strncmp(place.file, "/usr/include/", 13) && strncmp(place.file, "/usr/lib/", 9);
        *k = (struct known_place){.address = address, .own = own};
    }
    return k->own;
}

uint64_t group_place(struct native *n, const struct wire_slot *s)
{
    if (is_own_source(n, s->place))
        return s->place;
    for (size_t i = 0; i < sizeof s->callers / sizeof *s->callers && s->callers[i]; i++)
        if (is_own_source(n, s->callers[i]))
            return s->callers[i];
    return s->place;
}

const char *group_operation(struct native *n, uint32_t slot, struct op *op, char *text)
{
    const struct wire_slot *s = &n->line.wire->slots[slot];
    *op = (struct op){.type = s->type, .code = s->code, .process = (uint8_t)n->members[slot].process, .object = NO_OBJECT,
                      .arg = {s->arg[0], s->arg[1], s->arg[2]}, .place = group_place(n, s), .fresh = s->fresh != 0};
    if (s->type == TYPE_TOSS && (s->arg[0] < 0 || s->arg[0] > MAX_TOSS)) {
        snprintf(text, MAX_RULE, "VS_toss(%d): the argument must be 0 to %d", s->arg[0], MAX_TOSS);
        return text;
    }
    if (s->object && s->type != TYPE_PROCESS && find_object(n, s, (int)slot, &op->object) < 0) {
        snprintf(text, MAX_RULE, "more than %d objects: VeriSoft has no room for them", MAX_OBJECTS);
        return text;
    }
    return NULL;
}

/* ---- what was run ---- */

static uint64_t digest_of(const struct native *n, const struct foreseen *f)
{
    return f->to == NO_NODE ? 0 : n->graphs[f->process].nodes[f->to].fingerprint[1];
}

static uint32_t shared_with(const struct native *n, const struct foreseen *path, uint32_t count)
{
    const struct group_run *g = &n->group;
    uint32_t same = 0;
    while (same < count && same < g->ran_count && g->ran[same].process == path[same].process
           && g->ran[same].result == path[same].result && g->ran[same].digest == digest_of(n, &path[same]))
        same++;
    return same;
}

static const struct op *op_before(const struct native *n, const struct foreseen *f)
{
    return &n->graphs[f->process].nodes[f->from].op;
}

static bool forks(const struct native *n, const struct foreseen *f)
{
    const struct op *op = op_before(n, f);
    return op->type == TYPE_PROCESS && op->code == PROCESS_CREATE && op->arg[0] && f->result < MAX_PROCESSES;
}

static void note_step(struct native *n, const struct foreseen *f, uint64_t digest)
{
    struct group_run *g = &n->group;
    ARRAY_GROW(g->ran, g->ran_count, g->ran_room);
    g->ran[g->ran_count++] = (struct ran){.process = f->process, .result = f->result, .digest = digest};
    n->counts.transitions++;
    g->same[f->host] = NOT_KEPT;
    if (!forks(n, f))
        return;
    g->same[f->result] = NOT_KEPT;
    crew_join(n, f->result, n->line.wire->slots[f->result].pid, (int)f->result);
    g->born[f->result] = g->ran_count;
}

/* ---- going back ---- */

static bool can_restore(const struct native *n)
{
    return n->group.alive && !n->settings.restart && !n->settings.threads && !wire_batch(n->line.wire)->kernel_state;
}

static void ask_for_snapshot(struct native *n)
{
    struct group_run *g = &n->group;
    if (!can_restore(n) || g->snapshot_count == MAX_SNAPSHOTS)
        return;
    g->snapshots[g->snapshot_count++] = g->ran_count;
    uint32_t number = g->snapshot_count - 1;
    for (uint32_t h = 0; h < MAX_PROCESSES; h++) {
        if (!n->members[h].pid)
            continue;
        if (g->same[h] == NOT_KEPT) {
            n->line.wire->slots[h].snapshot = number + 1;
            g->same[h] = (uint8_t)number;
        }
        g->kept[h][number] = g->same[h];
    }
    wire_batch(n->line.wire)->snapshot = number + 1;
}

static void put_host_back(struct native *n, uint32_t h, uint32_t number)
{
    struct group_run *g = &n->group;
    struct wire_slot *s = &n->line.wire->slots[h];
    if (g->same[h] == g->kept[h][number])
        return;
    s->snapshot = 0;
    s->restore = g->kept[h][number] + 1u;
    g->same[h] = g->kept[h][number];
}

static void restore(struct native *n)
{
    struct group_run *g = &n->group;
    struct wire_batch *batch = wire_batch(n->line.wire);
    g->ran_count = g->snapshots[g->snapshot_count - 1];
    for (uint32_t h = 0; h < MAX_PROCESSES; h++) {
        if (n->members[h].pid && g->born[h] > g->ran_count)
            crew_dismiss(n, h);
        else if (n->members[h].pid)
            put_host_back(n, h, g->snapshot_count - 1);
    }
    if (batch->snapshot != g->snapshot_count) {          /* else nobody has run since it was asked for */
        batch->snapshot = 0;
        batch->restore = g->snapshot_count;
    }
    n->counts.restores++;
}

static int start_again(struct native *n, struct err *err)
{
    crew_dismiss_all(n);
    memset(wire_batch(n->line.wire), 0, offsetof(struct wire_batch, steps));
    n->group.ran_count = n->group.snapshot_count = 0;
    memset(n->group.same, NOT_KEPT, sizeof n->group.same);
    return native_boot(n, err);
}

/* Brings the group to a state on the path, at most `shared` steps from its start. */
static int go_back(struct native *n, uint32_t shared, struct err *err)
{
    struct group_run *g = &n->group;
    if (g->alive && g->ran_count <= shared)
        return 0;
    while (g->snapshot_count && g->snapshots[g->snapshot_count - 1] > shared)
        g->snapshot_count--;
    if (!g->snapshot_count || !can_restore(n))
        return start_again(n, err);
    restore(n);
    return 0;
}

/* ---- going on ---- */

static void fill_reply(struct native *n, struct wire_step *step, const struct foreseen *f)
{
    const struct op *op = op_before(n, f);
    if (types_get(op->type)->operations[op->code].result != RESULT_TEXT || f->result == UINT32_MAX)
        return;
    const char *text = texts_string(n->texts, f->result);
    size_t length = strlen(text) + 1;
    memcpy(wire_batch(n->line.wire)->data + n->group.data_used, text, length);
    step->reply = n->group.data_used + 1;
    step->result = 0;
    n->group.data_used += (uint32_t)length;
}

/* Adds one step to the batch; false: there is no room. */
static bool add_step(struct native *n, const struct foreseen *f)
{
    struct wire_batch *batch = wire_batch(n->line.wire);
    if (batch->count == MAX_BATCH || n->group.data_used + MAX_MESSAGE >= MAX_BATCH_DATA)
        return false;
    struct wire_step *step = &batch->steps[batch->count++];
    *step = (struct wire_step){.expect = digest_of(n, f), .result = f->result, .process = (uint8_t)f->process,
                               .host = (uint8_t)f->host};
    fill_reply(n, step, f);
    if (forks(n, f))
        line_clear(&n->line, f->result);
    return true;
}

static void empty_batch(struct native *n)
{
    wire_batch(n->line.wire)->count = wire_batch(n->line.wire)->at = n->group.data_used = 0;
}

/* Sends the batch off. Gives how many of its steps were done; `a` is where the last of these led. */
static int run_batch(struct native *n, struct arrival *a, struct err *err)
{
    struct wire_batch *batch = wire_batch(n->line.wire);
    uint32_t slot;
    line_command(&n->line, batch->steps[0].host, COMMAND_BATCH);
    int rc = arrive_group(n, &slot, a, err);
    if (rc < 0)
        return rc;
    if (batch->at == 0 || batch->at > batch->count)
        return fail(err, "the program wrote into memory that is not its own"), -EIO;
    return (int)batch->at;
}

/* Runs steps of the path from where the group stands. 1: they, or as many as a batch holds, led where they should; 0: the last
 * of those that ran led to `a`. */
static int run_steps(struct native *n, const struct foreseen *path, uint32_t count, struct arrival *a, struct err *err)
{
    const struct wire_batch *batch = wire_batch(n->line.wire);
    uint32_t begin = n->group.ran_count;
    empty_batch(n);
    for (uint32_t i = begin; i < count && add_step(n, &path[i]); i++)
        ;
    int done = run_batch(n, a, err);
    if (done < 0)
        return done;
    for (int i = 0; i + 1 < done; i++)
        note_step(n, &path[begin + (uint32_t)i], batch->steps[i].expect);
    note_step(n, &path[begin + (uint32_t)done - 1], a->fingerprint[1]);
    return a->fingerprint[1] == batch->steps[done - 1].expect;
}

/* A place for a snapshot between where the group stands and where it will come back to, if that is far, or if UNIX processes are
 * made on the way: that is dear. 0: none. */
static uint32_t stop_before(const struct native *n, const struct foreseen *path, uint32_t shared)
{
    const struct group_run *g = &n->group;
    uint32_t at = g->ran_count;
    if (!can_restore(n) || g->snapshot_count == MAX_SNAPSHOTS)
        return 0;
    for (uint32_t i = shared; i > at; i--)
        if (forks(n, &path[i - 1]))
            return i;
    return shared > at + FAR ? shared - (shared - at) / 4 : 0;
}

static int run_along(struct native *n, const struct foreseen *path, uint32_t count, uint32_t shared, uint32_t *right,
                     struct arrival *a, struct err *err)
{
    struct group_run *g = &n->group;
    uint32_t stop = stop_before(n, path, shared);
    if (!g->snapshot_count && !g->ran_count)
        ask_for_snapshot(n);
    while (g->ran_count < count) {
        uint32_t end = stop > g->ran_count ? stop : count;
        int rc = run_steps(n, path, end, a, err);
        if (rc < 0)
            return rc;
        if (rc == 0) {
            *right = g->ran_count - 1;
            return 0;
        }
        if (g->ran_count == stop)
            ask_for_snapshot(n);
    }
    *right = count;
    return 0;
}

int group_settle_path(void *self, const struct foreseen *path, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    struct native *n = self;
    int rc = -ESRCH;
    for (int boots = 0; rc == -ESRCH && boots < BOOTS; boots++) {
        uint32_t shared = shared_with(n, path, count);
        rc = go_back(n, shared, err);
        if (rc >= 0)
            rc = run_along(n, path, count, shared, right, a, err);
        if (rc == -ESRCH)
            n->group.alive = false;
    }
    return rc == -ESRCH ? fail(err, "processes of the program are killed from outside again and again") : rc;
}

/* ---- several paths in one batch ---- */

/* As long as the group is one UNIX process, it can go back by itself. */
static bool is_alone(const struct native *n)
{
    for (uint32_t h = 1; h < MAX_PROCESSES; h++)
        if (n->members[h].pid)
            return false;
    return can_restore(n) && n->group.snapshot_count;
}

static uint32_t common(const struct way *a, const struct way *b)
{
    uint32_t same = 0, least = a->count < b->count ? a->count : b->count;
    while (same < least && a->path[same].process == b->path[same].process && a->path[same].result == b->path[same].result
           && a->path[same].to == b->path[same].to)
        same++;
    return same;
}

static bool any_forks(const struct native *n, const struct way *w, uint32_t from)
{
    for (uint32_t i = from; i < w->count; i++)
        if (forks(n, &w->path[i]))
            return true;
    return false;
}

/* Adds `way`, when `last` has been run before it, to the batch: back to the last snapshot that both have in common, and on from
 * there. False: it does not fit. `from`: where it begins. */
static bool add_way(struct native *n, const struct way *last, const struct way *way, uint32_t *from)
{
    struct wire_batch *batch = wire_batch(n->line.wire);
    const struct group_run *g = &n->group;
    uint32_t shared = common(last, way), snapshot = g->snapshot_count;
    while (snapshot && g->snapshots[snapshot - 1] > shared)
        snapshot--;
    *from = snapshot ? g->snapshots[snapshot - 1] : 0;
    if (!snapshot || batch->count + way->count - *from + 1 > MAX_BATCH || any_forks(n, way, *from))
        return false;
    batch->steps[batch->count++] = (struct wire_step){.result = snapshot - 1, .process = STEP_BACK};
    for (uint32_t i = *from; i < way->count; i++)
        if (!add_step(n, &way->path[i]))
            return false;
    n->group.snapshot_count = snapshot;                  /* those above are of another path from now on */
    return true;
}

/* Which way the step at this place of the batch is of, and which of its steps. */
struct spot { uint32_t way, step; };

static struct spot find_spot(const uint32_t *from, const struct way *ways, uint32_t first, uint32_t at)
{
    struct spot spot = {.way = first};
    for (uint32_t length; length = ways[spot.way].count - from[spot.way] + 1, at >= length; spot.way++)
        at -= length;
    spot.step = from[spot.way] + at - 1;                 /* before it stands the step back */
    return spot;
}

/* The program stands at the end of this way, or where `steps` of it led, the last of them to `digest`. */
static void stands_at(struct native *n, const struct way *way, uint32_t steps, uint64_t digest)
{
    n->group.ran_count = 0;
    uint64_t transitions = n->counts.transitions;
    for (uint32_t i = 0; i < steps; i++)
        note_step(n, &way->path[i], i + 1 < steps ? digest_of(n, &way->path[i]) : digest);
    n->counts.transitions = transitions;
}

/* The ways from `first` on, as many as one batch holds; the one before it was run. Gives the number of the next, with `right` of the
 * one before that; or, with UINT32_MAX there, of one that was not run to its end: a crash ends a batch, also when foreseen. */
static int run_ways(struct native *n, const struct way *ways, uint32_t count, uint32_t first, uint32_t *right, struct arrival *a,
                    struct err *err)
{
    uint32_t from[MAX_WAYS], next = first;
    struct wire_batch *batch = wire_batch(n->line.wire);
    empty_batch(n);
    for (uint32_t kept = 0; next < count && next < MAX_WAYS; next++) {
        kept = batch->count;
        if (!add_way(n, &ways[next - 1], &ways[next], &from[next])) {
            batch->count = kept;
            break;
        }
    }
    if (next == first)
        return (int)first;
    int done = run_batch(n, a, err);
    if (done < 0)
        return done;
    struct spot spot = find_spot(from, ways, first, (uint32_t)done - 1);
    n->counts.restores += spot.way - first + 1;
    n->counts.transitions += (uint32_t)done - (spot.way - first + 1);
    stands_at(n, &ways[spot.way], spot.step + 1, a->fingerprint[1]);
    bool as_foreseen = a->fingerprint[1] == batch->steps[done - 1].expect;
    if (as_foreseen && spot.step + 1 < ways[spot.way].count)
        return (int)spot.way;
    *right = as_foreseen ? spot.step + 1 : spot.step;
    return (int)spot.way + 1;
}

int group_settle_ways(void *self, const struct way *ways, uint32_t count, uint32_t *wrong, uint32_t *right, struct arrival *a,
                      struct err *err)
{
    struct native *n = self;
    for (uint32_t i = 0; i < count;) {
        *right = UINT32_MAX;
        if (i && is_alone(n)) {
            int next = run_ways(n, ways, count, i, right, a, err);
            if (next < 0)
                return next;
            i = (uint32_t)next;
        }
        if (*right == UINT32_MAX) {
            int rc = group_settle_path(n, ways[i].path, ways[i].count, right, a, err);
            if (rc < 0)
                return rc;
            i++;
        }
        if (*right < ways[i - 1].count) {
            *wrong = i - 1;
            return 0;
        }
    }
    *wrong = count;
    return 0;
}

void group_fini(struct native *n)
{
    free(n->group.ran);
}
