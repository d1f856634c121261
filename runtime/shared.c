/* Memory that all UNIX processes of a group share, and its snapshots, which they share, too: whoever runs first in a batch
 * puts it back for all. With it goes the place in standard input, which they share by having inherited the open file.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "pack.h"
#include "sys.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#pragma GCC poison malloc calloc free printf

enum { ALIGNMENT = 64, PAGE = 4096, FEW_PAGES = 16, TABLES = 1 << 20, MOST_PAGES = RT_WINDOW / PAGE };

struct shared {                                          /* at the start of the memory */
    uint64_t used;                   /* bytes, this struct included */
    uint64_t tables;                 /* bytes at the upper end of the memory; 0 until they are first used */
};
struct stored {
    uint64_t      bytes;             /* mapped */
    uint64_t      at[MAX_SNAPSHOTS], end[MAX_SNAPSHOTS], pages[MAX_SNAPSHOTS];           /* end 0: no such snapshot */
    int64_t       input[MAX_SNAPSHOTS];                  /* how much of standard input had been read */
    unsigned char now[MOST_PAGES];   /* which pages of the memory are there */
};

static struct shared *shared;
static struct stored *stored;
static uint64_t       window;        /* bytes of the memory */

static uint64_t round_up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

void rt_shared_begin(void)
{
    window = rt_map_most(RT_SHARED_AT, RT_WINDOW, 2 * TABLES, MAP_SHARED);
    uint64_t bytes = rt_map_most(RT_STORED_AT, MAX_SNAPSHOTS * RT_WINDOW, 2 * sizeof *stored, MAP_SHARED);
    shared = (struct shared *)RT_SHARED_AT;
    stored = (struct stored *)RT_STORED_AT;
    stored->bytes = bytes;
    shared->used = ALIGNMENT;
}

void *rt_try_shared(size_t bytes)
{
    uint64_t at = shared->used;
    if (bytes > window - TABLES - at)
        return NULL;
    shared->used = round_up(at + bytes, ALIGNMENT);
    return (char *)shared + at;
}

void *rt_shared(size_t bytes)
{
    void *got = rt_try_shared(bytes);
    if (!got)
        rt_fail("no room for what the program's processes share");
    return got;
}

void *rt_shared_tables(size_t bytes)
{
    shared->tables = round_up(bytes, PAGE);
    return (char *)shared + window - shared->tables;
}

bool rt_is_shared(const void *p)
{
    return (uint64_t)p - RT_SHARED_AT < RT_WINDOW;
}

/* Where a snapshot of this number goes: behind the last before it. */
static uint64_t place_for(uint32_t number)
{
    for (uint32_t i = number; i-- > 0;)
        if (stored->end[i])
            return stored->end[i];
    return round_up(sizeof *stored, PAGE);
}

/* A snapshot is a byte for each page, odd: it is there; then pieces (pack.h) for these. A page that nobody ever touched is zero,
 * and not even there, so that large memory costs what is used of it. What each process has touched is no answer here: mincore
 * says which pages there are at all. */
static uint64_t pages_of(uint64_t used) { return round_up(used, PAGE) / PAGE; }
static uint64_t page(uint64_t i)        { return (uint64_t)shared + i * PAGE; }

static uint64_t tables(void)            { return (uint64_t)shared + window - shared->tables; }

static void look(uint64_t pages, unsigned char *there)
{
    if (pages <= FEW_PAGES || RT_SYS(SYS_mincore, shared, pages * PAGE, there) < 0)
        memset(there, 1, pages);
}

static uint64_t run(const unsigned char *there, uint64_t from, uint64_t pages)   /* where a run of such pages as the first ends */
{
    uint64_t end = from + 1;
    while (end < pages && (there[end] & 1) == (there[from] & 1))
        end++;
    return end;
}

void rt_shared_snapshot(uint32_t number)
{
    uint64_t at = place_for(number), pages = pages_of(shared->used), data = at + round_up(pages, ALIGNMENT);
    unsigned char *there = (unsigned char *)stored + at;
    char *next = (char *)stored + data;
    if (number >= MAX_SNAPSHOTS)
        rt_fail(RT_DISAGREE);
    for (uint32_t i = number; i < MAX_SNAPSHOTS; i++)
        stored->end[i] = 0;
    if (data > stored->bytes) {
        rt_kernel_keeps_state("no room for copies of the shared memory");   /* then nobody will want it back */
        return;
    }
    look(pages, there);
    for (uint64_t i = 0, end; i < pages; i = end) {
        end = run(there, i, pages);
        if (there[i] & 1)
            next = rt_pack(next, (char *)stored + stored->bytes, page(i), page(end));
    }
    next = next ? rt_pack(next, (char *)stored + stored->bytes, tables(), (uint64_t)shared + window) : NULL;
    if (!next) {
        rt_kernel_keeps_state("no room for copies of the shared memory");
        return;
    }
    stored->input[number] = rt->input ? RT_SYS(SYS_lseek, 0, 0, SEEK_CUR) : 0;
    stored->at[number] = at;
    stored->pages[number] = pages;
    stored->end[number] = (uint64_t)(next - (char *)stored);
}

/* What nobody has been given yet is zero, and so is what was not there. */
void rt_shared_restore(uint32_t number)
{
    if (number >= MAX_SNAPSHOTS || !stored->end[number])
        rt_fail(RT_DISAGREE);
    uint64_t pages = stored->pages[number], now = pages_of(shared->used), used = tables();
    const unsigned char *there = (unsigned char *)stored + stored->at[number];
    const char *next = (const char *)there + round_up(pages, ALIGNMENT), *end = (const char *)stored + stored->end[number];
    if (rt->input)
        RT_SYS(SYS_lseek, 0, stored->input[number], SEEK_SET);
    look(now, stored->now);
    while (next < end)
        next = rt_unpack((const struct rt_piece *)next);
    for (uint64_t i = 0; i < now; i++)
        if (stored->now[i] & 1 && (i >= pages || !(there[i] & 1)))
            memset((void *)page(i), 0, PAGE);
    if (tables() > used)
        memset((void *)used, 0, tables() - used);
}

uint64_t rt_shared_window(void) { return window; }

void rt_shared_each(void (*each)(uint64_t lo, uint64_t hi))
{
    uint64_t pages = pages_of(shared->used);
    look(pages, stored->now);
    for (uint64_t i = 0, end; i < pages; i = end) {
        end = run(stored->now, i, pages);
        if (stored->now[i] & 1)
            each(page(i), page(end));
    }
    if (shared->tables)
        each(tables(), (uint64_t)shared + window);
}
