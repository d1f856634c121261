/* What a compiler calls before each access to memory, with -fsanitize=thread: gcc and clang. It is given when compiling only; these
 * functions take the place of the sanitizer's own library. Their names are in accessed.inc; this is what they do.
 *
 * A plain access is noted, and is no operation, unless its location is visible: then others may go before it. An atomic variable that
 * a second process uses has to be visible: it is the controller's to say so, who starts the program again. The access itself is done
 * after that, in a step of its own process: one at a time, so every atomic access is sequentially consistent, whatever it asks for.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "looks.h"
#include "pieces.h"

#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma GCC poison malloc calloc free

/* ---- operations on a visible location ---- */

RT_INLINE bool is_look(uint8_t code) { return code == LOCATION_READ || code == LOCATION_LOAD; }

/* with: what else it is by which one could tell it from itself the last time, a sum; frame: NULL: that of the function that the program has called. */
struct visit { uint8_t code; int32_t order; uint64_t operand, desired, with; const void *frame; };

static uint64_t value_in(const struct wire_visible *v)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)v->address, v->size <= sizeof value ? v->size : 0);
    return value;
}

static int32_t told_value(uint64_t value) { return (int32_t)location_value(rt_value_anywhere(value)); }

/* Does it leave the value as it is? */
static bool leaves(const struct wire_visible *v, const struct visit *o)
{
    uint64_t value = value_in(v);
    switch (o->code) {
    case LOCATION_COMPARE:  return value != o->operand || o->operand == o->desired;
    case LOCATION_EXCHANGE: return value == o->operand;
    case LOCATION_OR:       return (value | o->operand) == value;
    case LOCATION_AND:      return (value & o->operand) == value;
    case LOCATION_ADD:
    case LOCATION_SUB:
    case LOCATION_XOR:      return o->operand == 0;
    default:                return false;
    }
}

/* Is there a value that it leaves? Which one there is now is not asked: others may write before it goes. */
static bool can_leave(const struct visit *o)
{
    switch (o->code) {
    case LOCATION_READ:
    case LOCATION_LOAD:
    case LOCATION_EXCHANGE:
    case LOCATION_COMPARE:
    case LOCATION_OR:
    case LOCATION_AND: return true;
    case LOCATION_ADD:
    case LOCATION_SUB:
    case LOCATION_XOR: return o->operand == 0;
    default:           return false;
    }
}

static int32_t which(const struct wire_visible *v)
{
    return (v->several && !v->solid ? LOCATION_LOOSE : 0) | (int32_t)(v->rank << LOCATION_WHICH_SHIFT);
}

struct rt_call rt_location_call(const struct wire_visible *v, uint8_t code, int32_t order, uint64_t operand, uint64_t desired)
{
    bool followed = !v->unknown && v->size <= sizeof(uint64_t);
    int32_t size = followed ? (int32_t)v->size << LOCATION_SIZE_SHIFT : 0;
    return (struct rt_call){.event = EVENT_OPERATION, .type = TYPE_LOCATION, .code = code, .index = -1, .object = v->object,
                            .arg = {order | size | which(v), told_value(operand), told_value(desired)},
                            .argument = followed ? (uint32_t)told_value(value_in(v)) | UINT64_C(1) << 32 : 0,
                            .start = v->address == v->object ? 0 : v->address};
}

RT_INLINE uint64_t enter(const struct wire_visible *v, const struct visit *o, uint64_t place)
{
    struct rt_call call = rt_location_call(v, o->code, o->order, o->operand, o->desired);
    call.place = place;
    return RT_LOOKING(RT_ENTER(&call));
}

/* A round that is a part of the last operation: that was a look at the same object, so nobody can have come between. */
RT_INLINE bool is_part(const struct wire_visible *v, const struct visit *o, uint64_t place)
{
    uint64_t last = rt_running->looks.object;
    if (!last || (!is_look(o->code) && !leaves(v, o)))
        return false;
    bool same = last == v->object && (v->solid || !v->several);
    if (same)
        rt_note_counting(place);
    else if (rt_visible((const void *)last, 1))
        rt_demand(VISIBLE_WELD, (const void *)v->address, v->size, last, place);
    else
        rt_tried_in_round(place);
    return same;
}

