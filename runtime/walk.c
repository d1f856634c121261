/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "walk.h"
#include "rt.h"
#include "sys.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#pragma GCC poison malloc calloc free printf

enum { PAGE = 4096, FEW_PAGES = 64 };

/* Bits of an entry of /proc/self/pagemap. */
#define IN_MEMORY (1ull << 63)
#define SWAPPED   (1ull << 62)
#define OF_FILE   (1ull << 61)

/* Linux 6.7 and later find the pages for us, which is the only way through the terabytes that a sanitizer maps. Their header is
 * not on every machine: these are the kernel's names in our words. */
enum { SCAN_FILE = 4, SCAN_IN_MEMORY = 8, SCAN_SWAPPED = 16, SCAN_ZERO = 32 };
struct scan {
    uint64_t size, flags, start, end, stopped, found, room, most, inverted, all_of, any_of, wanted;
};
struct scan_range { uint64_t start, end, kind; };
#define SCAN_IOCTL _IOWR('f', 16, struct scan)

struct region { uint64_t lo, hi, offset, inode; bool readable, writable, private, stack, kernels; };

static const char *hex(const char *p, uint64_t *value)
{
    for (*value = 0;; p++) {
        if (*p >= '0' && *p <= '9')      *value = *value << 4 | (uint64_t)(*p - '0');
        else if (*p >= 'a' && *p <= 'f') *value = *value << 4 | (uint64_t)(*p - 'a' + 10);
        else                             return p;
    }
}

static const char *decimal(const char *p, uint64_t *value)
{
    for (*value = 0; *p >= '0' && *p <= '9'; p++)
        *value = 10 * *value + (uint64_t)(*p - '0');
    return p;
}

/* A line of /proc/self/maps: lo-hi perms offset device inode name */
static struct region parse(const char *line, const char *end)
{
    struct region r = {0};
    const char *p = hex(line, &r.lo);
    p = hex(p + 1, &r.hi);
    r.readable = p[1] == 'r';
    r.writable = p[2] == 'w';
    r.private = p[4] == 'p';
    p = hex(p + 6, &r.offset) + 1;
    while (*p++ != ' ')
        ;
    decimal(p, &r.inode);
    const char *name = memchr(line, '[', (size_t)(end - line));
    r.stack = name && end - name == 7 && !memcmp(name, "[stack]", 7);
    r.kernels = name && name[1] == 'v' && !r.inode;      /* [vvar], [vdso]: the kernel's clocks and code */
    return r;
}

/* Do all pages count, touched or not? Not in memory of its own, where an untouched page is zero, nor in a mapped file that is
 * large or cannot be written, of which only what was changed counts. */
static bool all_count(const struct region *r)
{
    return r->inode && r->writable && (r->hi - r->lo) / PAGE <= FEW_PAGES;
}

static bool untouched(const struct region *r, uint64_t entry)
{
    return !all_count(r) && (!(entry & (IN_MEMORY | SWAPPED)) || (r->inode && entry & OF_FILE));
}

/* The touched pages of a region by the kernel's own search. False: this kernel has none. */
static bool scan_pages(const struct rt_walk *w, const struct region *r, int pagemap)
{
    struct scan_range *ranges = (struct scan_range *)rt->pages;
    uint64_t not = r->inode ? SCAN_ZERO | SCAN_FILE : SCAN_ZERO;
    struct scan scan = {.size = sizeof scan, .start = r->lo, .end = r->hi, .found = (uint64_t)ranges,
                        .room = sizeof rt->pages / (sizeof *ranges), .inverted = not, .all_of = not,
                        .any_of = SCAN_IN_MEMORY | SCAN_SWAPPED, .wanted = SCAN_IN_MEMORY};
    while (scan.start < r->hi) {
        long count = RT_SYS(SYS_ioctl, pagemap, SCAN_IOCTL, &scan);
        if (count < 0)
            return false;
        for (long i = 0; i < count; i++)
            for (uint64_t at = ranges[i].start; at < ranges[i].end; at += PAGE)
                w->page(w->self, at, PAGE);
        scan.start = scan.stopped;
    }
    return true;
}

static void look_at_pages(const struct rt_walk *w, const struct region *r, int pagemap)
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

static void walk_pages(const struct rt_walk *w, const struct region *r, int pagemap)
{
    if (all_count(r) || !scan_pages(w, r, pagemap))
        look_at_pages(w, r, pagemap);
}

static void walk_dead_stack(const struct rt_walk *w, struct region r, int pagemap)
{
    struct rt_walk below = {.self = w->self, .page = w->dead};
    r.hi = w->live_stack / PAGE * PAGE;
    walk_pages(&below, &r, pagemap);
    w->dead(w->self, r.hi, w->live_stack - r.hi);
}

/* What is left of the page where the live part begins, then whole pages. */
static void walk_stack(const struct rt_walk *w, struct region r, int pagemap)
{
    if (w->dead)
        walk_dead_stack(w, r, pagemap);
    uint64_t whole = (w->live_stack + PAGE - 1) / PAGE * PAGE;
    if (whole > w->live_stack)
        w->page(w->self, w->live_stack, whole - w->live_stack);
    r.lo = whole;
    walk_pages(w, &r, pagemap);
}

static void walk_region(struct rt_walk *w, const struct region *r, int pagemap)
{
    bool own = r->lo < (uint64_t)rt + sizeof *rt && r->hi > (uint64_t)rt;
    bool stack = r->stack && r->lo <= w->live_stack && w->live_stack < r->hi;
    if (!r->readable || !r->private || own || r->kernels)
        return;
    if (!w->page) {
        if (stack)
            walk_dead_stack(w, *r, pagemap);
        return;
    }
    if (r->inode && w->file)
        w->file(w->self, (uint64_t[4]){r->lo, r->hi, r->offset, r->inode});
    if (stack) {
        walk_stack(w, *r, pagemap);
        return;
    }
    if (r->writable && w->gap && r->lo != w->last)
        w->gap(w->self, w->last, r->lo);
    if (r->writable)
        w->last = r->hi;
    if (r->writable || w->file)
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
    if (got < 0)                     /* states would seem to be the same that are not */
        rt_fail("its memory cannot be looked at, because /proc/self/maps cannot be read: is /proc mounted, and may the program open one "
                "more file (see ulimit -n)?");
    if (w->gap)
        w->gap(w->self, w->last, 0);
    RT_SYS(SYS_close, pagemap);
    RT_SYS(SYS_close, maps);
}
