/* What is mapped in this UNIX process, and which of its pages were touched: asking for these is cheaper than looking at them all.
 * SPDX-License-Identifier: MIT */
#ifndef RT_MAPPED_H
#define RT_MAPPED_H

#include <stdbool.h>
#include <stdint.h>

enum { RT_MAX_REGIONS = 1000, RT_ENTRIES = 2048 };

struct rt_region { uint64_t lo, hi; bool file; };        /* file: what is there was in a file before anybody wrote to it; else it was zero */

/* What is mapped, as long as no library is loaded. */
struct rt_listing {
    uint32_t         libraries;
    uint32_t         regions_count, mapped_count;
    uint64_t         stack_hi;       /* upper end of the kernel's stack */
    struct rt_region regions[RT_MAX_REGIONS];            /* private memory that can be written */
    struct rt_region mapped[RT_MAX_REGIONS];             /* all that is not the runtime's, nor the kernel's stack */
};

/* `text` to `end`: room to read it to, which is zero again then. False: it could not be listed. */
bool rt_list(struct rt_listing *, char *text, char *end);
uint32_t rt_count_libraries(void);                       /* that are loaded */

struct rt_pages {
    long     file;                   /* of /proc/self/pagemap; negative: there is none, and every page counts as touched */
    uint64_t known, known_end;       /* pages whose entries are here */
    uint64_t entries[RT_ENTRIES];
};

void rt_pages_open(struct rt_pages *);
void rt_pages_close(struct rt_pages *);
void rt_pages_anew(struct rt_pages *);                   /* the program has run since */
/* Not so a page of a mapped file that was only read. `end`: of what will be asked next. */
bool rt_is_touched(struct rt_pages *, uint64_t at, uint64_t end);
uint64_t rt_pages_skip(struct rt_pages *, uint64_t at, uint64_t hi, bool touched);       /* where a run of such pages ends */

#endif
