/* malloc & co. In a sharing group each process has a window of addresses of its own and free lists of its own, so that the
 * addresses it gets depend on nothing but its own past; what it frees it keeps for itself, whoever allocated it. (Not so where states
 * are compared and orders are not, GROUP_POOLED: else what one thread allocates for others to free would never be the same again.) A
 * snapshot has the used part of each window. Memory that was never given out is zero.
 *
 * Everywhere else, and before it is clear where we are, the C library's own do the work (or a sanitizer's). Blocks of theirs
 * that are still there when the group begins are never given back.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"
#include "group.h"
#include "insides.h"
#include "sys.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { UNIT = 16, SMALL = 1024, SMALL_CLASSES = SMALL / UNIT, CLASSES = SMALL_CLASSES + 4 * 20, PAGE = 4096, MUCH = 256 << 10 };

#define block   wire_block                               /* in front of each; size: bytes that can be used */
#define IN_USE  WIRE_BLOCK_USED
#define FREED   UINT64_C(0x6465657266207369)
#define INSIDE  UINT64_C(0x6e20656469736e69)             /* another, for the sake of alignment; size: bytes to that one's */

struct heap {                                            /* at the start of the window */
    uint64_t      used;              /* bytes from the start of the window */
    struct block *free[CLASSES];     /* the first word that can be used points to the next */
};

/* ---- size classes: steps of a unit, then four for each doubling ---- */

static unsigned class_of(uint64_t size)                  /* the smallest that has room; size > 0 */
{
    if (size <= SMALL)
        return (unsigned)((size + UNIT - 1) / UNIT - 1);
    unsigned log = 63 - (unsigned)__builtin_clzll(size - 1);             /* 2^log < size <= 2^(log + 1) */
    uint64_t quarter = UINT64_C(1) << (log - 2);
    return SMALL_CLASSES + 4 * (log - 10) + (unsigned)((size - (UINT64_C(1) << log) + quarter - 1) / quarter - 1);
}

static uint64_t size_of(unsigned class)
{
    if (class < SMALL_CLASSES)
        return (uint64_t)(class + 1) * UNIT;
    unsigned log = 10 + (class - SMALL_CLASSES) / 4;
    return (UINT64_C(1) << log) + ((class - SMALL_CLASSES) % 4 + 1) * (UINT64_C(1) << (log - 2));
}

/* ---- a window ---- */

static bool is_ours(const void *p)
{
    return (uint64_t)p - RT_HEAPS_AT < MAX_PROCESSES * RT_WINDOW;
}

static struct heap *window(int process)
{
    return (struct heap *)(RT_HEAPS_AT + (uint64_t)process * RT_WINDOW);
}

static bool map_window(int process)
{
    uint64_t bytes = RT_WINDOW, share = rt_fair_share();
    while (bytes >= MUCH && (bytes > share || !rt_try_map((uint64_t)window(process), bytes, MAP_PRIVATE)))
        bytes /= 2;
    rt_core->heap_bytes[process] = bytes >= MUCH ? bytes : 0;
    rt_core->heaps = process < rt_core->heaps ? rt_core->heaps : process + 1;
    return bytes >= MUCH;
}

uint64_t rt_heap_used(int process)
{
    return rt_core->heap_bytes[process] ? window(process)->used : 0;
}

static struct heap *own_heap(void)                       /* NULL: no memory */
{
    int process = rt_running->process;
    struct heap *heap = window(process);
    if (!rt_core->heap_bytes[process] && !map_window(process))
        return NULL;
    if (!heap->used)
        heap->used = (sizeof *heap + UNIT - 1) & ~(uint64_t)(UNIT - 1);
    return heap;
}

static struct block *cut(struct heap *heap, uint64_t size)
{
    if (size + sizeof(struct block) > rt_core->heap_bytes[rt_running->process] - heap->used)
        return NULL;
    struct block *block = (struct block *)((char *)heap + heap->used);
    heap->used += size + sizeof *block;
    return block;
}

