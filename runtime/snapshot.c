/* Snapshots of a host: all of its private memory that can change, and is not the runtime's own (struct rt, struct rt_core, the
 * snapshots). Data and bss of program and libraries as they are mapped when the snapshot is taken, the used part of each window for
 * malloc, the live part of each stack with the thread-local storage above it. Libraries that were loaded since are unmapped when it is
 * put back: the dynamic linker does not know of them any more, and maps them again where they were.
 *
 * They lie one behind the other, by their numbers; taking one drops those above. A snapshot is a list of pieces (pack.h). Of a
 * large area only the pages that were touched are in it (asking for them is cheaper than looking at them all): the others are
 * what the kernel gives at the first touch, zero or the file's.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"
#include "group.h"
#include "insides.h"
#include "mapped.h"
#include "pack.h"
#include "sys.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#pragma GCC poison malloc calloc free printf

enum { PAGE = 4096, LARGE = 128 << 10, VERY_LARGE = 256 << 10 };
enum { FIRSTS = 1024, LISTINGS = 4 };

#define STORE_BYTES (16 * RT_WINDOW)
#define FULL        UINT64_MAX

/* In the place of a piece, before those of a large area. */
struct area { uint64_t lo, none, hi; } __attribute__((aligned(64)));     /* none: a piece that has no bytes */
_Static_assert(sizeof(struct area) == sizeof(struct rt_piece) && offsetof(struct area, none) == offsetof(struct rt_piece, bytes),
               "one can be told from the other");

struct store {
    uint64_t      bytes;             /* mapped */
    struct rt_pages pages;
    uint64_t      at[MAX_SNAPSHOTS], end[MAX_SNAPSHOTS];         /* bytes from here; end 0: no such snapshot */
    uint8_t       listed[MAX_SNAPSHOTS];                 /* by which listing it was taken */
    struct rt_listing listings[LISTINGS];                   /* as snapshots: those above are dropped */
    struct rt_listing now;              /* while one is put back */
    struct first { uint64_t page; } first[FIRSTS];       /* pages of which there is a copy as they were before the first touch */
    int           first_copies;      /* 1: there is room for them, -1: there is none */
};

static struct store *store;
static uint64_t      top;            /* while a snapshot is being taken: its end so far, in bytes from the start of the store */

/* ---- what there is to copy ---- */

static uint64_t place_for(uint32_t number)
{
    for (uint32_t i = number; i-- > 0;)
        if (store->end[i])
            return store->end[i];
    return (sizeof *store + 63) / 64 * 64;
}

/* The text is read to where nothing is kept yet. False: it could not be listed. */
static bool list(struct rt_listing *to)
{
    return rt_list(to, (char *)store + place_for(MAX_SNAPSHOTS), (char *)store + store->bytes);
}

/* The listing for a new snapshot. NULL: there is none, and nobody asks for a snapshot any more. */
static const struct rt_listing *listing_for(uint32_t number)
{
    uint32_t below = number;
    while (below-- > 0 && !store->end[below])
        ;
    bool first = below == UINT32_MAX;
    uint32_t which = first ? 0 : store->listed[below];
    if (!first && store->listings[which].libraries != rt_count_libraries())
        which++;
    bool new = first || which != store->listed[below];
    if (which == LISTINGS || (new && !list(&store->listings[which]))) {
        rt_kernel_keeps_state(which == LISTINGS ? "dlopen" : "more memory mapped than can be listed");
        return NULL;
    }
    store->listed[number] = (uint8_t)which;
    return &store->listings[which];
}

static void open_store(void)
{
    uint64_t bytes = rt_map_most(RT_COPIES_AT, STORE_BYTES, 2 * sizeof *store, MAP_PRIVATE);
    store = (struct store *)RT_COPIES_AT;
    store->bytes = bytes;
    rt_pages_open(&store->pages);
}

/* ---- copying ---- */

static uint64_t page_down(uint64_t at) { return at / PAGE * PAGE; }
static uint64_t page_up(uint64_t at)   { return page_down(at + PAGE - 1); }

static void copy_out(uint64_t lo, uint64_t hi)
{
    char *start = (char *)store, *next = top == FULL ? NULL : rt_pack(start + top, start + store->bytes, lo, hi);
    top = next ? (uint64_t)(next - start) : FULL;
}

