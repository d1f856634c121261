/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "journal.h"
#include "group.h"
#include "insides.h"
#include "mapped.h"
#include "sync.h"
#include "sys.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* A sanitizer's memcpy would object to what is read here: all memory, also that which the program must not touch. */
RT_INLINE void *copy(void *to, const void *from, size_t bytes)
{
    void *at = to;
    if (__builtin_constant_p(bytes) && bytes <= 64)
        return __builtin_memcpy(to, from, bytes);
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(bytes) : : "memory");
    return to;
}

#define memcpy copy
#define XXH_INLINE_ALL
#include <xxhash.h>
#pragma GCC poison malloc calloc free printf

enum { PAGE = 4096, GRAIN = 64, BLOCK = 4 * GRAIN, LARGE = 128 << 10, FIRST_MIRROR = 64 << 10 };

#define JOURNAL_AT      UINT64_C(0x290000000000)
#define JOURNAL_BYTES   (64 * RT_WINDOW)
#define MIRRORS_AT      UINT64_C(0x2a0000000000)         /* of data */
#define HEAPS_MIRROR    UINT64_C(0x2b0000000000)
#define STACKS_MIRROR   UINT64_C(0x2c0000000000)
#define SHARED_MIRROR   UINT64_C(0x2d0000000000)
#define WINDOWS         (MAX_PROCESSES * RT_WINDOW)

struct entry { uint64_t *word, old; };
struct note  { uint64_t sum[2]; int64_t input; uint32_t entries, depth; };       /* above its entries; sum, input: before it */

/* What is mapped from lo to hi has its mirror at so much more. Of a small one each page that was ever touched has a bit: the others are
 * as they were at the first note. */
struct mirror { uint64_t lo, hi, shift, touched; bool file, uncounted; };

struct journal {
    uint64_t         bytes, top;     /* mapped; in use */
    uint64_t         sum[2];
    int64_t          input;          /* how much of standard input was read */
    int64_t          faults;         /* 1 + pages that the kernel had given, when the note was begun */
    int64_t          looked;         /* the same, when it was last seen which pages were touched */
    uint64_t         windows[2][MAX_PROCESSES];          /* of the mirrors of heaps and stacks so much is mapped */
    uint64_t         heaps[MAX_PROCESSES], stacks[MAX_PROCESSES];        /* at the last note: bytes in use; where the live part began */
    struct mirror    parts[RT_MAX_REGIONS];
    uint32_t         part_count;
    bool             uncounted;      /* what is compared now */
    uint32_t         libraries;
    struct low { uint64_t lo, lowest; int64_t faults; } lows[MAX_PROCESSES];     /* of each stack */
    uint64_t         stack_hi, stack_bytes;              /* of the kernel's stack: upper end; its mirror */
    struct rt_pages  pages, mirrored;
    struct rt_listing listing;
};

static struct journal *journal RT_PRIVATE;

extern char __start_rt_private[] __attribute__((visibility("hidden"))), __stop_rt_private[] __attribute__((visibility("hidden")));
extern char __start_rt_uncounted[] __attribute__((visibility("hidden"))), __stop_rt_uncounted[] __attribute__((visibility("hidden")));

/* ---- mirrors ---- */

static uint64_t page_up(uint64_t n) { return (n + PAGE - 1) / PAGE * PAGE; }

static void add_part(struct rt_region r, bool uncounted, uint64_t *next)
{
    if (r.hi <= r.lo)
        return;
    uint64_t start = r.lo / PAGE * PAGE, bytes = page_up(r.hi) - start;
    if (journal->part_count == RT_MAX_REGIONS)
        rt_fail("more memory is mapped than can be listed");
    rt_map(*next, bytes, MAP_PRIVATE);
    journal->parts[journal->part_count++] = (struct mirror){r.lo, r.hi, *next - start, 0, r.file, uncounted};
    *next += bytes + PAGE;
}

/* What is the runtime's alone is left out; what does not count is a part of its own. */
static void add_region(struct rt_region r, uint64_t *next)
{
    struct { uint64_t lo, hi; bool uncounted; } own[2] = {{(uint64_t)__start_rt_private, (uint64_t)__stop_rt_private, false},
                                                          {(uint64_t)__start_rt_uncounted, (uint64_t)__stop_rt_uncounted, true}};
    bool swapped = own[1].lo < own[0].lo;
    for (int i = 0; i < 2; i++) {
        int which = i ^ swapped;
        if (own[which].lo < r.lo || own[which].lo >= r.hi)
            continue;
        add_part((struct rt_region){r.lo, own[which].lo, r.file}, false, next);
        if (own[which].uncounted)
            add_part((struct rt_region){own[which].lo, own[which].hi, r.file}, true, next);
        r.lo = own[which].hi;
    }
    add_part(r, false, next);
}