/* fresh: it was never given out and is zero */
static void *get(uint64_t size, bool *fresh)
{
    struct heap *heap = size < RT_WINDOW ? own_heap() : NULL;
    if (!heap)
        return NULL;
    unsigned class = class_of(size ? size : 1);
    struct block *block = heap->free[class];
    *fresh = !block;
    if (block)
        heap->free[class] = *(struct block **)(block + 1);
    else if (!(block = cut(heap, size_of(class))))
        return NULL;
    *block = (struct block){size_of(class), IN_USE};
    return block + 1;
}

static struct block *outer(void *p)                      /* the block that p was cut from, by its header */
{
    struct block *block = (struct block *)p - 1;
    return block->mark == INSIDE ? (struct block *)((char *)p - block->size) - 1 : block;
}

static uint64_t usable(void *p)
{
    struct block *block = outer(p);
    return block->size - (uint64_t)((char *)p - (char *)(block + 1));
}

static const char *what_is_wrong(void *p)                /* NULL: it is a block in use */
{
    if ((uint64_t)p % UNIT || !rt_core->heap_bytes[((uint64_t)p - RT_HEAPS_AT) / RT_WINDOW] ||
        (uint64_t)p % RT_WINDOW < sizeof(struct heap) + sizeof(struct block))
        return "free(): invalid pointer";
    uint64_t mark = ((struct block *)p - 1)->mark;
    return mark == IN_USE || mark == INSIDE ? NULL : mark == FREED ? "free(): double free" : "free(): invalid pointer";
}

static void put(void *p)
{
    struct block *block = outer(p);
    struct heap *heap = own_heap();
    if (!heap)
        return;
    if (rt->wire->group & GROUP_STATES)                  /* what is left in it would keep equal states apart */
        memset(block + 1, 0, block->size);
    ((struct block *)p - 1)->mark = block->mark = FREED;
    if (rt->wire->group & GROUP_POOLED)
        heap = window((int)(((uint64_t)block - RT_HEAPS_AT) / RT_WINDOW));
    struct block **at = &heap->free[class_of(block->size)];
    while (rt->wire->group & GROUP_STATES && *at && *at < block)         /* in whatever order blocks were freed, it is the same list */
        at = (struct block **)(*at + 1);
    *(struct block **)(block + 1) = *at;
    *at = block;
}

static void *get_zeroed(uint64_t size)
{
    bool fresh;
    void *p = get(size, &fresh);
    if (p && !fresh)
        memset(p, 0, size);
    return p;
}

/* Moved up into its block when need be. */
static void *align(char *p, uint64_t alignment)
{
    char *at = (char *)(((uint64_t)p + alignment - 1) & ~(alignment - 1));
    if (at != p)
        ((struct block *)at)[-1] = (struct block){(uint64_t)(at - p), INSIDE};
    return at;
}

static void *get_aligned(uint64_t alignment, uint64_t size, bool *fresh)
{
    if (alignment >= RT_WINDOW || size >= RT_WINDOW)
        return NULL;
    char *p = get(alignment > UNIT ? size + alignment : size, fresh);
    return p && alignment > UNIT ? align(p, alignment) : p;
}

/* ---- what there is no room for ---- */

/* Where memory is limited, what we keep for ourselves is what the program would have. */
bool rt_kernel_has(uint64_t bytes)
{
    enum { PARTS = 16 };
    uint64_t share = rt_fair_share();
    if (share != UINT64_MAX)
        return bytes / PARTS < share;
    long at = RT_SYS(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at < 0 && at >= -4095)
        return false;
    RT_SYS(SYS_munmap, at, bytes);
    return true;
}

/* What the kernel would give, and we cannot, is our limit: a program that is told otherwise gives up, and nobody hears of it. As if the
 * program had called it where it called malloc and its like. */
static __attribute__((noinline)) void refuse(uint64_t size, const char *words, void *frame)
{
    struct rt_call call = {.event = EVENT_REFUSE, .arg = {REFUSED_SIZE}, .text = words};
    if (!rt_core->unwinding && rt_kernel_has(size))
        rt_group_enter(&call, frame);
}

/* ---- for the runtime itself ---- */

void *rt_heap_get(size_t bytes) { return get_zeroed(bytes); }
void rt_heap_put(void *p) { put(p); }

void *rt_heap_map(size_t bytes)
{
    bool fresh;
    bytes = bytes < RT_WINDOW ? (bytes + PAGE - 1) & ~(size_t)(PAGE - 1) : bytes;
    void *p = get_aligned(PAGE, bytes, &fresh);
    if (p && !fresh)
        memset(p, 0, bytes);
    return p;
}