/* ---- which pages were touched ---- */

/* First the bounds of the area, then pieces for each run of touched pages. */
static void copy_touched(uint64_t lo, uint64_t hi)
{
    struct area *area = (struct area *)((char *)store + top);
    if (top == FULL || sizeof *area > store->bytes - top) {
        top = FULL;
        return;
    }
    *area = (struct area){.lo = lo, .hi = hi};
    top += sizeof *area;
    rt_pages_anew(&store->pages);
    for (uint64_t at = rt_pages_skip(&store->pages, lo, hi, false); at < hi; at = rt_pages_skip(&store->pages, at, hi, false)) {
        uint64_t end = rt_pages_skip(&store->pages, at, hi, true);
        copy_out(at, end);
        at = end;
    }
}

/* A page that no snapshot has, but that was touched since: back to what it was before. To drop it is dear, and so is to touch it
 * again: it is done once, and what the page was then is kept. */
static void put_back_first(uint64_t page)
{
    struct first *first = &store->first[page / PAGE % FIRSTS];
    if (!store->first_copies)
        store->first_copies = rt_try_map(RT_FIRSTS_AT, FIRSTS * PAGE, MAP_PRIVATE) ? 1 : -1;
    char *copy = (char *)RT_FIRSTS_AT + (uint64_t)(first - store->first) * PAGE;
    if (first->page != page) {
        if (RT_SYS(SYS_madvise, page, PAGE, MADV_DONTNEED) < 0)
            rt_fail(RT_NO_MADVISE);
        if (store->first_copies < 0)
            return;
        memcpy(copy, (void *)page, PAGE);
        first->page = page;
    }
    memcpy((void *)page, copy, PAGE);
}

static void drop_touched(uint64_t lo, uint64_t hi, uint64_t area_hi)
{
    for (uint64_t at = lo; at < hi; at += PAGE)
        if (rt_is_touched(&store->pages, at, area_hi))
            put_back_first(at);
}

static void copy_area(uint64_t lo, uint64_t hi)
{
    if (hi - lo > LARGE)
        copy_touched(page_down(lo), page_up(hi));
    else if (hi > lo)
        copy_out(lo, hi);
}

/* Contexts that were never used are zero, and nobody need look at them: there is room for many, and most programs have few. */
static void copy_region(uint64_t lo, uint64_t hi)
{
    uint64_t unused = (uint64_t)&rt_contexts[rt_contexts_end], end = (uint64_t)&rt_contexts[MAX_PROCESSES];
    if (lo > unused || end > hi || hi - lo > LARGE) {
        copy_area(lo, hi);
        return;
    }
    copy_area(lo, unused);
    copy_area(end, hi);
}

/* A stack that the program brought itself is in memory that is copied anyway. Of a thread that has ended the storage stays:
 * what it returned is there; and all of the kernel's stack, where others may have been given things to use. */
static void copy_context(const struct rt_context *c, uint64_t kernels)
{
    uint64_t end = (uint64_t)c->stack_end, low = c->kept_stack ? (uint64_t)c->kept_stack : c->stack_pointer;
    bool own_stack = c->stack_end == c->memory && c->state == RT_LIVE;
    if (c->state == RT_UNUSED)
        return;
    if (!c->memory)
        copy_area(low, kernels > end ? kernels : end);
    else
        copy_area(own_stack ? low : (uint64_t)c->memory, (uint64_t)c->memory_end);
}

static uint64_t heap_at(int process) { return RT_HEAPS_AT + (uint64_t)process * RT_WINDOW; }

void rt_snapshot(uint32_t number)
{
    if (!store)
        open_store();
    if (number >= MAX_SNAPSHOTS)
        rt_fail(RT_DISAGREE);
    for (uint32_t i = number; i < MAX_SNAPSHOTS; i++)
        store->end[i] = 0;
    const struct rt_listing *listing = listing_for(number);
    if (!listing)
        return;
    store->at[number] = top = place_for(number);
    for (uint32_t i = 0; i < listing->regions_count; i++)
        copy_region(listing->regions[i].lo, listing->regions[i].hi);
    for (int i = 0; i < rt_contexts_end; i++)
        copy_context(&rt_contexts[i], listing->stack_hi);
    for (int i = 0; i < rt_core->heaps; i++)
        copy_area(heap_at(i), heap_at(i) + rt_heap_used(i));
    if (top == FULL)
        rt_kernel_keeps_state("no room for copies of the memory");       /* then nobody will want it back */
    else
        store->end[number] = top;
}