/* One who has seen this before waits until it has changed. DONE: that was all, or PART: not even that was one. An exchange that found what it would put there, a compare
 * and exchange that found something else, and an addition of nothing looked, too. */
enum waited { TO_DO, DONE, PART };

RT_INLINE enum waited waits(const struct wire_visible *v, struct visit *o, uint64_t seen, uint64_t place)
{
    if (!can_leave(o))
        return TO_DO;
    uint64_t with = rt_sum_add(rt_sum_of(o->operand, o->desired), o->with);
    enum rt_looking look = rt_looks_at(v, seen, with, place, o->frame ? o->frame : __builtin_frame_address(0));
    if (look == RT_KEEPS)
        o->order |= LOCATION_KEEP;
    if (look == RT_COUNTS && is_part(v, o, place))
        return PART;
    if (look != RT_STANDS || rt_tried_in_round(place))
        return TO_DO;
    const struct rt_look *other = rt_other_look(v);
    if (other)
        rt_demand(VISIBLE_JOIN, (const void *)v->address, v->size, other->address, place);
    struct visit await = {.code = LOCATION_AWAIT, .order = is_look(o->code) ? o->order : 0,
                          .operand = rt_running->looks.counting ? LOCATION_COUNTS : 0};
    enter(v, &await, place);
    return is_look(o->code) ? DONE : TO_DO;
}

RT_INLINE enum waited operate(const struct wire_visible *v, const struct visit *visit, uint64_t seen, uint64_t place)
{
    struct visit o = *visit;
    enum waited waited = waits(v, &o, seen, place);
    uint64_t result = waited ? 0 : enter(v, &o, place);
    if (is_look(o.code) || leaves(v, &o)) {
        rt_running->looks.object = v->object;
        rt_look_found(seen, place, value_in(v), v->size <= sizeof(uint64_t));
    } else {
        rt_looks_away();
    }
    if (o.code == LOCATION_COMPARE && !waited && result <= 1 && result != (value_in(v) == o.operand))
        rt_demand(VISIBLE_UNKNOWN, (const void *)v->address, v->size, 0, place);
    return waited;
}

/* ---- what is tried ---- */

/* In a round that is a part of the last operation it is tried in vain, if nobody has given it back since it looked there by an operation. */
static enum rt_try try_location(const struct wire_visible *v, uint64_t place, const void *frame)
{
    struct rt_looks *looks = &rt_running->looks;
    enum waited waited = operate(v, &(struct visit){.code = LOCATION_LOAD, .frame = frame}, v->address, place);
    bool kept = waited == PART && !rt_is_shared((const void *)v->address);
    for (uint32_t i = 0; i < looks->count; i++)
        if (looks->at[i].place == place && looks->at[i].address == v->address) {
            kept &= looks->at[i].kept;
            looks->at[i].kept |= waited != PART;
        }
    return kept ? RT_TRIED : RT_TRIES;
}

enum rt_try rt_try(const void *object, enum rt_tried how, uint64_t place, const void *frame)
{
    struct wire_visible here = {.address = (uint64_t)object, .object = (uint64_t)object};
    struct rt_looks *looks = &rt_running->looks;
    if (!rt_watching)
        return RT_TRIES;
    rt_called >>= 1;                                     /* this call is none but itself */
    if (rt_visible(object, 1))
        return try_location(rt_visible(object, 1), place, frame);
    enum rt_looking look = rt_looks_at(&here, here.address, 0, place, frame);
    for (uint32_t i = 0; i < looks->count; i++)
        looks->at[i].tried = looks->at[i].address == here.address ? how : looks->at[i].tried;
    if (look == RT_COUNTS && looks->object == here.object) {
        rt_note_counting(place);
        return RT_TRIED;
    }
    if ((look == RT_STANDS && looks->count > 1) || (look == RT_COUNTS && looks->object))
        rt_tried_in_round(place);
    return look == RT_STANDS && looks->count == 1 ? RT_WAITS : RT_TRIES;
}

void rt_try_ends(const void *object, bool got)
{
    if (got)
        rt_looks_away();
    else if (rt_watching && !rt_visible(object, 1))
        rt_running->looks.object = (uint64_t)object;
}