static void add_parts(const struct rt_listing *listing)
{
    uint64_t next = MIRRORS_AT;
    for (uint32_t i = 0; i < listing->regions_count; i++)
        add_region(listing->regions[i], &next);
}

static void open_journal(void)
{
    RT_SYS(SYS_prctl, PR_SET_THP_DISABLE, 1, 0, 0, 0);   /* the kernel would give pages of which it tells nothing */
    uint64_t bytes = rt_map_most(JOURNAL_AT, JOURNAL_BYTES, 2 * sizeof *journal, MAP_PRIVATE);
    journal = (struct journal *)JOURNAL_AT;
    journal->bytes = bytes;
    journal->top = page_up(sizeof *journal);
    rt_pages_open(&journal->pages);
    journal->mirrored.file = journal->pages.file;
    if (!rt_list(&journal->listing, (char *)journal + journal->top, (char *)journal + bytes))
        rt_fail("its memory cannot be listed: is /proc mounted, and may the program open one more file (see ulimit -n)?");
    journal->libraries = journal->listing.libraries;
    journal->stack_hi = journal->listing.stack_hi;
    add_parts(&journal->listing);
    journal->stack_bytes = page_up(journal->stack_hi - (uint64_t)__libc_stack_end + rt_main_stack_size() + PAGE);
    rt_map(STACKS_MIRROR + WINDOWS, journal->stack_bytes, MAP_PRIVATE);
    rt_map(SHARED_MIRROR, rt_shared_window(), MAP_PRIVATE);
}

/* Makes sure that this much of a window's mirror is there, from its lower or its upper end. */
static void map_window(int which, int process, uint64_t bytes, bool upper)
{
    uint64_t *mapped = &journal->windows[which][process], more = *mapped ? *mapped : FIRST_MIRROR;
    uint64_t lo = (which ? STACKS_MIRROR : HEAPS_MIRROR) + (uint64_t)process * RT_WINDOW;
    if (bytes <= *mapped)
        return;
    while (more < bytes)
        more *= 2;
    more = more < RT_WINDOW ? more : RT_WINDOW;
    rt_map(upper ? lo + RT_WINDOW - more : lo + *mapped, more - *mapped, MAP_PRIVATE);
    *mapped = more;
}

/* The kernel's stack has its mirror behind those of the others. */
static uint64_t mirror_of(uint64_t at)
{
    uint64_t below = journal->stack_hi - at;
    if (at - RT_HEAPS_AT < WINDOWS)
        return at - RT_HEAPS_AT + HEAPS_MIRROR;
    if (at - RT_STACKS_AT < WINDOWS)
        return at - RT_STACKS_AT + STACKS_MIRROR;
    if (at - RT_SHARED_AT < RT_WINDOW)
        return at - RT_SHARED_AT + SHARED_MIRROR;
    for (uint32_t i = 0; i < journal->part_count; i++)
        if (at - journal->parts[i].lo < journal->parts[i].hi - journal->parts[i].lo)
            return at + journal->parts[i].shift;
    return STACKS_MIRROR + WINDOWS + journal->stack_bytes - below;
}

/* ---- comparing ---- */

static bool is_zero(const uint64_t *p, uint64_t bytes)
{
    uint64_t any = 0;
    for (uint64_t i = 0; i < bytes / 8; i++)
        any |= p[i];
    return !any;
}

/* The mark of an object says that the controller knows it, and nothing about the program: an object that was used and is as it began is
 * like one that was not. (A word that is by chance what the mark of its own address would be counts as 0.) */
static void without_marks(uint64_t at, uint32_t *words, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (words[i] & RT_MARKED && words[i] == rt_mark((const void *)(at + 4 * i)))
            words[i] = 0;
}

/* What was printed is no state, nor is how much of it there was: newer C libraries count that (insides.h). */
static void without_output(uint64_t at, uint64_t *words, uint64_t length)
{
    for (int i = 0; i < 2; i++)
        if ((uint64_t)rt->written[i] - at < length)
            words[((uint64_t)rt->written[i] - at) / 8] = 0;
}

