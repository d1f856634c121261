/* What a compiler calls before each access to memory, with -fsanitize=thread: gcc and clang. It is given when compiling only; these
 * functions take the place of the sanitizer's own library.
 *
 * A plain access is noted, and is no operation, unless its location is visible: then others may go before it. An atomic variable that
 * a second process uses has to be visible: it is the controller's to say so, who starts the program again. The access itself is done
 * after that, in a step of its own process: one at a time, so every atomic access is sequentially consistent, whatever it asks for.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"

#include <string.h>
#pragma GCC poison malloc calloc free printf

#define HERE ((uint64_t)__builtin_return_address(0))

RT_INLINE void demand(int how, const void *p, uint64_t bytes, uint64_t other, uint64_t place)
{
    struct rt_call call = {.event = EVENT_VISIBLE, .type = TYPE_LOCATION, .index = -1, .arg = {(int32_t)bytes, how}, .object = (uint64_t)p,
                           .argument = other, .place = place};
    if (rt->wire->group & GROUP_DEMAND)
        RT_ENTER(&call);
}

/* ---- spinning ---- */

/* What a process looked at since it did anything else, each place once. The first of them begins a round. A loop that looks at one
 * location comes to the same look twice in a row. One that looks at several comes to the first of them again, and has added none in
 * the round before; what it looks at in a round is one object then, and only the first look of a round counts as having seen it: what was
 * written since is news. In all other cases it looks, and goes on. */
enum look { LOOKS, KEEPS, WAITS, COUNTS };

static enum look begin_round(struct rt_looks *looks, struct rt_look look)
{
    look.visit = 1;
    look.state = rt_sum_add(look.state, looks->others);
    *looks = (struct rt_looks){.count = 1, .now = 1, .added = 1, .at = {look}};
    return LOOKS;
}

/* One of several locations that are one object, and not the first of its round: it does not count as having seen the object. */
static enum look look_in_round(const struct rt_looks *looks, const struct rt_look *look)
{
    for (uint32_t i = 0; i < looks->count; i++)
        if (looks->at[i].object == look->object && looks->at[i].address != look->address)
            return KEEPS;
    return look->object == look->address ? LOOKS : KEEPS;
}

static enum look look_first_time(struct rt_looks *looks, struct rt_look look)
{
    if (!looks->count || looks->count == sizeof looks->at / sizeof *looks->at)
        return begin_round(looks, look);
    look.visit = looks->added = ++looks->now;
    looks->at[looks->count++] = look;
    return look_in_round(looks, &look);
}

/* What it did not look at in the last round is none of the loop. Nothing tells how many rounds there were. */
static void forget_before(struct rt_looks *looks, const struct rt_look *first, uint32_t visit)
{
    struct rt_looks kept = {.count = 1, .now = looks->now - visit, .added = 1, .others = looks->others, .at = {*first}};
    for (uint32_t i = 0; i < looks->count; i++)
        if (looks->at[i].visit > visit && looks->at[i].visit != first->visit)
            kept.at[kept.count++] = looks->at[i];
    for (uint32_t i = 0; i < kept.count; i++)
        kept.at[i].visit -= visit;
    *looks = kept;
}

static enum look look_again(struct rt_looks *looks, struct rt_look *look)
{
    uint32_t before = look->visit;
    bool first = look == looks->at, last = before == looks->now;
    look->visit = ++looks->now;
    if (last || (first && looks->added <= before)) {
        forget_before(looks, look, before);
        return WAITS;
    }
    if (first)
        return LOOKS;
    if (looks->at[0].visit < before)             /* the first is none of this loop */
        return begin_round(looks, *look);
    return look_in_round(looks, look);
}

/* A loop that looks and counts: what the process is goes on by the same in each round. To leave it in a later round is to leave it in the
 * first but for what was counted, since its looks change nothing, and to go on to its end is the same whenever that is done. So only some of its
 * first rounds are operations. Those after them are a part of the last, unless there are so many that it will hardly end by itself: the controller
 * is told, and it waits. */