void rt_accesses_give(const void *object, uint64_t place)
{
    const struct wire_visible *v = rt_visible(object, 1);
    if (v)
        enter(v, &(struct visit){.code = LOCATION_STORE}, place);
    for (int p = 0; v && p < rt_contexts_end; p++)
        for (uint32_t i = 0; i < rt_contexts[p].looks.count; i++)
            rt_contexts[p].looks.at[i].kept &= rt_contexts[p].looks.at[i].address != v->address;
}

/* Each visible location among these bytes is an operation of its own. */
RT_INLINE void access_visible(const void *p, uint64_t bytes, const struct visit *o, uint64_t place)
{
    uint64_t at = (uint64_t)p, end = at + bytes;
    const struct wire_visible *v;
    while (at < end && (v = rt_visible((const void *)at, end - at))) {
        operate(v, o, at > v->address ? at : v->address, place);
        at = v->address + v->size;
    }
}

/* What it counts with, mostly: where it looks at other memory, too, it does not wait for this. */
RT_INLINE bool is_own(const void *p)
{
    return (uint64_t)p - (uint64_t)rt_running->stack < (uint64_t)(rt_running->stack_end - rt_running->stack);
}

enum { MANY_ROUNDS = 1 << 10 };

/* It comes again and again to a location that is not visible, in one step. If it is as it was the last time, only somebody else can end
 * this, and perhaps if it only counts, or does not end to look at what is there for others. */
RT_INLINE void suspect(const void *p, uint64_t bytes, uint64_t place, bool endlessly)
{
    struct wire_visible here = {.address = (uint64_t)p, .size = bytes};            /* no object */
    struct rt_looks *looks = &rt_running->looks;
    bool own = is_own(p), others = looks->count && !is_own((const void *)looks->at[0].address);
    if (rt_visible(p, bytes) || (own && (others || rt_accesses_wrote(p, bytes))))
        return;
    if (!own && !others)
        rt_looks_away();
    enum rt_looking look = rt_looks_at(&here, here.address, 0, place, __builtin_frame_address(0));
    if (look == RT_STANDS || endlessly || (look == RT_COUNTS && !own && rt_running->looks.counting >= MANY_ROUNDS))
        rt_demand(VISIBLE_ADD, p, bytes, 0, place);
}

/* It has let others go first again and again, and done nothing else. */
RT_INLINE bool is_idle(void) { return rt_running->looks.idle == RT_IDLE; }

/* The controller wants to know of accesses, and this is one of the program's: not of what it does while it is ending, or of an unwinder. */
RT_INLINE bool watching(void) { return __builtin_expect(rt_watching, 0) && rt_in_group(); }

/* ---- plain accesses ---- */

RT_INLINE void plain(const void *p, uint64_t bytes, uint8_t code, uint64_t place)
{
    if (!watching())
        return;
    access_visible(p, bytes, &(struct visit){.code = code}, place);
    if (rt_accesses_note(p, bytes, code == LOCATION_WRITE ? ACCESS_IS_WRITE : 0, place) || (code == LOCATION_READ && is_idle()))
        suspect(p, bytes, place, false);
}

void rt_accesses_whole(uint64_t place)
{
    if (!wire_accesses(rt->wire)->whole)
        wire_accesses(rt->wire)->whole = rt_in_first(place);
}