static void count(uint64_t at, const void *bytes, uint64_t length, int sign)
{
    uint64_t masked[GRAIN / 8];
    if (journal->uncounted || is_zero(bytes, length))
        return;
    memcpy(masked, bytes, length);
    without_marks(at, (uint32_t *)masked, length / 4);
    without_output(at, masked, length);
    if (is_zero(masked, length))
        return;
    XXH128_hash_t hash = XXH3_128bits_withSeed(masked, length, at);
    journal->sum[0] += sign < 0 ? -hash.low64 : hash.low64;
    journal->sum[1] += sign < 0 ? -hash.high64 : hash.high64;
}

/* Up to 64 bytes that do not cross a multiple of that. */
static void grain(uint64_t at, uint64_t mirror, uint64_t bytes)
{
    uint64_t *now = (uint64_t *)at, *then = (uint64_t *)mirror;
    if (journal->top + GRAIN / 8 * sizeof(struct entry) + sizeof(struct note) > journal->bytes)
        rt_fail("no room for the journal of its memory, which is as long as the path is deep; use --search bfs or dfs, or raise ulimit -v");
    count(at, then, bytes, -1);
    count(at, now, bytes, 1);
    for (uint64_t i = 0; i < bytes / 8; i++)
        if (now[i] != then[i]) {
            *(struct entry *)((char *)journal + journal->top) = (struct entry){&now[i], then[i]};
            journal->top += sizeof(struct entry);
            then[i] = now[i];
        }
}

static bool differ(const uint64_t *a, const uint64_t *b, uint64_t words)
{
    uint64_t any = 0;
    for (uint64_t i = 0; i < words; i++)
        any |= a[i] ^ b[i];
    return any;
}

typedef uint64_t words __attribute__((vector_size(32), aligned(GRAIN / 2), may_alias));

/* Up to the first of these blocks, which begin at multiples of a grain, that is not like its mirror. Compiled twice, as in pack.c. */
#define SKIP_SAME(name) \
    static uint64_t name(uint64_t at, uint64_t hi, uint64_t shift) \
    { \
        for (; hi - at >= BLOCK; at += BLOCK) { \
            const words *a = (const words *)at, *b = (const words *)(at + shift); \
            words low = (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]); \
            words high = (a[4] ^ b[4]) | (a[5] ^ b[5]) | (a[6] ^ b[6]) | (a[7] ^ b[7]), any = low | high; \
            if ((any[0] | any[1]) | (any[2] | any[3])) \
                break; \
        } \
        return at; \
    }
SKIP_SAME(skip_same)
__attribute__((target("avx2"))) SKIP_SAME(skip_same_fast)

/* From lo to hi, multiples of 8; the mirror has it at so much more. */
static void compare(uint64_t lo, uint64_t hi, uint64_t shift)
{
    while (lo < hi) {
        if (lo % GRAIN == 0)
            lo = rt_core->fast ? skip_same_fast(lo, hi, shift) : skip_same(lo, hi, shift);
        if (lo == hi)
            return;
        uint64_t end = lo / GRAIN * GRAIN + GRAIN;
        end = end < hi ? end : hi;
        if (differ((uint64_t *)lo, (uint64_t *)(lo + shift), (end - lo) / 8))
            grain(lo, lo + shift, end - lo);
        lo = end;
    }
}

/* Of a large area only what was touched, here or in the mirror. */
static void compare_touched(uint64_t lo, uint64_t hi, uint64_t shift)
{
    rt_pages_anew(&journal->pages);
    rt_pages_anew(&journal->mirrored);
    for (uint64_t at = lo; at < hi;) {
        uint64_t end = at / PAGE * PAGE + PAGE;
        end = end < hi ? end : hi;
        if (rt_is_touched(&journal->pages, at, hi) || rt_is_touched(&journal->mirrored, at + shift, hi + shift))
            compare(at, end, shift);
        at = end;
    }
}

static void compare_area(uint64_t lo, uint64_t hi)
{
    if (hi <= lo)
        return;
    uint64_t shift = mirror_of(lo) - lo;
    if (hi - lo > LARGE)
        compare_touched(lo, hi, shift);
    else
        compare(lo, hi, shift);
}

/* As long as the kernel has given no more pages, none was touched that had not been. What is written to here, once, stays so. */
static void look_for_touched(void)
{
    if (journal->looked == journal->faults)
        return;
    for (struct mirror *m = journal->parts; m < journal->parts + journal->part_count; m++) {
        uint64_t first = m->lo / PAGE;
        rt_pages_anew(&journal->pages);
        for (uint64_t page = first; page * PAGE < m->hi && m->hi - m->lo <= LARGE; page++)
            m->touched |= (uint64_t)rt_is_touched(&journal->pages, page * PAGE, m->hi) << (page - first);
    }
    journal->looked = journal->faults;
}