/* A part of what was mapped stays: there may be more parts in use. */
bool rt_heap_unmap(void *p, size_t bytes)
{
    if (!is_ours(p))
        return false;
    if (!((uint64_t)p % PAGE) && !what_is_wrong(p) && bytes + 2 * PAGE >= usable(p) / 5 * 4)
        put(p);
    return true;
}

/* ---- what the program calls ---- */

extern __typeof__(__libc_malloc) __interceptor_malloc __attribute__((weak));             /* a sanitizer's */
extern __typeof__(__libc_calloc) __interceptor_calloc __attribute__((weak));
extern __typeof__(__libc_realloc) __interceptor_realloc __attribute__((weak));
extern __typeof__(__libc_memalign) __interceptor_memalign __attribute__((weak));
extern __typeof__(__libc_free) __interceptor_free __attribute__((weak));

#define OTHERS(function) (__interceptor_##function ? __interceptor_##function : __libc_##function)

/* For who looks for data races. */
RT_INLINE void note(void *p, uint32_t kind)
{
    if (rt_watching && is_ours(p))
        rt_accesses_note(p, usable(p), kind, (uint64_t)__builtin_return_address(0));
}

RT_INLINE void *answer(void *p, size_t size, const char *words)
{
    if (p)
        note(p, ACCESS_IS_NEW);
    if (p)
        return p;
    refuse(size, words, __builtin_frame_address(0));
    errno = ENOMEM;
    return NULL;
}

RT_GROUPED(void *, malloc, (size_t size), (),
    DO(OTHERS(malloc)(size)), DO(answer(get(size, &(bool){false}), size, "malloc" RT_MUCH_MEMORY)))

RT_INLINE void *group_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    return answer(get_zeroed(bytes), bytes, "calloc" RT_MUCH_MEMORY);
}

RT_GROUPED(void *, calloc, (size_t count, size_t size), (count, size),
    DO(OTHERS(calloc)(count, size)), DO(group_calloc(count, size)))

static bool was_before(void *p)                         /* is it the C library's, from before the group? */
{
    return __interceptor_malloc || rt_is_libc_block(p, (uint64_t)RT_SYS(SYS_brk, 0));
}

static const char *cannot_be_freed(void *p)
{
    return is_ours(p) ? what_is_wrong(p) : was_before(p) ? NULL : "free(): invalid pointer";
}

/* As if the program had called it where it called free: that is where it went wrong. */
static __attribute__((noinline)) void misused(const char *words, void *frame)
{
    struct rt_call wrong = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_STRUCTURE, .index = -1,
                            .text = words};
    rt_group_enter(&wrong, frame);
}

RT_INLINE void give_back(void *p)
{
    const char *words = cannot_be_freed(p);
    if (words)
        misused(words, __builtin_frame_address(0));
    else if (is_ours(p)) {
        note(p, ACCESS_IS_WRITE | ACCESS_IS_FREE);
        put(p);
    }
}

static void free_elsewhere(void *p)
{
    if (p && !is_ours(p))
        OTHERS(free)(p);
}

RT_INLINE void free_in_group(void *p)
{
    if (p)
        give_back(p);
}

RT_GROUPED(void, free, (void *p), (), DO(free_elsewhere(p)), DO(free_in_group(p)))

/* C23; the C library may be older. */
void free_sized(void *p, size_t size);
void free_aligned_sized(void *p, size_t alignment, size_t size);
RT_GROUPED(void, free_sized, (void *p, size_t size __attribute__((unused))), (), DO(free_elsewhere(p)), DO(free_in_group(p)))
RT_GROUPED(void, free_aligned_sized, (void *p, size_t alignment __attribute__((unused)), size_t size __attribute__((unused))), (),
    DO(free_elsewhere(p)), DO(free_in_group(p)))

static void *move(void *p, uint64_t had, uint64_t size)
{
    bool fresh;
    void *to = get(size, &fresh);
    if (!to)
        return NULL;
    memcpy(to, p, had < size ? had : size);
    if (is_ours(p))
        put(p);
    return to;
}