/* What is visible of it, instruction by instruction: pieces.h. */
static __attribute__((noinline)) void in_pieces(const void *p, uint64_t bytes, uint8_t code, uint64_t place, const void *frame)
{
    const struct rt_told first = {(uint64_t)p, bytes, place, (int64_t)bytes, code == LOCATION_WRITE};
    uint64_t kept[sizeof rt_registers / sizeof *rt_registers];
    struct rt_pieces all;
    memcpy(kept, rt_registers, sizeof kept);
    if (!rt_pieces_begin(&all, &first, frame, kept)) {
        rt_accesses_whole(place);
        access_visible(p, bytes, &(struct visit){.code = code}, place);
        rt_accesses_note(p, bytes, first.writes ? ACCESS_IS_WRITE : 0, place);
        return;
    }
    while (rt_pieces_next(&all)) {
        const struct visit o = {.code = all.piece.writes ? LOCATION_WRITE : LOCATION_READ, .with = rt_pieces_state(&all), .frame = frame};
        memcpy(rt_registers, kept, sizeof kept);         /* others have called meanwhile */
        access_visible((const void *)all.piece.at, all.piece.bytes, &o, all.piece.place);
    }
    for (uint32_t i = 0; i < all.count; i++) {
        const struct rt_told *t = &all.told[i];
        if (t->left > 0 && !rt_is_word(t->bytes))
            rt_accesses_whole(t->place);
        if (t->left > 0)
            access_visible((const void *)(t->at + t->bytes - (uint64_t)t->left), (uint64_t)t->left,
                           &(struct visit){.code = t->writes ? LOCATION_WRITE : LOCATION_READ, .frame = frame}, t->place);
        rt_accesses_note((const void *)t->at, t->bytes, t->writes ? ACCESS_IS_WRITE : 0, t->place);
    }
    rt_pieces_end(&all);
}

/* One that the compiler tells of, and that comes next. */
RT_INLINE void told(const void *p, uint64_t bytes, uint8_t code, uint64_t place)
{
    if (!watching())
        return;
    if ((!rt_is_word(bytes) || code == LOCATION_WRITE) && rt_visible(p, bytes))
        in_pieces(p, bytes, code, place, __builtin_frame_address(0));
    else
        plain(p, bytes, code, place);
}

/* ---- atomic accesses ---- */

enum { RELAXED, CONSUME, ACQUIRE, RELEASE, BOTH_WAYS, ALL };     /* as the compilers number the orders */

RT_INLINE int32_t order_of(int memory_order, bool reads, bool writes)
{
    int order = memory_order & 7;
    bool acquires = order == CONSUME || order == ACQUIRE || order >= BOTH_WAYS, releases = order >= RELEASE;
    return (reads && acquires ? ORDER_ACQUIRE : 0) | (writes && releases ? ORDER_RELEASE : 0) | (order == ALL ? ORDER_ALL : 0);
}

/* What a second process uses must be visible. */
RT_INLINE void share(const void *p, uint64_t bytes, uint64_t place)
{
    struct rt_call many = {.event = EVENT_REFUSE, .arg = {REFUSED_ROOM}, .text = "more atomic variables than VeriSoft can control", .place = place};
    enum rt_sharing sharing = rt_atomic_sharing(p, bytes);
    if (sharing == RT_UNKNOWN_SHARING)
        RT_ENTER(&many);
    if (sharing == RT_SHARED_BY_MANY && !rt_visible(p, bytes))
        rt_demand(VISIBLE_ADD, p, bytes, 0, place);
}

static bool holds(const void *p, uint64_t bytes, uint64_t value)         /* of 16 bytes only the first 8 are known */
{
    uint64_t now = 0;
    memcpy(&now, p, bytes < sizeof now ? bytes : sizeof now);
    return now == value;
}

/* failed: the order of a compare and exchange that finds something else, and so is a read. */
RT_INLINE void atomic(const volatile void *p, uint64_t bytes, uint8_t code, int memory_order, int failed, uint64_t operand, uint64_t desired, uint64_t place)
{
    const void *at = (const void *)p;
    if (!watching())
        return;
    struct visit o = {.code = code, .order = order_of(memory_order, code != LOCATION_STORE, code != LOCATION_LOAD),
                          .operand = operand, .desired = desired};
    if (code == LOCATION_COMPARE && order_of(failed, true, false) & ORDER_ACQUIRE)
        o.order |= ORDER_FAILED_ACQUIRE;
    if (code == LOCATION_ADD && rt_is_unused(place))
        o.order |= LOCATION_UNUSED;
    if (!(o.order & ORDER_ALL))
        wire_accesses(rt->wire)->weak = 1;
    share(at, bytes, place);
    access_visible(at, bytes, &o, place);
    bool writes = code != LOCATION_LOAD && (code != LOCATION_COMPARE || holds(at, bytes, operand));
    enum rt_often often = rt_accesses_note(at, bytes, ACCESS_IS_ATOMIC | (writes ? ACCESS_IS_WRITE : 0), place);
    if (often || (!writes && is_idle()))
        suspect(at, bytes, place, often == RT_ENDLESSLY && !writes);
}