static void compare_small(const struct mirror *m)
{
    uint64_t first = m->lo / PAGE;
    for (uint64_t at = m->lo; at < m->hi;) {
        uint64_t end = at / PAGE * PAGE + PAGE;
        end = end < m->hi ? end : m->hi;
        if (m->touched >> (at / PAGE - first) & 1)
            compare(at, end, m->shift);
        at = end;
    }
}

/* What was in a file lies in the mirror from the first note on, whoever touched it by then: going back puts back what the mirror had. */
static void compare_part(const struct mirror *m, bool first)
{
    journal->uncounted = m->uncounted;
    if (first && m->file)
        compare(m->lo, m->hi, m->shift);
    else if (m->hi - m->lo > LARGE)
        compare_touched(m->lo, m->hi, m->shift);
    else
        compare_small(m);
    journal->uncounted = false;
}

static void compare_shared(uint64_t lo, uint64_t hi) { compare(lo, hi, SHARED_MIRROR - RT_SHARED_AT); }

/* ---- stacks ---- */

static void clear(uint64_t lo, uint64_t hi)
{
    if (!is_zero((uint64_t *)lo, hi - lo))
        for (uint64_t *p = (uint64_t *)lo; p < (uint64_t *)hi; p++)
            *p = 0;
}

/* The lowest page that a stack ever touched, from lo to hi. As long as the kernel has given no more pages, it is the same. */
static uint64_t lowest(int process, uint64_t lo, uint64_t hi)
{
    struct low *low = &journal->lows[process];
    if (low->lo == lo && low->faults == journal->faults)
        return low->lowest;
    rt_pages_anew(&journal->pages);
    *low = (struct low){lo, rt_pages_skip(&journal->pages, lo / PAGE * PAGE, hi, false), journal->faults};
    return low->lowest;
}

static void clear_dead(int process, uint64_t lo, uint64_t hi)
{
    uint64_t from = lowest(process, lo, (hi + PAGE) / PAGE * PAGE);
    from = from < lo ? lo : from;
    if (from < hi)
        clear(from, hi);
}

/* The kernel's stack is larger than its mirror: nothing else is so near below it. */
static bool is_too_deep(const struct rt_context *c, uint64_t at)
{
    enum { NEAR_BITS = 40 };
    return !c->memory && at < (uint64_t)c->stack && (uint64_t)c->stack - at < UINT64_C(1) << NEAR_BITS;
}

/* From here on its stack is in use. */
static uint64_t live_part(const struct rt_context *c)
{
    uint64_t at = c->kept_stack ? (uint64_t)c->kept_stack : c->stack_pointer;
    if (is_too_deep(c, at))
        rt_fail("its first thread has more on its stack than a search that keeps states can compare (64 MB); use --search dfs");
    if (c->state == RT_ENDED)
        at = (uint64_t)c->stack_end;
    return at - (uint64_t)c->stack <= (uint64_t)(c->stack_end - c->stack) ? at : (uint64_t)c->stack;
}

/* Of the storage of a thread that has ended, what others may still ask for: its function (rt_began_with), too. */
static void forget(const struct rt_context *c)
{
    struct rt_thread *thread = rt_thread_of((pthread_t)c->thread_pointer), was = *thread;
    bool outside = rt->wire->group & GROUP_OUTSIDE;
    if (!c->memory)
        return;
    clear((uint64_t)c->memory, c->thread_pointer);
    *thread = (struct rt_thread){.start = outside ? was.start : NULL, .start_c11 = outside ? was.start_c11 : NULL, .value = was.value, .others = was.others, .detached = was.detached, .born_detached = was.born_detached};
}

static void compare_context(const struct rt_context *c)
{
    uint64_t live = live_part(c), hi = c->memory ? (uint64_t)c->memory_end : journal->stack_hi;
    bool own_stack = !c->memory || c->stack_end == c->memory;
    if (c->state == RT_UNUSED)
        return;
    if (c == rt_running)
        clear_dead(c->process, (uint64_t)c->stack & ~UINT64_C(7), live & ~UINT64_C(7));
    if (c == rt_running && c->state == RT_ENDED)
        forget(c);
    uint64_t *before = &journal->stacks[c->process], lo = *before && *before < live ? *before : live;
    if (own_stack)
        *before = live;
    else
        lo = (uint64_t)c->memory;
    if (c->memory)
        map_window(1, c->process, (uint64_t)RT_STACKS_AT + ((uint64_t)c->process + 1) * RT_WINDOW - lo, true);
    compare_area(lo & ~(uint64_t)(GRAIN - 1), hi);
}

