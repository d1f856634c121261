/* SPDX-License-Identifier: MIT */
#include "system/datarace.h"
#include "system/group.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A set, by rising address. */
struct sorted { struct wire_access *all; uint32_t count, longest; bool known, missed, news, handled; };

/* Of two sets: the races that are possible between them, those of `pairs` from `first` on. */
struct pair { uint32_t a, b, first, count; };
struct possible { struct wire_access a, b; uint32_t race; };     /* race: 1 + its number; 0: it never was one */

struct past_step {
    uint32_t set;
    uint32_t previous;               /* 1 + the last step of its process; 0: none; likewise ... */
    uint32_t previous_on;            /* ... on its location */
    uint32_t fence;                  /* 1 + the last fence of its process that releases; 0: none */
    uint32_t width;                  /* processes that there were: of the clocks so many numbers are set, the others would be 0 */
    uint32_t clock[MAX_PROCESSES];   /* 1 + the last step of each process that happens before it, or is it */
    uint32_t released[MAX_PROCESSES];            /* of an operation on a location: what one that acquires it afterwards is ordered after */
};

struct datarace {
    struct system           *system;
    struct datarace_settings settings;
    struct past_step        *steps;
    struct leg              *legs;   /* of the same steps, close together: every path is compared with the one before */
    uint32_t                *told;   /* likewise: their sets, as they were told */
    uint32_t                 count, room;
    uint32_t                 last[MAX_PROCESSES];        /* 1 + its last step */
    bool                     handles[MAX_PROCESSES];     /* was it ever in the handler of a signal, and used memory there? */
    struct sorted           *sets;
    uint32_t                 set_room;
    struct pair             *pairs;  /* hash table */
    uint32_t                 pair_count, pair_mask;
    struct possible         *possible;
    uint32_t                 possible_count, possible_room;
    struct race             *races;
    uint32_t                *paths;
    uint32_t                 race_count, race_room, path_room;
    bool                     missed, grew, stop;
};

enum { FIRST_PAIRS = 1024 };

struct datarace *datarace_new(struct system *s, const struct datarace_settings *settings)
{
    struct datarace *d = memory_get(sizeof *d);
    *d = (struct datarace){ .system = s, .settings = *settings, .pair_mask = FIRST_PAIRS - 1 };
    d->pairs = memory_get(FIRST_PAIRS * sizeof *d->pairs);
    s->group->datarace = d;
    return d;
}

void datarace_free(struct datarace *d)
{
    if (!d)
        return;
    for (uint32_t i = 0; i < d->set_room; i++)
        free(d->sets[i].all);
    free(d->sets);
    free(d->steps);
    free(d->legs);
    free(d->told);
    free(d->pairs);
    free(d->possible);
    free(d->races);
    free(d->paths);
    free(d);
}

uint32_t datarace_count(const struct datarace *d)                        { return d->race_count; }
const struct race *datarace_get(const struct datarace *d, uint32_t i)    { return &d->races[i]; }
uint32_t datarace_paths(const struct datarace *d, uint32_t i)            { return d->paths[i]; }
bool datarace_missed(const struct datarace *d)                           { return d->missed; }

static bool same_access(const struct wire_access *a, const struct wire_access *b)
{
    return a->place == b->place && a->kind == b->kind;
}

bool datarace_same(const struct race *a, const struct race *b)
{
    return (same_access(&a->first.access, &b->first.access) && same_access(&a->second.access, &b->second.access))
        || (same_access(&a->first.access, &b->second.access) && same_access(&a->second.access, &b->first.access));
}

/* ---- sets ---- */

