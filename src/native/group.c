/* A sharing group: the whole program runs along a path, in batches; to go back, memory is put back or the program starts again.
 *
 * Invariant: `ran` are the steps that the program has run since its start, each with the digest of where it led; it stands there.
 * Snapshot i was taken after `snapshots[i]` of them. A snapshot is taken, and put back, by each UNIX process when it next runs:
 * until then `snapshot` and `restore` stand in its slot. One that did not run between two snapshots takes only the first.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/inside.h"
#include "native/variable.h"
#include "base/memory.h"
#include "objects/types.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static uint32_t count_made(const struct native *n, uint8_t type, int maker)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->start.object_count; i++)
        count += n->start.objects[i].type == type && n->start.objects[i].maker == maker;
    return count;
}

/* Not known by an address, but by 1 + what the program calls it. */
static bool is_numbered(unsigned type) { return types_get(type)->numbered; }

static struct created *known_object(struct native *n, const struct wire_slot *s, int owner)
{
    for (uint32_t i = 0; i < n->start.object_count; i++) {
        struct created *c = &n->start.objects[i];
        if (c->type == s->type && c->address == s->object && c->host == owner)
            return c;
    }
    return NULL;
}

/* NULL, or what there is no room for: more objects, or more words of them. */
static const char *add_object(struct native *n, const struct wire_slot *s, int owner, int maker, char *text)
{
    struct created *c = &n->start.objects[n->start.object_count];
    uint32_t number = is_numbered(s->type) ? (uint32_t)s->object - 1 : count_of_type(n, s->type);
    uint32_t words = (uint32_t)types_get(s->type)->size(s->arg, text, MAX_RULE);
    if (n->start.object_count == MAX_OBJECTS)
        return rules_no_room(n, MAX_OBJECTS, "objects", text);
    if (words > MAX_OBJECT_WORDS - n->object_words)
        return rules_no_room(n, MAX_OBJECT_WORDS, "words of semaphores, queues and other objects", text);
    *c = (struct created){.type = s->type, .number = number, .index = -1, .address = s->object, .host = owner,
                          .maker = maker, .nth = 1 + count_made(n, s->type, maker)};
    memcpy(c->arg, s->arg, sizeof c->arg);
    n->object_words += words;
    n->start.object_count++;
    return NULL;
}

/* An array that is made again, on another path, may have more semaphores. */
static void note_size(struct created *c, const struct wire_slot *s)
{
    if (s->type == TYPE_SEMSET && s->code == SEMSET_INIT && s->arg[0] > c->arg[0])
        c->arg[0] = s->arg[0];
}

static const char *find_object(struct native *n, const struct wire_slot *s, int host, uint32_t *object, char *text)
{
    int owner = s->private_memory ? host : -1;
    struct created *c = known_object(n, s, owner);
    if (!rules_fits(c, s))
        return rules_spoilt;
    const char *no_room = c ? NULL : add_object(n, s, owner, n->members[host].process, text);
    if (no_room)
        return no_room;
    c = c ? c : &n->start.objects[n->start.object_count - 1];
    note_size(c, s);
    *object = (uint32_t)(c - n->start.objects);
    return NULL;
}

/* ---- where in the source ---- */

/* A header of the compiler's (std::mutex::lock) is not where a person looks. */
static bool is_own_source(struct native *n, uint64_t address)
{
    struct known_place *k = &n->group.places[address / 2 % KNOWN_PLACES];
    if (k->address != address)
        *k = (struct known_place){.address = address, .own = where_is_own(native_where(n), address)};
    return k->own;
}

/* Who called whom, from the one in whom the program called the runtime; none where memory is not where it was first. */
static void unwind(struct native *n, uint32_t slot, uint64_t saved)
{
    bool fixed = n->line.own.launched & LAUNCH_FIXED_ADDRESSES;
    frames_of(native_where(n), n->members[slot].pid, fixed ? saved : 0, &n->group.frames);
}

static uint64_t own_caller(struct native *n, uint64_t place)
{
    const struct frames *f = &n->group.frames;
    int from = 0;
    while (from < f->count && f->at[from].pc != place)
        from++;
    for (int i = from; i < f->count; i++)
        if (is_own_source(n, f->at[i].pc))
            return f->at[i].pc;
    for (int i = from; i < f->count; i++)                /* without debug information it is known by the file at least */
        if (where_is_of_program(native_where(n), f->at[i].pc))
            return f->at[i].pc;
    return 0;
}

