/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "walk.h"
#include "rt.h"
#include "sys.h"

#include <fcntl.h>
#include <string.h>
#pragma GCC poison malloc calloc free printf

enum { PAGE = 4096, FEW_PAGES = 64 };

/* Bits of an entry of /proc/self/pagemap. */
#define IN_MEMORY (1ull << 63)
#define SWAPPED   (1ull << 62)
#define OF_FILE   (1ull << 61)

struct region { uint64_t lo, hi; bool writable, private, file, stack; };

static const char *hex(const char *p, uint64_t *value)
{
    for (*value = 0;; p++) {
        if (*p >= '0' && *p <= '9')      *value = *value << 4 | (uint64_t)(*p - '0');
        else if (*p >= 'a' && *p <= 'f') *value = *value << 4 | (uint64_t)(*p - 'a' + 10);
        else                             return p;
    }
}

/* A line of /proc/self/maps: lo-hi perms offset device inode name */
static struct region parse(const char *line, const char *end)
{
    struct region r = {0};
    const char *p = hex(line, &r.lo);
    p = hex(p + 1, &r.hi);
    r.writable = p[2] == 'w';
    r.private = p[4] == 'p';
    for (int spaces = 0; spaces < 4; p++)
        spaces += *p == ' ';
    r.file = *p != '0';
    r.stack = end - line > 7 && !memcmp(end - 7, "[stack]", 7);
    return r;
}

/* Can the page be skipped without a look? Never touched memory is zero; of a large mapped file only changed pages count. */
static bool untouched(const struct region *r, uint64_t entry)
{
    if (!r->file)
        return !(entry & (IN_MEMORY | SWAPPED));
    return (r->hi - r->lo) / PAGE > FEW_PAGES && (!(entry & (IN_MEMORY | SWAPPED)) || (entry & OF_FILE));
}

static void walk_pages(const struct rt_walk *w, const struct region *r, int pagemap)
{
    enum { BATCH = sizeof rt->pages / sizeof *rt->pages };
    for (uint64_t at = r->lo, i = BATCH; at < r->hi; at += PAGE, i++) {
        if (i == BATCH) {
            if (RT_SYS(SYS_pread64, pagemap, rt->pages, sizeof rt->pages, at / PAGE * 8) <= 0)
                memset(rt->pages, 0xff, sizeof rt->pages);       /* no such file here: look at every page */
            i = 0;
        }
        if (!untouched(r, rt->pages[i]))
            w->page(w->self, at, PAGE);
    }
}

/* What is left of the page where the live part begins, then whole pages. */
static void walk_stack(const struct rt_walk *w, struct region r, int pagemap)
{
    uint64_t whole = (w->live_stack + PAGE - 1) / PAGE * PAGE;
    if (whole > w->live_stack)
        w->page(w->self, w->live_stack, whole - w->live_stack);
    r.lo = whole;
    walk_pages(w, &r, pagemap);
}

static void walk_region(struct rt_walk *w, const struct region *r, int pagemap)
{
    bool own = r->lo < (uint64_t)rt + sizeof *rt && r->hi > (uint64_t)rt;
    if (!r->writable || !r->private || own)
        return;
    if (r->stack && r->lo <= w->live_stack && w->live_stack < r->hi) {
        walk_stack(w, *r, pagemap);
        return;
    }
    if (w->gap && r->lo != w->last)
        w->gap(w->self, w->last, r->lo);
    w->last = r->hi;
    walk_pages(w, r, pagemap);
}

/* Walks the whole lines among the `held` bytes of text, and keeps what is left of the last. */
static long walk_lines(struct rt_walk *w, char *text, long held, int pagemap)
{
    char *line = text, *stop = text + held, *end;
    while ((end = memchr(line, '\n', (size_t)(stop - line)))) {
        struct region r = parse(line, end);
        walk_region(w, &r, pagemap);
        line = end + 1;
    }
    memmove(text, line, (size_t)(stop - line));
    return stop - line;
}

void rt_walk(struct rt_walk *w)
{
    long maps = RT_SYS(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0), held = 0, got;
    long pagemap = RT_SYS(SYS_openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
    w->last = 0;
    while ((got = RT_SYS(SYS_read, maps, rt->lines + held, sizeof rt->lines - (size_t)held)) > 0)
        held = walk_lines(w, rt->lines, held + got, (int)pagemap);
    if (w->gap)
        w->gap(w->self, w->last, 0);
    RT_SYS(SYS_close, pagemap);
    RT_SYS(SYS_close, maps);
}
