/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include "base/limits.h"

#include <assert.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void (*exhausted)(void *);
static void *exhausted_arg;

void memory_on_exhausted(void (*handler)(void *), void *arg)
{
    exhausted = handler;
    exhausted_arg = arg;
}

static void *or_end(void *got)
{
    if (got)
        return got;
    if (exhausted)
        exhausted(exhausted_arg);
    struct err err;
    fail(&err, "verisoft: out of memory");
    limits_of_memory(&err);
    strcat(err.text, "\n");
    _exit(write(2, err.text, strlen(err.text)) < 0 ? 134 : 2);
}

/* What is large comes from the kernel, which has zeroed it and gives a page when it is first touched: most of what is zeroed never is. Left
 * to itself the C library keeps what was large once, and zeroes all of it by hand the next time. */
__attribute__((constructor)) static void take_large_ones_from_the_kernel(void)
{
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 32 << 20);         /* which the first of these would leave at its least */
}

/* What is large grows by little: so a memory limit (search.h) is kept. To grow in place costs nothing there (mremap). */
enum { LARGE = 1 << 16 };

uint32_t memory_more(uint32_t room)
{
    if (room > UINT32_MAX / 2)
        or_end(NULL);
    uint32_t more = !room ? 16 : room < LARGE ? 2 * room : room + room / MEMORY_GROWS;
    assert(more > room);
    return more;
}

#ifdef __SANITIZE_ADDRESS__          /* whose allocator tells mallinfo nothing */
size_t __sanitizer_get_current_allocated_bytes(void);
uint64_t memory_held(void) { return __sanitizer_get_current_allocated_bytes(); }
#else
uint64_t memory_held(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#endif

void *memory_get(size_t bytes)
{
    return or_end(calloc(1, bytes ? bytes : 1));
}

char *memory_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(memory_resize(NULL, bytes), text, bytes);
}

void *memory_resize(void *old, size_t bytes)
{
    return or_end(realloc(old, bytes ? bytes : 1));
}