RT_API size_t malloc_usable_size(void *p)
{
    size_t (*others)(void *) = !p || is_ours(p) ? NULL : (size_t (*)(void *))rt_next("malloc_usable_size");
    return !p ? 0 : others ? others(p) : usable(p);
}

RT_INLINE void *change(void *p, size_t size)
{
    bool fresh;
    if (!p)
        return answer(get(size, &fresh), size, "realloc" RT_MUCH_MEMORY);
    const char *words = cannot_be_freed(p);
    if (words)
        misused(words, __builtin_frame_address(0));
    if (!size) {
        give_back(p);
        return NULL;
    }
    uint64_t had = malloc_usable_size(p);
    if (size <= had && size >= had / 2) {
        note(p, ACCESS_IS_WRITE);                        /* for the program the old block has ended, wherever the new one is */
        return p;
    }
    note(p, ACCESS_IS_WRITE | ACCESS_IS_FREE);
    return answer(move(p, had, size), size, "realloc" RT_MUCH_MEMORY);
}

RT_GROUPED(void *, realloc, (void *p, size_t size), (p, size), DO(OTHERS(realloc)(p, size)), DO(change(p, size)))

RT_API void *reallocarray(void *p, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    RT_BY_GROUP(void *, reallocarray, (), DO(OTHERS(realloc)(p, bytes)), DO(change(p, bytes)))
}

RT_INLINE void *aligned(size_t alignment, size_t size, const char *words)
{
    bool fresh;
    return answer(get_aligned(alignment, size, &fresh), size, words);
}

/* What one of those that choose an alignment ends with. */
#define ALIGNED(name, alignment, size) \
    RT_BY_GROUP(void *, name, (), DO(OTHERS(memalign)(alignment, size)), DO(aligned(alignment, size, #name RT_MUCH_MEMORY)))

static bool is_power(size_t n) { return n && !(n & (n - 1)); }

RT_API void *memalign(size_t alignment, size_t size)
{
    size_t power = UNIT;
    while (power < alignment && power < RT_WINDOW)
        power *= 2;
    ALIGNED(memalign, power, size)
}

RT_API void *aligned_alloc(size_t alignment, size_t size)
{
    if (!is_power(alignment)) {
        errno = EINVAL;
        return NULL;
    }
    ALIGNED(aligned_alloc, alignment, size)
}

static int hand_out(void **out, void *p, int error)      /* tells by its result alone: errno is as it was */
{
    errno = error;
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

RT_API int posix_memalign(void **out, size_t alignment, size_t size)
{
    int error = errno;
    if (!is_power(alignment) || alignment % sizeof(void *))
        return EINVAL;
    RT_BY_GROUP(int, posix_memalign, (), DO(hand_out(out, OTHERS(memalign)(alignment, size), error)),
                DO(hand_out(out, aligned(alignment, size, "posix_memalign" RT_MUCH_MEMORY), error)))
}

RT_API void *valloc(size_t size) { ALIGNED(valloc, PAGE, size) }

RT_API void *pvalloc(size_t size)
{
    size_t whole = (size + PAGE - 1) & ~(size_t)(PAGE - 1);
    ALIGNED(pvalloc, PAGE, whole)
}

RT_GROUPED(int, malloc_trim, (size_t pad), (pad), DO(((int (*)(size_t))rt_next("malloc_trim"))(pad)), DO(0))
RT_GROUPED(int, mallopt, (int parameter, int value), (parameter, value),
    DO(((int (*)(int, int))rt_next("mallopt"))(parameter, value)), DO(1))

/* The end of the data segment is the kernel's: memory that is won by moving it would not go back. */
static void *move_end(intptr_t bytes)                    /* an allocator may have an sbrk that calls us */
{
    return ((void *(*)(intptr_t))rt_next("__sbrk"))(bytes);
}

RT_INLINE void *move_end_in_group(intptr_t bytes)
{
    if (bytes)
        RT_REFUSE("sbrk");
    return move_end(bytes);
}

RT_GROUPED(void *, sbrk, (intptr_t bytes), (), DO(move_end(bytes)), DO(move_end_in_group(bytes)))
RT_GROUPED(int, brk, (void *end), (end), NEXT, REFUSE("brk"))