enum { MOST_ROUNDS = 1 << 17, MANY_ROUNDS = 1 << 10 };

static void note_counting(uint64_t place)                /* for the report */
{
    if (!wire_accesses(rt->wire)->counts)
        wire_accesses(rt->wire)->counts = rt_in_first(place);
}

static enum look look_on(struct rt_looks *looks, struct rt_look *look, struct rt_look now)
{
    now.delta = rt_sum_less(now.state, look->state);
    now.rounds = now.delta == look->delta ? look->rounds + 1 : 1;
    now.visit = looks->added = ++looks->now;             /* this is not the round before once more */
    *look = now;
    if (now.rounds < RT_ROUNDS)
        return look == looks->at ? LOOKS : look_in_round(looks, look);
    looks->counting = now.rounds;
    bool known = rt_is_endless(now.place);
    if (now.rounds < MOST_ROUNDS && !known)
        return COUNTS;
    if (!known && rt_endless_room())
        demand(VISIBLE_ENDLESS, (const void *)now.place, 0, 0, now.place);
    note_counting(now.place);
    now.rounds = RT_ROUNDS;
    *look = looks->at[0];
    looks->at[0] = now;
    return WAITS;
}

RT_INLINE bool is_look(uint8_t code) { return code == LOCATION_READ || code == LOCATION_LOAD; }

static enum look look_at(const struct wire_visible *v, uint64_t place, const void *frame)
{
    struct rt_looks *looks = &rt_running->looks;
    if (rt_running->kept_stack)
        return LOOKS;
    if (rt_called)
        rt_looks_away();
    rt_called = false;
    struct rt_look now = {.place = place, .address = v->address, .object = v->object, .state = rt_sum_less(rt_sum(frame, true), looks->others)};
    for (uint32_t i = 0; i < looks->count; i++)
        if (looks->at[i].place == place && looks->at[i].address == v->address)
            return looks->at[i].state == now.state ? look_again(looks, &looks->at[i]) : look_on(looks, &looks->at[i], now);
    return look_first_time(looks, now);
}

/* Another object at which it looked in the last round, which began with this one; NULL: it was only this one. */
static const struct rt_look *other_look(const struct wire_visible *v)
{
    const struct rt_looks *looks = &rt_running->looks;
    if (looks->at[0].address != v->address)
        return NULL;
    for (uint32_t i = 1; i < looks->count; i++)
        if (looks->at[i].object && looks->at[i].object != v->object)
            return &looks->at[i];
    return NULL;
}

/* ---- operations on a visible location ---- */

struct visit { uint8_t code; int32_t order; uint64_t operand, desired; };

static uint64_t value_in(const struct wire_visible *v)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)v->address, v->size <= sizeof value ? v->size : 0);
    return value;
}

static int32_t told_value(uint64_t value) { return (int32_t)location_value(rt_in_first(value)); }

/* Would it leave the value as it is? */
static bool leaves(const struct wire_visible *v, const struct visit *o)
{
    return (o->code == LOCATION_COMPARE && value_in(v) != o->operand) || (o->code == LOCATION_EXCHANGE && value_in(v) == o->operand);
}