/* A function that a thread began with has returned: where it ends, not where it begins. */
static uint64_t end_of_function(struct native *n, const struct wire_slot *s)
{
    bool returned = s->type == TYPE_PROCESS && s->code == PROCESS_FINISH && s->arg[1] == FINISH_RETURN;
    return returned ? where_end(native_where(n), s->place) : s->place;
}

uint64_t group_place(struct native *n, uint32_t slot, const struct wire_slot *s)
{
    uint64_t own = 0;
    if (is_own_source(n, s->place))
        return end_of_function(n, s);
    if (s->stack) {
        unwind(n, slot, s->stack);
        own = own_caller(n, s->place);
    }
    for (size_t i = 0; i < sizeof s->callers / sizeof *s->callers && s->callers[i] && !own && !n->group.frames.count; i++)
        own = is_own_source(n, s->callers[i]) ? s->callers[i] : 0;
    return own ? own : s->place;
}

/* ---- the names of what is on the stack and in the heap ---- */

static const struct born *born_at(const struct native *n, uint32_t object, uint64_t place)
{
    const struct group_run *g = &n->group;
    for (uint32_t i = g->birth_count; i-- > 0;)
        if (g->births[i].object == object && (!place || g->births[i].place == place))
            return &g->births[i];
    return NULL;
}

/* Who comes to an object first need not be the first to use it; but as long as nobody makes it anew, it is the same one. */
static const char *name_on_arrival(const struct native *n, uint32_t object)
{
    const struct group_run *g = &n->group;
    for (uint32_t i = g->birth_count; i-- > 0;)
        if (g->births[i].object == object && !g->births[i].made && g->births[i].name)
            return g->births[i].name;
    return NULL;
}

const char *native_object_name(const struct native *n, uint32_t object, uint64_t place)
{
    const struct born *b = born_at(n, object, place);
    return b && b->name ? b->name : name_on_arrival(n, object);
}

/* How many other objects have this name already? */
static unsigned namesakes(const struct native *n, uint32_t object, const char *name)
{
    size_t length = strlen(name);
    unsigned count = 0;
    for (uint32_t i = 0; i < n->group.birth_count; i++) {
        const struct born *b = &n->group.births[i];
        bool same = b->name && !strncmp(b->name, name, length) && (!b->name[length] || b->name[length] == ' ');
        if (same && b->object == object)
            return count;
        count += same && born_at(n, b->object, 0) == b;
    }
    return count;
}

static void name_object(struct native *n, uint32_t slot, const struct wire_slot *s, const struct op *op, bool made)
{
    struct group_run *g = &n->group;
    char name[256], numbered[280];
    struct born b = {.object = op->object, .place = op->place, .made = made};
    unwind(n, slot, s->object_stack ? s->object_stack : s->stack);
    if (variable_seen(native_where(n), n->members[slot].pid, &g->frames, s->object, name, sizeof name)) {
        unsigned before = namesakes(n, op->object, name);
        snprintf(numbered, sizeof numbered, before ? "%s #%u" : "%s", name, before + 1);
        b.name = memory_text(numbered);
    }
    ARRAY_GROW(g->births, g->birth_count, g->birth_room);
    g->births[g->birth_count++] = b;
}

/* Known by its address, and not in a variable that is always there. */
static bool needs_name(struct native *n, const struct wire_slot *s)
{
    return types_get(s->type)->memory && s->stack && !where_module(native_where(n), s->object);
}

/* Was it made just now, or used for the first time? */
static void note_birth(struct native *n, uint32_t slot, const struct wire_slot *s, const struct op *op, bool first)
{
    bool makes = s->fresh || types_traits(op) & OP_MAKES;
    if ((first || makes) && needs_name(n, s) && !born_at(n, op->object, op->place))
        name_object(n, slot, s, op, makes);
}

/* pthread_create(producer) */
const char *group_text(struct native *n, uint32_t slot, char *text)
{
    const struct wire_slot *s = &n->told;
    bool creates = s->type == TYPE_PROCESS && s->code == PROCESS_CREATE && s->address;
    char name[MAX_RULE / 2];
    if (!creates || !variable_thread(native_where(n), n->members[slot].pid, s->address, s->argument, name, sizeof name))
        return s->text;
    snprintf(text, MAX_RULE, "%.64s(%s)", s->text, name);
    return text;
}