/* ---- volatile: people mean atomic by it ---- */

/* What is written is not told. */
RT_INLINE void volatile_access(const void *p, uint64_t bytes, bool writes, uint64_t place)
{
    struct visit o = {.code = writes ? LOCATION_WRITE : LOCATION_LOAD,
                          .order = ORDER_ALL | (writes ? ORDER_RELEASE : ORDER_ACQUIRE)};
    share(p, bytes, place);
    access_visible(p, bytes, &o, place);
    enum rt_often often = rt_accesses_note(p, bytes, ACCESS_IS_ATOMIC | (writes ? ACCESS_IS_WRITE : 0), place);
    if (often || (!writes && is_idle()))
        suspect(p, bytes, place, often == RT_ENDLESSLY && !writes);
}

RT_INLINE void of_volatile(void *p, uint64_t bytes, bool writes, uint64_t place)
{
    if (!watching())
        return;
    if (rt->wire->group & GROUP_VOLATILE_PLAIN)
        plain(p, bytes, writes ? LOCATION_WRITE : LOCATION_READ, place);
    else
        volatile_access(p, bytes, writes, place);
}

/* ---- copies ---- */

RT_INLINE bool none_is_visible(const void *p, uint64_t bytes)
{
    return !watching() || !bytes || !rt_visible(p, bytes);
}

/* Word by word where others may come between; whoever overlaps is copied from the end that is written last. */
RT_INLINE void copy_word(char *to, const char *from, uint64_t bytes, uint64_t place)
{
    uint64_t word = 0;
    plain(from, bytes, LOCATION_READ, place);
    memcpy(&word, from, bytes);
    plain(to, bytes, LOCATION_WRITE, place);
    memcpy(to, &word, bytes);
}

RT_INLINE void *copy(void *to, const void *from, uint64_t bytes, uint64_t place)
{
    if (none_is_visible(from, bytes) && none_is_visible(to, bytes)) {
        plain(from, bytes, LOCATION_READ, place);
        plain(to, bytes, LOCATION_WRITE, place);
        return memmove(to, from, bytes);
    }
    bool down = (uint64_t)to - (uint64_t)from < bytes;
    uint64_t words = (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    for (uint64_t i = 0; i < words; i++) {
        uint64_t at = (down ? words - 1 - i : i) * sizeof(uint64_t), left = bytes - at;
        copy_word((char *)to + at, (const char *)from + at, left < sizeof(uint64_t) ? left : sizeof(uint64_t), place);
    }
    return to;
}

void rt_accesses_copy(void *to, const void *from, uint64_t bytes, uint64_t place) { copy(to, from, bytes, place); }

RT_INLINE void *set_bytes(void *to, int byte, uint64_t bytes, uint64_t place)
{
    if (none_is_visible(to, bytes)) {
        plain(to, bytes, LOCATION_WRITE, place);
        return memset(to, byte, bytes);
    }
    for (uint64_t at = 0, part; at < bytes; at += part) {
        part = bytes - at < sizeof(uint64_t) ? bytes - at : sizeof(uint64_t);
        plain((char *)to + at, part, LOCATION_WRITE, place);
        memset((char *)to + at, byte, part);
    }
    return to;
}

/* The strings that a format asks for. */
RT_INLINE void strings(const char *format, va_list list, uint64_t place)
{
    if (watching())
        rt_format_reads(format, list, place);
}

/* ---- the rest ---- */

/* What it orders is all before it and all behind it: so it is an operation. It reads and writes nothing. */
RT_INLINE void fence(int memory_order, uint64_t place)
{
    int32_t order = order_of(memory_order, true, true);
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_YIELD, .index = -1, .arg = {0, order},
                           .text = "atomic_thread_fence", .place = place};
    if (watching() && order)
        RT_LOOKING(RT_ENTER(&call));
}

/* Called as the program begins: before the runtime is set up, or, where that was loaded in front of the program, in its first step. */
static void begin(void)
{
    rt_instrumented = true;
    if (rt)
        rt->wire->launched |= LAUNCH_INSTRUMENTED;
    if (rt_mode == RT_GROUP)
        rt_accesses_begin();
}

#define watches() 1
#include "accessed.inc"