static uint64_t fold(uint64_t a, uint64_t b)             /* as in wyhash */
{
    unsigned __int128 product = (unsigned __int128)(a ^ 0xa0761d6478bd642f) * (b ^ 0xe7037ed1a0b428db);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static int32_t which(const struct wire_visible *v)
{
    enum { ALL_BITS = (1 << 23) - 1 };
    return v->address == v->object ? 0 : (int32_t)((fold(rt_in_first(v->address), 3) % ALL_BITS + 1) << LOCATION_WHICH_SHIFT);
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
    if (last != v->object)
        demand(VISIBLE_JOIN, (const void *)v->address, v->size, last, place);
    if (last == v->object)
        note_counting(place);
    return last == v->object;
}

/* One who has seen this before waits until it has changed. True: that was all. An exchange that found what it would put there, and a compare
 * and exchange that found something else, looked, too. Whether it would do so again is not asked: others may write before it goes. */
RT_INLINE bool waits(const struct wire_visible *v, struct visit *o, uint64_t place)
{
    if (!is_look(o->code) && o->code != LOCATION_EXCHANGE && o->code != LOCATION_COMPARE)
        return false;
    enum look look = look_at(v, place, __builtin_frame_address(0));
    if (look == KEEPS && is_look(o->code))
        o->order |= LOCATION_KEEP;
    if (look == COUNTS && is_part(v, o, place))
        return true;
    if (look != WAITS)
        return false;
    const struct rt_look *other = other_look(v);
    if (other)
        demand(VISIBLE_JOIN, (const void *)v->address, v->size, other->address, place);
    struct visit await = {.code = LOCATION_AWAIT, .order = is_look(o->code) ? o->order : 0};
    enter(v, &await, place);
    return is_look(o->code);
}

RT_INLINE void operate(const struct wire_visible *v, const struct visit *visit, uint64_t place)
{
    struct visit o = *visit;
    bool waited = waits(v, &o, place);
    uint64_t result = waited ? 0 : enter(v, &o, place);
    if (is_look(o.code) || leaves(v, &o))
        rt_running->looks.object = v->object;
    else
        rt_looks_away();
    if (o.code == LOCATION_COMPARE && !waited && result <= 1 && result != (value_in(v) == o.operand))
        demand(VISIBLE_UNKNOWN, (const void *)v->address, v->size, 0, place);
}

/* Each visible location among these bytes is an operation of its own. */
RT_INLINE void access_visible(const void *p, uint64_t bytes, const struct visit *o, uint64_t place)
{
    uint64_t at = (uint64_t)p, end = at + bytes;
    const struct wire_visible *v;
    while (at < end && (v = rt_visible((const void *)at, end - at))) {
        operate(v, o, place);
        at = v->address + v->size;
    }
}

/* What it counts with, mostly: where it looks at other memory, too, it does not wait for this. */
RT_INLINE bool is_own(const void *p)
{
    return (uint64_t)p - (uint64_t)rt_running->stack < (uint64_t)(rt_running->stack_end - rt_running->stack);
}

/* It comes again and again to a location that is not visible, in one step. If it is as it was the last time, only somebody else can end
 * this, and perhaps if it only counts. */
RT_INLINE void suspect(const void *p, uint64_t bytes, uint64_t place)
{
    struct wire_visible here = {.address = (uint64_t)p, .size = bytes};            /* no object */
    struct rt_looks *looks = &rt_running->looks;
    bool own = is_own(p), others = looks->count && !is_own((const void *)looks->at[0].address);
    if (rt_visible(p, bytes) || (own && others))
        return;
    if (!own && !others)
        rt_looks_away();
    enum look look = look_at(&here, place, __builtin_frame_address(0));
    if (look == WAITS || (look == COUNTS && !own && rt_running->looks.counting >= MANY_ROUNDS))
        demand(VISIBLE_ADD, p, bytes, 0, place);
}

/* ---- plain accesses ---- */

RT_INLINE void plain(const void *p, uint64_t bytes, uint8_t code, uint64_t place)
{
    if (__builtin_expect(!rt_watching, 1) || rt_mode != RT_GROUP)
        return;
    access_visible(p, bytes, &(struct visit){.code = code}, place);
    if (rt_accesses_note(p, bytes, code == LOCATION_WRITE ? ACCESS_IS_WRITE : 0, place))
        suspect(p, bytes, place);
}

#define PLAIN(name, bytes, code) \
    void name(void *); \
    RT_API void name(void *p) { plain(p, bytes, code, HERE); }
#define SIZED(bytes) \
    PLAIN(__tsan_read##bytes, bytes, LOCATION_READ) PLAIN(__tsan_write##bytes, bytes, LOCATION_WRITE) \
    PLAIN(__tsan_unaligned_read##bytes, bytes, LOCATION_READ) PLAIN(__tsan_unaligned_write##bytes, bytes, LOCATION_WRITE)
SIZED(1) SIZED(2) SIZED(4) SIZED(8) SIZED(16)

#define RANGE(name, code) \
    void name(void *, unsigned long); \
    RT_API void name(void *p, unsigned long bytes) { plain(p, bytes, code, HERE); }
RANGE(__tsan_read_range, LOCATION_READ)
RANGE(__tsan_write_range, LOCATION_WRITE)

/* Both at once, by one instruction: clang, where it is asked for. */
RT_INLINE void read_write(void *p, uint64_t bytes, uint64_t place)
{
    plain(p, bytes, LOCATION_READ, place);
    plain(p, bytes, LOCATION_WRITE, place);
}

#define BOTH(bytes) \
    void __tsan_read_write##bytes(void *); \
    RT_API void __tsan_read_write##bytes(void *p) { read_write(p, bytes, HERE); } \
    void __tsan_unaligned_read_write##bytes(void *); \
    RT_API void __tsan_unaligned_read_write##bytes(void *p) { read_write(p, bytes, HERE); }
BOTH(1) BOTH(2) BOTH(4) BOTH(8) BOTH(16)

/* The table of virtual functions of an object of C++. */
void __tsan_vptr_read(void **);
void __tsan_vptr_update(void **, void *);
RT_API void __tsan_vptr_read(void **p) { plain(p, sizeof *p, LOCATION_READ, HERE); }
RT_API void __tsan_vptr_update(void **p, void *value)
{
    if (*p != value)                 /* a destructor sets what is there already */
        plain(p, sizeof *p, LOCATION_WRITE, HERE);
}

void *__tsan_memcpy(void *, const void *, unsigned long);
void *__tsan_memmove(void *, const void *, unsigned long);
void *__tsan_memset(void *, int, unsigned long);
RT_API void *__tsan_memcpy(void *to, const void *from, unsigned long bytes)
{
    plain(from, bytes, LOCATION_READ, HERE);
    plain(to, bytes, LOCATION_WRITE, HERE);
    return memcpy(to, from, bytes);
}

RT_API void *__tsan_memmove(void *to, const void *from, unsigned long bytes)
{
    plain(from, bytes, LOCATION_READ, HERE);
    plain(to, bytes, LOCATION_WRITE, HERE);
    return memmove(to, from, bytes);
}

RT_API void *__tsan_memset(void *to, int byte, unsigned long bytes)
{
    plain(to, bytes, LOCATION_WRITE, HERE);
    return memset(to, byte, bytes);
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
    enum rt_sharing sharing = rt_atomic_sharing(p);
    if (sharing == RT_UNKNOWN_SHARING)
        RT_ENTER(&many);
    if (sharing == RT_SHARED_BY_MANY && !rt_visible(p, bytes))
        demand(VISIBLE_ADD, p, bytes, 0, place);
}

RT_INLINE void atomic(const volatile void *p, uint64_t bytes, uint8_t code, int memory_order, uint64_t operand, uint64_t desired, uint64_t place)
{
    const void *at = (const void *)p;
    if (__builtin_expect(!rt_watching, 1) || rt_mode != RT_GROUP)
        return;
    struct visit o = {.code = code, .order = order_of(memory_order, code != LOCATION_STORE, code != LOCATION_LOAD),
                          .operand = operand, .desired = desired};
    if (!(o.order & ORDER_ALL))
        wire_accesses(rt->wire)->weak = 1;
    share(at, bytes, place);
    access_visible(at, bytes, &o, place);
    if (rt_accesses_note(at, bytes, ACCESS_IS_ATOMIC | (code == LOCATION_LOAD ? 0 : ACCESS_IS_WRITE), place))
        suspect(at, bytes, place);
}

typedef unsigned char a8;
typedef unsigned short a16;
typedef unsigned int a32;
typedef unsigned long a64;
typedef unsigned __int128 a128;

/* Without a controller there are real threads. Those of 16 bytes have one lock, which nobody holds in an operation. */
static char wide;
static inline void lock_wide(void)   { do { } while (__atomic_test_and_set(&wide, __ATOMIC_ACQUIRE)); }
static inline void unlock_wide(void) { __atomic_clear(&wide, __ATOMIC_RELEASE); }

#define OF_ANY(X)   X(EXCHANGE, exchange, operand) X(ADD, fetch_add, old + operand) X(SUB, fetch_sub, old - operand) \
                    X(AND, fetch_and, old & operand) X(OR, fetch_or, old | operand) X(XOR, fetch_xor, old ^ operand) \
                    X(NAND, fetch_nand, ~(old & operand))

#define UPDATE(bits, upper, name, function) \
    a##bits __tsan_atomic##bits##_##name(volatile a##bits *, a##bits, int); \
    RT_API a##bits __tsan_atomic##bits##_##name(volatile a##bits *p, a##bits operand, int order) \
    { \
        atomic(p, bits / 8, LOCATION_##upper, order, operand, 0, HERE); \
        return function(p, operand, __ATOMIC_SEQ_CST); \
    }
#define UPDATES(bits) \
    UPDATE(bits, EXCHANGE, exchange, __atomic_exchange_n) UPDATE(bits, ADD, fetch_add, __atomic_fetch_add) \
    UPDATE(bits, SUB, fetch_sub, __atomic_fetch_sub) UPDATE(bits, AND, fetch_and, __atomic_fetch_and) \
    UPDATE(bits, OR, fetch_or, __atomic_fetch_or) UPDATE(bits, XOR, fetch_xor, __atomic_fetch_xor) \
    UPDATE(bits, NAND, fetch_nand, __atomic_fetch_nand)
UPDATES(8) UPDATES(16) UPDATES(32) UPDATES(64)

#define WIDE_UPDATE(upper, name, value) \
    a128 __tsan_atomic128_##name(volatile a128 *, a128, int); \
    RT_API a128 __tsan_atomic128_##name(volatile a128 *p, a128 operand, int order) \
    { \
        atomic(p, 16, LOCATION_##upper, order, (uint64_t)operand, 0, HERE); \
        lock_wide(); \
        a128 old = *p; \
        *p = (value); \
        unlock_wide(); \
        return old; \
    }
OF_ANY(WIDE_UPDATE)

#define LOAD_AND_STORE(bits, load, store) \
    a##bits __tsan_atomic##bits##_load(const volatile a##bits *, int); \
    RT_API a##bits __tsan_atomic##bits##_load(const volatile a##bits *p, int order) \
    { \
        atomic(p, bits / 8, LOCATION_LOAD, order, 0, 0, HERE); \
        return load; \
    } \
    void __tsan_atomic##bits##_store(volatile a##bits *, a##bits, int); \
    RT_API void __tsan_atomic##bits##_store(volatile a##bits *p, a##bits value, int order) \
    { \
        atomic(p, bits / 8, LOCATION_STORE, order, (uint64_t)value, 0, HERE); \
        store; \
    }
#define NARROW(bits) LOAD_AND_STORE(bits, __atomic_load_n(p, __ATOMIC_SEQ_CST), __atomic_store_n(p, value, __ATOMIC_SEQ_CST))
NARROW(8) NARROW(16) NARROW(32) NARROW(64)
LOAD_AND_STORE(128, ({ lock_wide(); a128 now = *p; unlock_wide(); now; }), (lock_wide(), *p = value, unlock_wide()))

/* Compare and exchange, in three spellings. A weak one does not fail for no reason. */
#define COMPARE(bits, exchange) \
    static inline bool exchange_##bits(volatile a##bits *p, a##bits *expected, a##bits desired) { return exchange; } \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile a##bits *, a##bits *, a##bits, int, int); \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile a##bits *, a##bits *, a##bits, int, int); \
    a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits *, a##bits, a##bits, int, int); \
    RT_API int __tsan_atomic##bits##_compare_exchange_strong(volatile a##bits *p, a##bits *expected, a##bits desired, int order, int failed) \
    { \
        (void)failed; \
        atomic(p, bits / 8, LOCATION_COMPARE, order, (uint64_t)*expected, (uint64_t)desired, HERE); \
        return exchange_##bits(p, expected, desired); \
    } \
    RT_API int __tsan_atomic##bits##_compare_exchange_weak(volatile a##bits *p, a##bits *expected, a##bits desired, int order, int failed) \
    { \
        (void)failed; \
        atomic(p, bits / 8, LOCATION_COMPARE, order, (uint64_t)*expected, (uint64_t)desired, HERE); \
        return exchange_##bits(p, expected, desired); \
    } \
    RT_API a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits *p, a##bits expected, a##bits desired, int order, int failed) \
    { \
        (void)failed; \
        atomic(p, bits / 8, LOCATION_COMPARE, order, (uint64_t)expected, (uint64_t)desired, HERE); \
        exchange_##bits(p, &expected, desired); \
        return expected; \
    }
#define NARROW_COMPARE(bits) \
    COMPARE(bits, __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
NARROW_COMPARE(8) NARROW_COMPARE(16) NARROW_COMPARE(32) NARROW_COMPARE(64)
COMPARE(128, ({
    lock_wide();
    a128 old = *p;
    bool equal = old == *expected;
    if (equal)
        *p = desired;
    else
        *expected = old;
    unlock_wide();
    equal;
}))

/* What is relaxed may be ordered by a fence, which is no access: where there is one, relaxed counts as ordered. */
void __tsan_atomic_thread_fence(int);
void __tsan_atomic_signal_fence(int);
RT_API void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    if (rt_watching && rt_mode == RT_GROUP)
        wire_accesses(rt->wire)->fences = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

RT_API void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* ---- volatile: people mean atomic by it ---- */

/* What is written is not told. */
RT_INLINE void volatile_access(const void *p, uint64_t bytes, bool writes, uint64_t place)
{
    struct visit o = {.code = writes ? LOCATION_WRITE : LOCATION_LOAD,
                          .order = ORDER_ALL | (writes ? ORDER_RELEASE : ORDER_ACQUIRE)};
    share(p, bytes, place);
    access_visible(p, bytes, &o, place);
    if (rt_accesses_note(p, bytes, ACCESS_IS_ATOMIC | (writes ? ACCESS_IS_WRITE : 0), place))
        suspect(p, bytes, place);
}

RT_INLINE void of_volatile(void *p, uint64_t bytes, bool writes, uint64_t place)
{
    if (__builtin_expect(!rt_watching, 1) || rt_mode != RT_GROUP)
        return;
    if (rt->wire->group & GROUP_VOLATILE_PLAIN)
        plain(p, bytes, writes ? LOCATION_WRITE : LOCATION_READ, place);
    else
        volatile_access(p, bytes, writes, place);
}

#define VOLATILE(name, bytes, writes) \
    void name(void *); \
    RT_API void name(void *p) { of_volatile(p, bytes, writes, HERE); }
#define VOLATILES(bytes) \
    VOLATILE(__tsan_volatile_read##bytes, bytes, false) VOLATILE(__tsan_volatile_write##bytes, bytes, true) \
    VOLATILE(__tsan_unaligned_volatile_read##bytes, bytes, false) VOLATILE(__tsan_unaligned_volatile_write##bytes, bytes, true)
VOLATILES(1) VOLATILES(2) VOLATILES(4) VOLATILES(8) VOLATILES(16)

/* ---- the rest ---- */

void __tsan_init(void);
void __tsan_func_entry(void *);
void __tsan_func_exit(void);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
/* Called as the program begins: before the runtime is set up, or, where that was loaded in front of the program, in its first step. */
RT_API void __tsan_init(void)
{
    rt_instrumented = true;
    if (rt)
        rt->wire->launched |= LAUNCH_INSTRUMENTED;
    if (rt_mode == RT_GROUP)
        rt_accesses_begin();
}

RT_API void __tsan_func_entry(void *caller) { (void)caller; }
RT_API void __tsan_func_exit(void) { }
RT_API void __tsan_ignore_thread_begin(void) { }
RT_API void __tsan_ignore_thread_end(void) { }