static int by_address(const void *a, const void *b)
{
    const struct wire_access *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

static struct sorted *sorted_set(struct datarace *d, uint32_t set)
{
    const struct runner *runner = d->system->runner;
    const struct wire_access *all;
    if (set >= d->set_room) {
        uint32_t room = 2 * (set + 1);
        d->sets = memory_resize(d->sets, room * sizeof *d->sets);
        memset(d->sets + d->set_room, 0, (room - d->set_room) * sizeof *d->sets);
        d->set_room = room;
    }
    struct sorted *s = &d->sets[set];
    if (s->known)
        return s;
    int count = runner->accesses(runner->self, set, &all);
    *s = (struct sorted){ .known = true, .missed = count < 0 };
    if (count <= 0)
        return s;
    s->count = (uint32_t)count;
    s->all = memory_get(s->count * sizeof *s->all);
    memcpy(s->all, all, s->count * sizeof *s->all);
    qsort(s->all, s->count, sizeof *s->all, by_address);
    for (uint32_t i = 0; i < s->count; i++)
        s->longest = s->all[i].size > s->longest ? s->all[i].size : s->longest;
    for (uint32_t i = 0; i < s->count; i++)
        s->news |= s->all[i].kind & ACCESS_IS_NEW;
    for (uint32_t i = 0; i < s->count; i++)
        s->handled |= s->all[i].kind & ACCESS_IS_HANDLED;
    return s;
}

/* ---- which sets can race ---- */

static bool can_race(const struct wire_access *a, const struct wire_access *b)
{
    return a->reserved == b->reserved && (a->kind | b->kind) & ACCESS_IS_WRITE && !(a->kind & b->kind & ACCESS_IS_ATOMIC)
        && !((a->kind | b->kind) & ACCESS_IS_NEW)
        && a->address < b->address + b->size && b->address < a->address + a->size;
}

/* The first of the set that may reach beyond this address. */
static uint32_t from_address(const struct sorted *s, uint64_t address)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (s->all[middle].address + s->longest <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_possible(struct datarace *d, const struct wire_access *a, const struct wire_access *b)
{
    ARRAY_GROW(d->possible, d->possible_count, d->possible_room);
    d->possible[d->possible_count++] = (struct possible){ *a, *b, 0 };
}

static void find_possible(struct datarace *d, uint32_t first, uint32_t second)
{
    sorted_set(d, first > second ? first : second);      /* the array does not move any more */
    const struct sorted *a = sorted_set(d, first), *b = sorted_set(d, second);
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = from_address(b, a->all[i].address); j < b->count && b->all[j].address < a->all[i].address + a->all[i].size; j++)
            if (can_race(&a->all[i], &b->all[j]))
                add_possible(d, &a->all[i], &b->all[j]);
}

static uint32_t slot_of(const struct datarace *d, uint32_t a, uint32_t b)
{
    uint32_t at = (uint32_t)(((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & d->pair_mask;
    while (d->pairs[at].a && (d->pairs[at].a != a || d->pairs[at].b != b))
        at = (at + 1) & d->pair_mask;
    return at;
}

static void widen(struct datarace *d)
{
    struct pair *old = d->pairs;
    uint32_t old_mask = d->pair_mask;
    d->pair_mask = 2 * old_mask + 1;
    d->pairs = memory_get(((size_t)d->pair_mask + 1) * sizeof *d->pairs);
    for (uint32_t i = 0; i <= old_mask; i++)
        if (old[i].a)
            d->pairs[slot_of(d, old[i].a, old[i].b)] = old[i];
    free(old);
}

static struct pair pair_of(struct datarace *d, uint32_t a, uint32_t b)
{
    assert(a && b);                              /* the empty set has no number of its own here */
    uint32_t at = slot_of(d, a, b);
    if (d->pairs[at].a)
        return d->pairs[at];
    uint32_t first = d->possible_count;
    find_possible(d, a, b);
    struct pair new = { a, b, first, d->possible_count - first };
    d->pairs[at] = new;
    if (++d->pair_count > d->pair_mask / 2)
        widen(d);
    return new;
}

/* ---- what happens before what ---- */

static const struct leg *leg_of(const struct datarace *d, const struct past_step *s) { return &d->legs[s - d->steps]; }

static const struct op *op_of(const struct datarace *d, const struct past_step *s)
{
    const struct leg *leg = leg_of(d, s);
    return &d->system->nodes[leg->process][leg->from].op;
}

static struct step as_step(const struct leg *leg)
{
    return (struct step){ .process = leg->process, .node = leg->from, .result = leg->result, .next = leg->to };
}

static enum role role_of(const struct op *op) { return types_get(op->type)->operations[op->code].role; }

static bool orders_nothing(const struct op *op) { return types_get(op->type)->orders_nothing; }
static bool on_variable(const struct op *op)    { return types_get(op->type)->variable; }

/* A lock that was not got says nothing of what its holder did. */
static bool failed(const struct op *op, uint32_t result)
{
    return role_of(op) == ROLE_TAKE && (result == EBUSY || result == EAGAIN || result == ETIMEDOUT);
}

/* Do they synchronise, first before second? Of the second it is known that it orders something. */
static bool synchronise(const struct datarace *d, const struct past_step *first, const struct past_step *second)
{
    const struct op *x = op_of(d, first), *y = op_of(d, second);
    const struct leg *before = leg_of(d, first), *after = leg_of(d, second);
    if (orders_nothing(x) || failed(x, before->result) || failed(y, after->result))
        return false;
    enum role gives = role_of(x), takes = role_of(y);
    if (gives == ROLE_TAKE || gives == ROLE_RECEIVE || takes == ROLE_GIVE || takes == ROLE_SEND)
        return false;
    if (is_process(y, PROCESS_ALONE) || is_process(y, PROCESS_LEAVE))    /* it ends the others, and was not told of anything */
        return false;
    struct step a = as_step(before), b = as_step(after);
    return dependence_meet(d->system, &a, before->stamp, &b, after->stamp);
}

static void join(uint32_t *clock, const uint32_t *other, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        clock[i] = clock[i] < other[i] ? other[i] : clock[i];
}

static void join_ordered(struct datarace *d, struct past_step *s)
{
    if (orders_nothing(op_of(d, s)))
        return;
    for (int p = 0; p < d->system->processes; p++)
        for (uint32_t at = p == (int)leg_of(d, s)->process ? 0 : d->last[p]; at > s->clock[p]; at = d->steps[at - 1].previous)
            if (synchronise(d, &d->steps[at - 1], s)) {
                join(s->clock, d->steps[at - 1].clock, d->steps[at - 1].width);
                break;
            }
}

static bool same_location(const struct op *a, const struct op *b)
{
    return on_variable(a) && a->object == b->object && LOCATION_WHICH(a) == LOCATION_WHICH(b);
}

/* The last operation on the location from which this one must not be moved away; NULL: there is none. */
static const struct past_step *last_in_conflict(const struct datarace *d, const struct past_step *s)
{
    struct step after = as_step(leg_of(d, s));
    for (uint32_t at = s->previous_on; at; at = d->steps[at - 1].previous_on) {
        const struct leg *leg = &d->legs[at - 1];
        assert(at <= d->count && on_variable(op_of(d, &d->steps[at - 1])));
        struct step before = as_step(leg);
        if (leg->process == after.process || dependence_conflict(d->system, &before, leg->stamp, &after, leg_of(d, s)->stamp))
            return &d->steps[at - 1];
    }
    return NULL;
}

/* Of a fence: ORDER_*. */
static int32_t fences(const struct op *op) { return is_process(op, PROCESS_YIELD) ? op->arg[1] : 0; }

static bool reads_atomically(const struct op *op)
{
    return on_variable(op) && op->code != LOCATION_READ && op->code != LOCATION_WRITE && op->code != LOCATION_STORE;
}

/* A fence (C11, 7.17.4). One that acquires does so for all that its process has read atomically: what it read before an earlier one that one
 * has acquired. One that releases does so for what its process stores from now on. */
static void join_fence(struct datarace *d, struct past_step *s, uint32_t number)
{
    int32_t order = fences(op_of(d, s));
    for (uint32_t at = order & ORDER_ACQUIRE ? s->previous : 0; at && !(fences(op_of(d, &d->steps[at - 1])) & ORDER_ACQUIRE); at = d->steps[at - 1].previous) {
        const struct past_step *read = &d->steps[at - 1], *source = reads_atomically(op_of(d, read)) ? last_in_conflict(d, read) : NULL;
        if (source)
            join(s->clock, source->released, source->width);
    }
    if (order & ORDER_RELEASE)
        s->fence = number + 1;
}

static void join_location(struct datarace *d, struct past_step *s, uint32_t number)
{
    const struct op *op = op_of(d, s);
    int32_t order = op->arg[0];
    for (uint32_t at = number; at > 0 && !s->previous_on; at--)
        if (same_location(op_of(d, &d->steps[at - 1]), op))
            s->previous_on = at;
    if (op->code == LOCATION_COMPARE && !leg_of(d, s)->result)
        order = op->arg[0] & ORDER_FAILED_ACQUIRE ? ORDER_ACQUIRE : 0;
    const struct past_step *before = s->previous_on ? &d->steps[s->previous_on - 1] : NULL;
    uint32_t width = before ? before->width : 0;
    bool stores = op->code == LOCATION_STORE || op->code == LOCATION_WRITE, updates = op->code > LOCATION_STORE && op->code < LOCATION_COMPARE;
    updates |= op->code == LOCATION_COMPARE && leg_of(d, s)->result;
    const struct past_step *source = before && order & ORDER_ACQUIRE && !stores ? last_in_conflict(d, s) : NULL;
    if (source)
        join(s->clock, source->released, source->width);
    s->clock[leg_of(d, s)->process] = number + 1;
    memset(s->released, 0, s->width * sizeof *s->released);
    if (before && !stores)
        join(s->released, before->released, width);
    if (order & ORDER_RELEASE && (stores || updates))
        join(s->released, s->clock, s->width);
    else if (s->fence && (stores || updates))
        join(s->released, d->steps[s->fence - 1].clock, d->steps[s->fence - 1].width);
}

static void make_room(struct datarace *d)
{
    uint32_t room = d->room;
    ARRAY_GROW(d->steps, d->count, d->room);
    if (d->room == room)
        return;
    d->legs = memory_resize(d->legs, d->room * sizeof *d->legs);
    d->told = memory_resize(d->told, d->room * sizeof *d->told);
}

static void add_step(struct datarace *d, const struct leg *leg, uint32_t set)
{
    make_room(d);
    uint32_t number = d->count, p = leg->process;
    struct past_step *s = &d->steps[number];
    d->legs[number] = *leg;
    d->told[number] = set;
    s->set = set == NO_SET ? 0 : set;
    s->previous = d->last[p];
    s->previous_on = 0;
    s->fence = s->previous ? d->steps[s->previous - 1].fence : 0;
    s->width = (uint32_t)d->system->processes;
    assert(s->width <= MAX_PROCESSES && p < s->width);
    memset(s->clock, 0, s->width * sizeof *s->clock);
    if (s->previous)
        join(s->clock, d->steps[s->previous - 1].clock, d->steps[s->previous - 1].width);
    join_ordered(d, s);
    if (on_variable(op_of(d, s)))
        join_location(d, s, number);
    join_fence(d, s, number);
    s->clock[p] = number + 1;
    assert(s->previous < number + 1);            /* nothing happens before what comes later */
    d->last[p] = ++d->count;
}

/* ---- races ---- */

static uint32_t number_of(struct datarace *d, const struct race *r, bool *new)
{
    for (uint32_t i = 0; i < d->race_count; i++)
        if (datarace_same(&d->races[i], r))
            return i;
    ARRAY_GROW(d->races, d->race_count, d->race_room);
    if (d->path_room < d->race_room)
        d->paths = memory_resize(d->paths, (d->path_room = d->race_room) * sizeof *d->paths);
    d->races[d->race_count] = *r;
    d->paths[d->race_count] = 0;
    *new = true;
    return d->race_count++;
}

/* The bytes that both have become visible, if they are not. */
static bool is_visible(struct datarace *d, const struct race *r)
{
    if (!d->settings.adds || visible_has(d->settings.visible, r->address, r->size))
        return true;
    if (visible_add(d->settings.visible, r->address, r->size))
        d->grew = true;
    else
        d->missed = true;
    return false;
}

/* Has somebody got this memory from malloc after the first step? Who gave it back then was before him (C11, 7.22.3), and that is in
 * the sets, too: what others did with it is in a race with that. */
static bool is_renewed(struct datarace *d, uint32_t first, uint32_t second, uint64_t address, uint16_t host)
{
    assert(first < second && second < d->count);
    for (uint32_t i = first + 1; i <= second; i++) {
        const struct sorted *s = d->steps[i].set ? sorted_set(d, d->steps[i].set) : NULL;
        for (uint32_t at = s && s->news ? from_address(s, address) : UINT32_MAX; s && at < s->count && s->all[at].address <= address; at++)
            if (s->all[at].kind & ACCESS_IS_NEW && s->all[at].reserved == host && address - s->all[at].address < s->all[at].size)
                return true;
    }
    return false;
}

/* An access to a visible location is its operation, not what comes after it: who acquires from this very one comes after it, too. */
static bool is_released(const struct datarace *d, uint32_t first, uint32_t second)
{
    const struct past_step *a = &d->steps[first];
    assert(first < second && second < d->count && d->legs[first].process != d->legs[second].process);
    return on_variable(op_of(d, a)) && d->steps[second].clock[d->legs[first].process] == first + 1;
}

static void found(struct datarace *d, uint32_t possible, uint32_t first, uint32_t second)
{
    struct possible *p = &d->possible[possible];
    const struct wire_access *a = &p->a, *b = &p->b;
    uint64_t begin = a->address > b->address ? a->address : b->address;
    uint64_t a_end = a->address + a->size, b_end = b->address + b->size;
    struct race r = { { d->legs[first].process, first, *a }, { d->legs[second].process, second, *b },
                      begin, (a_end < b_end ? a_end : b_end) - begin };
    bool new = false;
    bool freed = a->kind & ACCESS_IS_FREE;       /* behind its operation, whatever that is */
    if (is_renewed(d, first, second, begin, a->reserved) || !is_visible(d, &r) || (!freed && is_released(d, first, second)))
        return;
    assert(r.size && begin + r.size > begin);
    uint32_t number = p->race ? p->race - 1 : number_of(d, &r, &new);
    assert(number < d->race_count);
    p->race = number + 1;
    d->paths[number]++;
    if (!new || !d->settings.tell || d->grew)
        return;
    struct leg *path = memory_get((second + 1) * sizeof *path);
    memcpy(path, d->legs, (second + 1) * sizeof *path);
    d->stop |= !d->settings.tell(d->settings.arg, &r, path, second + 1);
    free(path);
}

/* Races of the last step with all that does not happen before it: of each other process its last steps. */
static void look_back(struct datarace *d)
{
    const struct past_step *s = &d->steps[d->count - 1];
    uint32_t set = s->set;
    if (!set)
        return;
    for (int p = 0; p < d->system->processes; p++)
        for (uint32_t at = p == (int)leg_of(d, s)->process ? 0 : d->last[p]; at && at >= s->clock[p]; at = d->steps[at - 1].previous) {
            uint32_t other = d->steps[at - 1].set;
            struct pair pair = other ? pair_of(d, other, set) : (struct pair){ 0 };
            for (uint32_t i = 0; i < pair.count; i++)
                found(d, pair.first + i, at - 1, d->count - 1);
        }
}

/* ---- handlers ---- */

static void find_interrupted(struct datarace *d, const struct sorted *s, const struct sorted *other)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t j = from_address(other, s->all[i].address); j < other->count && other->all[j].address < s->all[i].address + s->all[i].size; j++) {
            const struct wire_access *a = &s->all[i], *b = &other->all[j];
            uint64_t begin = a->address > b->address ? a->address : b->address, a_end = a->address + a->size, b_end = b->address + b->size;
            struct race r = { .address = begin, .size = (a_end < b_end ? a_end : b_end) - begin };
            if ((a->kind ^ b->kind) & ACCESS_IS_HANDLED && can_race(a, b))
                is_visible(d, &r);
        }
}

/* What a process uses, and the handler of a signal that interrupts it: no race, for it is one thread; but where the handler comes matters. */
static void look_at_itself(struct datarace *d)
{
    const struct past_step *s = &d->steps[d->count - 1];
    uint32_t process = leg_of(d, s)->process;
    if (!s->set || !d->settings.adds)
        return;
    bool handled = sorted_set(d, s->set)->handled;
    d->handles[process] |= handled;
    for (uint32_t at = d->handles[process] ? s->previous : 0; at; at = d->steps[at - 1].previous) {
        uint32_t other = d->steps[at - 1].set;
        if (!other || sorted_set(d, other)->handled == handled)
            continue;
        sorted_set(d, other > s->set ? other : s->set);          /* the array does not move any more */
        find_interrupted(d, sorted_set(d, s->set), sorted_set(d, other));
    }
}

/* ---- a path ---- */

static uint32_t common(const struct datarace *d, const struct leg *path, uint32_t count, const uint32_t *sets)
{
    enum { BLOCK = 16 };             /* mostly they are alike for long */
    uint32_t same = 0, least = count < d->count ? count : d->count;
    while (same + BLOCK <= least && !memcmp(d->legs + same, path + same, BLOCK * sizeof *path)
           && !memcmp(d->told + same, sets + same, BLOCK * sizeof *sets))
        same += BLOCK;
    while (same < least && d->legs[same].process == path[same].process && d->legs[same].from == path[same].from
           && d->legs[same].result == path[same].result && d->told[same] == sets[same])
        same++;
    return same;
}

static void go_back(struct datarace *d, uint32_t count)
{
    assert(count <= d->count);
    while (d->count > count) {
        uint32_t process = d->legs[--d->count].process;
        assert(d->last[process] == d->count + 1);
        d->last[process] = d->steps[d->count].previous;
    }
}

int datarace_look(struct datarace *d, const struct leg *path, uint32_t count, const uint32_t *sets, struct err *err)
{
    if (!sets)
        return 0;
    go_back(d, common(d, path, count, sets));
    while (d->count < count && !d->stop) {
        d->missed |= sets[d->count] == NO_SET;
        add_step(d, &path[d->count], sets[d->count]);
        look_back(d);
        look_at_itself(d);
    }
    if (d->grew || d->stop)
        fail(err, "%s", d->grew ? "a variable is shared without a lock" : "a data race");
    return d->grew ? -ERESTART : d->stop ? -ECANCELED : 0;
}
