/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "mapped.h"
#include "group.h"
#include "insides.h"
#include "sys.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#pragma GCC poison malloc calloc free printf

enum { PAGE = 4096 };
enum { FIRST_FILE = 900 };           /* out of the way of the program's files */

/* Bits of an entry of /proc/self/pagemap. */
#define TOUCHED  (3ull << 62)
#define OF_FILE  (1ull << 61)

#define OURS_LO UINT64_C(0x200000000000)
#define OURS_HI UINT64_C(0x300000000000)

/* ---- what is mapped ---- */

static const char *hex(const char *p, uint64_t *value)
{
    for (*value = 0;; p++) {
        if (*p >= '0' && *p <= '9')      *value = *value << 4 | (uint64_t)(*p - '0');
        else if (*p >= 'a' && *p <= 'f') *value = *value << 4 | (uint64_t)(*p - 'a' + 10);
        else                             return p;
    }
}

static void add(struct rt_region *regions, uint32_t *count, struct rt_region r)
{
    if (*count && *count <= RT_MAX_REGIONS && regions[*count - 1].hi == r.lo && regions[*count - 1].file == r.file)
        regions[*count - 1].hi = r.hi;
    else if ((*count)++ < RT_MAX_REGIONS)
        regions[*count - 1] = r;
}

static bool has_inode(const char *line)                  /* lo-hi rwxp offset device inode ... */
{
    for (int blanks = 0; blanks < 4; line++)
        blanks += *line == ' ';
    return *line != '0';
}

static void add_line(struct rt_listing *to, const char *line)    /* lo-hi rwxp ... */
{
    struct rt_region r = {.file = has_inode(line)};
    const char *p = hex(hex(line, &r.lo) + 1, &r.hi) + 1;
    bool stack = r.lo <= (uint64_t)__libc_stack_end && (uint64_t)__libc_stack_end < r.hi;
    bool own = (r.lo >= OURS_LO && r.lo < OURS_HI) || (r.lo <= (uint64_t)rt && (uint64_t)rt < r.hi);
    if (stack)
        to->stack_hi = r.hi;
    if (own || stack)
        return;
    add(to->mapped, &to->mapped_count, r);
    if (p[0] == 'r' && p[1] == 'w' && p[3] == 'p')
        add(to->regions, &to->regions_count, r);
}

uint32_t rt_count_libraries(void)
{
    uint32_t count = 0;
    for (struct link_map *map = _r_debug.r_map; map; map = map->l_next)
        count++;
    return count;
}

bool rt_list(struct rt_listing *to, char *text, char *most)
{
    char *end = text;
    long maps = RT_SYS(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0), got;
    while ((got = RT_SYS(SYS_read, maps, end, most - end)) > 0)
        end += got;
    RT_SYS(SYS_close, maps);
    to->regions_count = to->mapped_count = 0;
    for (char *line = text, *stop; line < end && (stop = memchr(line, '\n', (size_t)(end - line))); line = stop + 1)
        add_line(to, line);
    memset(text, 0, (size_t)(end - text));
    to->libraries = rt_count_libraries();
    return got == 0 && end > text && end < most && to->mapped_count <= RT_MAX_REGIONS && to->regions_count <= RT_MAX_REGIONS;
}

/* ---- which pages were touched ---- */

void rt_pages_open(struct rt_pages *p)
{
    long file = RT_SYS(SYS_openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
    p->file = file < 0 ? file : RT_SYS(SYS_fcntl, file, F_DUPFD_CLOEXEC, FIRST_FILE);
    if (file >= 0)
        RT_SYS(SYS_close, file);
    rt_pages_anew(p);
}

void rt_pages_close(struct rt_pages *p)
{
    RT_SYS(SYS_close, p->file);
}

void rt_pages_anew(struct rt_pages *p) { p->known = p->known_end = 0; }

bool rt_is_touched(struct rt_pages *p, uint64_t at, uint64_t end)
{
    uint64_t page = at / PAGE, pages = (end - at + PAGE - 1) / PAGE;
    if (page - p->known >= p->known_end - p->known) {
        p->known = page;
        p->known_end = page + (pages < RT_ENTRIES ? pages : RT_ENTRIES);
        if (RT_SYS(SYS_pread64, p->file, p->entries, (p->known_end - page) * 8, page * 8) <= 0)
            memset(p->entries, 0x80, sizeof p->entries);
    }
    uint64_t entry = p->entries[page - p->known];
    return entry & TOUCHED && !(entry & OF_FILE);
}

uint64_t rt_pages_skip(struct rt_pages *p, uint64_t at, uint64_t hi, bool touched)
{
    while (at < hi && rt_is_touched(p, at, hi) == touched)
        at += PAGE;
    return at;
}