/* ---- notes ---- */

static int64_t pages_given(void)
{
    struct rusage usage = {0};
    RT_SYS(SYS_getrusage, RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

static void compare_all(bool first)
{
    journal->faults = 1 + pages_given();
    look_for_touched();
    for (uint32_t i = 0; i < journal->part_count; i++)
        compare_part(&journal->parts[i], first);
    for (int i = 0; i < rt_contexts_end; i++)
        compare_context(&rt_contexts[i]);
    for (int i = 0; i < rt_core->heaps; i++) {
        uint64_t used = rt_heap_used(i), most = used > journal->heaps[i] ? used : journal->heaps[i];
        uint64_t lo = RT_HEAPS_AT + (uint64_t)i * RT_WINDOW;
        map_window(0, i, most, false);
        compare_area(lo, lo + (most + 7) / 8 * 8);
        journal->heaps[i] = used;
    }
    rt_shared_each(compare_shared);
}

/* What stands above the program's first argument, its path and its environment, is not the same wherever it is started: that it is there
 * counts nothing, only what becomes of it. */
static void take_names(void)
{
    journal->uncounted = true;
    compare_area((uint64_t)program_invocation_name & ~(uint64_t)(GRAIN - 1), journal->stack_hi);
    journal->uncounted = false;
}

void rt_journal_note(uint32_t depth, uint64_t sum[2])
{
    bool first = !journal;
    if (first)
        open_journal();
    if (journal->libraries != rt_count_libraries())
        rt_kernel_keeps_state("dlopen");
    struct note before = {.sum = {journal->sum[0], journal->sum[1]}, .input = journal->input, .depth = depth};
    uint64_t top = journal->top;
    rt_core->copying = true;
    if (first)
        take_names();
    compare_all(first);
    rt_core->copying = false;
    before.entries = (uint32_t)((journal->top - top) / sizeof(struct entry));
    if (rt->input)
        journal->input = RT_SYS(SYS_lseek, 0, 0, SEEK_CUR);
    *(struct note *)((char *)journal + journal->top) = before;
    journal->top += sizeof before;
    sum[0] = journal->sum[0] + (uint64_t)journal->input * UINT64_C(0x9e3779b97f4a7c15);
    sum[1] = journal->sum[1];
}

bool rt_journal_copy(uint64_t page, unsigned char *to)
{
    bool there = page % PAGE == 0 && page - RT_HEAPS_AT < WINDOWS && page % RT_WINDOW + PAGE <= rt_core->heap_bytes[(page - RT_HEAPS_AT) / RT_WINDOW];
    for (uint32_t i = 0; i < journal->part_count && page % PAGE == 0; i++)
        there |= page >= journal->parts[i].lo / PAGE * PAGE && page < journal->parts[i].hi;
    if (there)
        memcpy(to, (const void *)page, PAGE);
    return there;
}

/* Takes the last note back, if it is of more steps than that. */
static bool take_back(uint32_t depth)
{
    if (journal->top == page_up(sizeof *journal))
        return false;
    const struct note *note = (struct note *)((char *)journal + journal->top) - 1;
    if (note->depth <= depth)
        return false;
    const struct entry *first = (struct entry *)note - note->entries;
    for (const struct entry *e = (struct entry *)note; e-- > first;)
        *e->word = *(uint64_t *)mirror_of((uint64_t)e->word) = e->old;
    memcpy(journal->sum, note->sum, sizeof journal->sum);
    journal->input = note->input;
    journal->top = (uint64_t)((char *)first - (char *)journal);
    return true;
}

void rt_journal_back(uint32_t depth)
{
    if (!journal)
        rt_fail(RT_DISAGREE);
    rt_core->copying = true;
    rt_stacks_open();
    while (take_back(depth))
        ;
    rt_stacks_close();
    rt_core->copying = false;
    for (int i = 0; i < rt_core->heaps; i++)
        journal->heaps[i] = rt_heap_used(i);
    for (const struct rt_context *c = rt_contexts; c < rt_contexts + rt_contexts_end; c++)
        journal->stacks[c->process] = c->state == RT_UNUSED || (c->memory && c->stack_end != c->memory) ? 0 : live_part(c);
    if (rt->input)
        RT_SYS(SYS_lseek, 0, journal->input, SEEK_SET);
}