const char *group_operation(struct native *n, uint32_t slot, struct op *op, char *text)
{
    const struct wire_slot *s = &n->told;
    *op = (struct op){.type = s->type, .code = s->code, .process = (uint8_t)n->members[slot].process, .object = NO_OBJECT,
                      .arg = {s->arg[0], s->arg[1], s->arg[2]}, .place = group_place(n, slot, s), .fresh = s->fresh != 0};
    if (s->type == TYPE_TOSS && (s->arg[0] < 0 || s->arg[0] > MAX_TOSS)) {
        snprintf(text, MAX_RULE, "VS_toss(%d): the argument must be 0 to %d", s->arg[0], MAX_TOSS);
        return text;
    }
    if (s->type == TYPE_QUEUE && s->text_length > MAX_MESSAGE) {
        snprintf(text, MAX_RULE, "send_to_queue: the message is longer than %d bytes", MAX_MESSAGE);
        return text;
    }
    uint32_t known = n->start.object_count;
    const char *wrong = s->object ? find_object(n, s, (int)slot, &op->object, text) : NULL;
    if (wrong)
        return wrong;
    if (op->object != NO_OBJECT)
        note_birth(n, slot, s, op, n->start.object_count > known);
    return NULL;
}

/* ---- what was run ---- */

static uint64_t digest_of(const struct native *n, const struct leg *f)
{
    return f->to == NO_NODE ? 0 : n->graphs[f->process].nodes[f->to].fingerprint[1];
}

static uint32_t alike(const struct native *n, const struct ran *ran, uint32_t ran_count, const struct leg *path, uint32_t count)
{
    uint32_t same = 0;
    while (same < count && same < ran_count && ran[same].process == path[same].process && ran[same].result == path[same].result
           && ran[same].digest == digest_of(n, &path[same]))
        same++;
    return same;
}

static uint32_t shared_with(const struct native *n, const struct leg *path, uint32_t count)
{
    return alike(n, n->group.ran, n->group.ran_count, path, count);
}

/* Where the last step of the path, of which nobody has said where it leads, led when the same path was last run; 0: it was not. */
static uint64_t led_before(const struct native *n, const struct leg *path, uint32_t count, uint32_t shared)
{
    const struct ran *last = &n->group.ran[shared];
    bool again = shared + 1 == count && shared < n->group.ran_count && path[shared].to == NO_NODE
              && last->process == path[shared].process && last->result == path[shared].result;
    return again ? last->digest : 0;
}

static const struct op *op_before(const struct native *n, const struct leg *f)
{
    return &n->graphs[f->process].nodes[f->from].op;
}

static bool forks(const struct native *n, const struct leg *f)
{
    const struct op *op = op_before(n, f);
    return op->type == TYPE_PROCESS && op->code == PROCESS_CREATE && op->arg[0] && f->result < MAX_PROCESSES;
}

static void note_step(struct native *n, const struct leg *f, uint64_t digest)
{
    struct group_run *g = &n->group;
    ARRAY_GROW(g->ran, g->ran_count, g->ran_room);
    g->ran[g->ran_count++] = (struct ran){.process = f->process, .result = f->result, .digest = digest};
    n->counts.transitions++;
    g->same[f->host] = NOT_KEPT;
    if (!forks(n, f))
        return;
    g->same[f->result] = NOT_KEPT;
    crew_join(n, f->result, crew_pid(n, f->result), (int)f->result);
    g->born[f->result] = g->ran_count;
}

/* ---- loops ---- */

/* The program has run along `ran`, and the last of these steps led to `a`. */
static void note_loop(struct native *n, const struct arrival *a)
{
    const struct group_run *g = &n->group;
    struct loop *loop = &n->group.loop;
    if (a->op.type != TYPE_PROCESS || a->op.code != PROCESS_DIVERGENCE)
        return;
    loop->count = 0;
    for (uint32_t i = 0; i < g->ran_count; i++) {
        ARRAY_GROW(loop->steps, loop->count, loop->room);
        loop->steps[loop->count++] = g->ran[i];
    }
    loop->arrival = *a;
}