/* ---- and back ---- */

static void zero(uint64_t lo, uint64_t hi)
{
    if (hi > lo && hi - lo > VERY_LARGE) {
        uint64_t first = page_up(lo), last = page_down(hi);
        if (RT_SYS(SYS_madvise, first, last - first, MADV_DONTNEED) < 0)
            memset((void *)first, 0, last - first);
        memset((void *)last, 0, hi - last);
        hi = first;
    }
    if (hi > lo)
        memset((void *)lo, 0, hi - lo);
}

/* Pages that were touched later go back to what they were before. Gives where the pieces go on behind the area. */
static const char *copy_back_touched(const struct area *area, const char *end)
{
    uint64_t lo = area->lo, hi = area->hi;
    const char *at = (const char *)(area + 1);
    rt_pages_anew(&store->pages);
    while (at < end) {
        const struct rt_piece *piece = (const struct rt_piece *)at;
        if (!piece->bytes || piece->at < lo || piece->at >= hi)
            break;
        if (store->pages.file >= 0)
            drop_touched(lo, piece->at, hi);
        at = rt_unpack(piece);
        lo = piece->at + piece->bytes;
    }
    if (store->pages.file >= 0)
        drop_touched(lo, hi, hi);
    return at;
}

static void copy_back(uint32_t number)
{
    const char *at = (char *)store + store->at[number], *end = (char *)store + store->end[number];
    while (at < end) {
        const struct rt_piece *piece = (const struct rt_piece *)at;
        at = piece->bytes ? rt_unpack(piece) : copy_back_touched((const struct area *)at, end);
    }
}

static void unmap_between(uint64_t lo, uint64_t hi)
{
    if (hi > lo)
        RT_SYS(SYS_munmap, lo, hi - lo);
}

/* Both lists are in order. */
static void unmap_others(const struct rt_listing *now, const struct rt_listing *then)
{
    uint32_t j = 0;
    for (uint32_t i = 0; i < now->mapped_count; i++) {
        uint64_t lo = now->mapped[i].lo, hi = now->mapped[i].hi;
        for (; j < then->mapped_count && then->mapped[j].lo < hi; j++) {
            unmap_between(lo, then->mapped[j].lo);
            lo = then->mapped[j].hi > lo ? then->mapped[j].hi : lo;
            if (lo >= hi)
                break;
        }
        unmap_between(lo, hi);
    }
    memset(store->first, 0, sizeof store->first);
}

/* Libraries that were loaded since. To unload one is kept by the kernel (dlclose), and never put back. */
static void unload(const struct rt_listing *then)
{
    if (!list(&store->now))
        rt_fail("more memory is mapped than can be listed");
    unmap_others(&store->now, then);
}

/* What malloc has not given out is zero. */
void rt_restore(uint32_t number)
{
    uint64_t used[MAX_PROCESSES];
    int heaps = rt_core->heaps, contexts = rt_contexts_end;
    if (!store || number >= MAX_SNAPSHOTS || !store->end[number])
        rt_fail(RT_DISAGREE);
    const struct rt_listing *listing = &store->listings[store->listed[number]];
    if (listing->libraries != rt_count_libraries())
        unload(listing);
    for (int i = 0; i < heaps; i++)
        if ((used[i] = rt_heap_used(i)))
            *(uint64_t *)heap_at(i) = 0;
    rt_stacks_open();
    copy_back(number);
    rt_stacks_close();
    if (contexts > rt_contexts_end)
        memset(&rt_contexts[rt_contexts_end], 0, (size_t)(contexts - rt_contexts_end) * sizeof *rt_contexts);
    for (int i = 0; i < heaps; i++)
        if (used[i])
            zero(heap_at(i) + rt_heap_used(i), heap_at(i) + used[i]);
    for (int i = 0; i < rt_contexts_end; i++)
        rt_accesses_wipe(&rt_contexts[i]);
}

/* In the child of a fork: they are the parent's. */
void rt_snapshots_drop(void)
{
    if (!store)
        return;
    rt_pages_close(&store->pages);
    RT_SYS(SYS_munmap, store, store->bytes);
    store = NULL;
}