/* Would the path end in the loop that is known? Then this is all that running it would tell. */
static bool ends_in_loop(const struct native *n, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a)
{
    const struct loop *loop = &n->group.loop;
    if (!loop->count || count < loop->count)
        return false;
    uint32_t last = loop->count - 1, same = alike(n, loop->steps, loop->count, path, count);
    if (same < last || path[last].process != loop->steps[last].process || path[last].result != loop->steps[last].result)
        return false;
    *right = same;
    *a = loop->arrival;
    return same == last || count == loop->count;
}

/* ---- going back ---- */

static bool can_restore(const struct native *n)
{
    return n->group.alive && !n->settings.restart && !n->settings.threads && !line_batch(&n->line)->kernel_state;
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
    line_batch(&n->line)->snapshot = number + 1;
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
    struct wire_batch *batch = line_batch(&n->line);
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
    line_repair(&n->line);
    memset(line_batch(&n->line), 0, offsetof(struct wire_batch, steps));
    n->group.ran_count = n->group.snapshot_count = 0;
    n->group.alive = n->group.apart = false;
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

static void fill_reply(struct native *n, struct wire_step *step, const struct leg *f)
{
    const struct op *op = op_before(n, f);
    if (types_get(op->type)->operations[op->code].result != RESULT_TEXT || f->result == UINT32_MAX)
        return;
    const char *text = texts_string(n->texts, f->result);
    size_t length = strlen(text) + 1;
    memcpy(line_batch(&n->line)->data + n->group.data_used, text, length);
    step->reply = n->group.data_used + 1;
    step->result = 0;
    n->group.data_used += (uint32_t)length;
}

/* Adds one step to the batch; false: there is no room. */
static bool add_step(struct native *n, const struct leg *f)
{
    struct plan *batch = &n->group.plan;
    uint32_t most = n->group.single ? 1 : MAX_BATCH;
    if (batch->count == most || n->group.data_used + MAX_MESSAGE >= MAX_BATCH_DATA)
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
    n->group.plan.count = line_batch(&n->line)->at = n->group.data_used = 0;
}

/* While the controller goes on meanwhile, the program is better on another core; while they take turns, on the same one. */
static void stay_apart(struct native *n, bool apart)
{
    if (n->group.apart == apart)
        return;
    cpu_set_t cores = n->cores;
    int here = sched_getcpu();
    if (here < 0 || CPU_COUNT(&cores) < 2)
        return;
    n->group.apart = apart;
    if (apart) {
        CPU_CLR(here, &cores);
    } else {
        CPU_ZERO(&cores);
        CPU_SET(here, &cores);
    }
    sched_setaffinity(n->members[0].pid, sizeof cores, &cores);
}

/* It is, unless others keep that core busy. That shows in how long ways take; the other place is tried now and then. What is found does
 * not depend on this. */
static bool is_faster_apart(struct native *n, uint32_t count)
{
    enum { TRY_OTHER = 64 };
    struct pace *p = &n->group.pace;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t now = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
    double *each = &p->each[n->group.apart], last = p->count ? (double)(now - p->since) / p->count : 0;
    if (last)
        *each = *each ? (3 * *each + last) / 4 : last;
    p->since = now;
    p->count = count;
    bool apart = p->each[true] <= p->each[false];
    return ++p->sets % TRY_OTHER ? apart : !apart;
}

static void start_batch(struct native *n)
{
    const struct plan *plan = &n->group.plan;
    struct wire_batch *batch = line_batch(&n->line);
    memcpy(batch->steps, plan->steps, plan->count * sizeof *plan->steps);
    batch->count = plan->count;
    line_command(&n->line, plan->steps[0].host, COMMAND_BATCH);
}

/* Gives how many of its steps were done; `a` is where the last of these led. */
static int finish_batch(struct native *n, struct arrival *a, struct err *err)
{
    const struct plan *batch = &n->group.plan;
    uint32_t slot;
    int rc = arrive_group(n, &slot, a, err);
    if (rc < 0) {
        n->group.alive = false;      /* nobody knows where it stands */
        return rc;
    }
    assert(n->group.done && n->group.done <= batch->count);
    return (int)n->group.done;
}

/* ---- what differs from run to run ----
 *
 * Where the program leads to depends on the order of its steps and their results: what was run before leads where it did. Where it
 * does not, the process stands at an end of its own from then on, whatever it does when it is run once more. */

static void stand_at_odd(struct native *n, const struct leg *path, uint32_t at, struct arrival *a)
{
    const struct odd *odd = &n->group.odd;
    const struct leg *f = &path[at];
    if (odd->found && odd->at == at && odd->process == f->process && odd->from == f->from && odd->result == f->result)
        *a = odd->arrival;
}

static void differs(struct native *n, const struct leg *path, uint32_t at, uint32_t before, struct arrival *a)
{
    const struct leg *f = &path[at];
    struct odd *odd = &n->group.odd;
    if (odd->found || types_mishap(&a->op))
        return;
    native_differs(n, f->host, &n->graphs[f->process].nodes[before], a);
    *odd = (struct odd){.found = true, .at = at, .process = f->process, .from = f->from, .result = f->result, .arrival = *a};
    n->group.ran[at].digest = a->fingerprint[1];
}

/* Step number `at` led elsewhere than foreseen; the first `shared` of the path were run before. */
static void check_again(struct native *n, const struct leg *path, uint32_t at, uint32_t shared, struct arrival *a)
{
    if (at < shared)
        differs(n, path, at, path[at].to, a);
}

/* The same of a last step that was run before, though nothing is foreseen of it. */
static void check_last(struct native *n, const struct leg *path, uint32_t at, uint64_t before, struct arrival *a)
{
    const struct leg *f = &path[at];
    const struct edge *edge = graph_edge(&n->graphs[f->process], f->from, f->result);
    if (before && edge && a->fingerprint[1] != before && n->graphs[f->process].nodes[edge->next].fingerprint[1] == before)
        differs(n, path, at, edge->next, a);
}

/* Runs steps of the path from where the group stands. 1: they, or as many as a batch holds, led where they should; 0: the last
 * of those that ran led to `a`. */
static int run_steps(struct native *n, const struct leg *path, uint32_t count, struct arrival *a, struct err *err)
{
    const struct plan *batch = &n->group.plan;
    uint32_t begin = n->group.ran_count;
    empty_batch(n);
    for (uint32_t i = begin; i < count && add_step(n, &path[i]); i++)
        ;
    stay_apart(n, false);
    n->group.pace.count = 0;
    start_batch(n);
    int done = finish_batch(n, a, err);
    if (done < 0)
        return done;
    stand_at_odd(n, path, begin + (uint32_t)done - 1, a);
    for (int i = 0; i + 1 < done; i++)
        note_step(n, &path[begin + (uint32_t)i], batch->steps[i].expect);
    note_step(n, &path[begin + (uint32_t)done - 1], a->fingerprint[1]);
    note_loop(n, a);
    return a->fingerprint[1] == batch->steps[done - 1].expect;
}

/* A place for a snapshot between where the group stands and where it will come back to, if that is far, or if UNIX processes are
 * made on the way: that is dear. 0: none. */
static uint32_t stop_before(const struct native *n, const struct leg *path, uint32_t shared)
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

static int run_along(struct native *n, const struct leg *path, uint32_t count, uint32_t shared, uint32_t *right,
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

/* Of its own path the search knows itself what was run before; a path that was deferred is none any more. */
enum whose { OWN, DEFERRED };
static int run_path(struct native *n, const struct leg *path, uint32_t count, enum whose whose, uint32_t *right,
                    struct arrival *a, struct err *err)
{
    int rc = -ESRCH;
    if (ends_in_loop(n, path, count, right, a))
        return 0;
    for (int boots = 0; rc == -ESRCH && boots < BOOTS; boots++) {
        uint32_t shared = shared_with(n, path, count);
        uint64_t before = led_before(n, path, count, shared);
        rc = go_back(n, shared, err);
        if (rc >= 0)
            rc = run_along(n, path, count, shared, right, a, err);
        if (rc >= 0 && whose == DEFERRED)
            check_again(n, path, *right, shared, a);
        if (rc >= 0 && *right + 1 == count)
            check_last(n, path, *right, before, a);
        if (rc == -ESRCH)
            n->group.alive = false;
    }
    return rc == -ESRCH ? fail(err, "processes of the program are killed from outside again and again") : native_refused(rc);
}

int group_run_path(void *self, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    return run_path(self, path, count, OWN, right, a, err);
}

/* ---- several paths in one batch ---- */

/* As long as the group is one UNIX process, it can go back by itself. */
static bool is_alone(const struct native *n)
{
    if (n->group.single)
        return false;
    for (uint32_t h = 1; h < MAX_PROCESSES; h++)
        if (n->members[h].pid)
            return false;
    return can_restore(n) && n->group.snapshot_count;
}

static uint32_t common(const struct way *a, const struct way *b)
{
    enum { BLOCK = 16 };             /* mostly they are alike for long */
    uint32_t same = 0, least = a->count < b->count ? a->count : b->count;
    while (same + BLOCK <= least && !memcmp(a->path + same, b->path + same, BLOCK * sizeof *a->path))
        same += BLOCK;
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

static void add_mark(struct native *n, uint8_t mark, uint32_t snapshot)
{
    struct plan *batch = &n->group.plan;
    batch->steps[batch->count++] = (struct wire_step){.result = snapshot, .process = mark};
}

/* Back to the last snapshot that is at most `shared` steps from the start. Gives its place; NO_NODE: there is none. */
static uint32_t add_back(struct native *n, uint32_t shared)
{
    struct group_run *g = &n->group;
    while (g->snapshot_count && g->snapshots[g->snapshot_count - 1] > shared)
        g->snapshot_count--;
    uint32_t number = g->snapshot_count - 1;
    if (!g->snapshot_count || g->kept[0][number] != number)
        return NO_NODE;
    add_mark(n, STEP_BACK, number);
    return g->snapshots[number];
}

static void add_keep(struct native *n, uint32_t at)
{
    struct group_run *g = &n->group;
    uint32_t number = g->snapshot_count++;
    add_mark(n, STEP_KEEP, number);
    g->snapshots[number] = at;
    g->kept[0][number] = (uint8_t)number;
}

/* Adds a way to the batch that begins where the group stands then, after `standing` steps; `shared` of these are its own. False: it
 * does not fit. */
static bool add_way(struct native *n, const struct way *ways, uint32_t which, uint32_t standing, uint32_t shared)
{
    struct plan *batch = &n->group.plan;
    const struct way *way = &ways[which];
    uint32_t at = standing <= shared ? standing : batch->count < MAX_BATCH ? add_back(n, shared) : NO_NODE;
    if (at == NO_NODE || batch->count + way->count - at + 1 > MAX_BATCH || any_forks(n, way, at))
        return false;
    uint32_t keep = shared > at + FAR && n->group.snapshot_count < MAX_SNAPSHOTS ? shared - (shared - at) / 4 : UINT32_MAX;
    for (; at < way->count; at++) {
        if (at == keep)
            add_keep(n, at);
        n->group.spots[batch->count] = (struct spot){which, at};
        if (!add_step(n, &way->path[at]))
            return false;
    }
    return true;
}

/* The snapshots as they are after the first `done` steps of the batch. */
static void replay_marks(struct native *n, uint32_t done)
{
    struct group_run *g = &n->group;
    const struct plan *batch = &n->group.plan;
    memcpy(g->snapshots, g->sent.snapshots, sizeof g->snapshots);
    g->snapshot_count = g->sent.snapshot_count;
    for (uint32_t i = 0; i < done; i++) {
        const struct wire_step *step = &batch->steps[i];
        if (step->process < STEP_KEEP)
            continue;
        g->snapshot_count = step->result + 1;
        if (step->process == STEP_KEEP)
            g->snapshots[step->result] = g->spots[i + 1].step;
    }
}

/* Puts the ways from `first` on into the batch, as many as fit. */
static void fill_batch(struct native *n, uint32_t first)
{
    struct group_run *g = &n->group;
    struct sent *sent = &g->sent;
    struct plan *batch = &n->group.plan;
    const struct way *ways = sent->ways;
    uint32_t standing = g->ran_count, shared = shared_with(n, ways[first].path, ways[first].count);
    memcpy(sent->snapshots, g->snapshots, sizeof sent->snapshots);
    sent->snapshot_count = g->snapshot_count;
    sent->first = sent->next = first;
    sent->shared = shared;
    empty_batch(n);
    while (sent->next < sent->count) {
        uint32_t kept = batch->count;
        if (!add_way(n, ways, sent->next, standing, shared)) {
            batch->count = kept;
            replay_marks(n, kept);
            break;
        }
        standing = ways[sent->next++].count;
        if (sent->next < sent->count)
            shared = common(&ways[sent->next - 1], &ways[sent->next]);
    }
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

static void count_done(struct native *n, uint32_t done)
{
    const struct plan *batch = &n->group.plan;
    replay_marks(n, done);
    for (uint32_t i = 0; i < done; i++) {
        n->counts.transitions += batch->steps[i].process < STEP_KEEP;
        n->counts.restores += batch->steps[i].process == STEP_BACK;
    }
}

/* Waits for the batch. Gives the number of the way to be run next, with `right` of the one before; or, with UINT32_MAX there, of
 * one that was not run to its end: a crash ends a batch, also when foreseen, and the program may have been killed. */
static int collect(struct native *n, uint32_t *right, struct arrival *a, struct err *err)
{
    struct sent *sent = &n->group.sent;
    const struct plan *batch = &n->group.plan;
    sent->runs = false;
    *right = sent->ways[sent->next - 1].count;
    if (!batch->count)
        return (int)sent->next;
    int done = finish_batch(n, a, err);
    if (done == -ESRCH) {
        *right = UINT32_MAX;
        return (int)sent->first;
    }
    if (done < 0)
        return done;
    struct spot spot = n->group.spots[done - 1];
    count_done(n, (uint32_t)done);
    stand_at_odd(n, sent->ways[spot.way].path, spot.step, a);
    stands_at(n, &sent->ways[spot.way], spot.step + 1, a->fingerprint[1]);
    note_loop(n, a);
    if (a->fingerprint[1] != batch->steps[done - 1].expect) {
        const struct way *way = &sent->ways[spot.way];
        *right = spot.step;
        check_again(n, way->path, spot.step, spot.way == sent->first ? sent->shared : common(way - 1, way), a);
        return (int)spot.way + 1;
    }
    if ((uint32_t)done == batch->count)
        return (int)sent->next;
    bool whole = spot.step + 1 == sent->ways[spot.way].count;
    *right = whole ? spot.step + 1 : UINT32_MAX;
    return (int)spot.way + whole;
}

int group_send(void *self, const struct way *ways, uint32_t count, enum sending how, struct err *err)
{
    struct native *n = self;
    struct sent *sent = &n->group.sent;
    (void)err;
    sent->ways = ways;
    sent->count = count;
    sent->runs = false;
    if (!is_alone(n))
        return 0;
    fill_batch(n, 0);
    sent->runs = sent->next > 0;
    stay_apart(n, how == SEND_AND_GO_ON && is_faster_apart(n, count));
    if (sent->runs && n->group.plan.count)
        start_batch(n);
    return 0;
}

/* The next of the ways, or several. As `collect`. */
static int run_ways(struct native *n, uint32_t first, uint32_t *right, struct arrival *a, struct err *err)
{
    struct sent *sent = &n->group.sent;
    *right = UINT32_MAX;
    if (!is_alone(n))
        return (int)first;
    fill_batch(n, first);
    if (sent->next == first)
        return (int)first;
    if (n->group.plan.count)
        start_batch(n);
    return collect(n, right, a, err);
}

int group_await(void *self, uint32_t *wrong, uint32_t *right, struct arrival *a, struct err *err)
{
    struct native *n = self;
    const struct sent *sent = &n->group.sent;
    for (int i = 0; i < (int)sent->count;) {
        i = sent->runs ? collect(n, right, a, err) : run_ways(n, (uint32_t)i, right, a, err);
        if (i < 0)
            return native_refused(i);
        if (*right == UINT32_MAX) {
            int rc = run_path(n, sent->ways[i].path, sent->ways[i].count, DEFERRED, right, a, err);
            if (rc < 0)
                return rc;
            i++;
        }
        if (*right < sent->ways[i - 1].count) {
            *wrong = (uint32_t)i - 1;
            return 0;
        }
    }
    *wrong = sent->count;
    return 0;
}

void group_fini(struct native *n)
{
    for (uint32_t i = 0; i < n->group.birth_count; i++)
        free(n->group.births[i].name);
    free(n->group.births);
    free(n->group.ran);
    free(n->group.loop.steps);
}
