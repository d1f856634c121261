/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

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
    static const char words[] = "verisoft: out of memory; see ulimit -v and ulimit -d\n";
    _exit(write(2, words, sizeof words - 1) < 0 ? 134 : 2);
}

void *memory_get(size_t bytes)
{
    return or_end(calloc(1, bytes ? bytes : 1));
}

void *memory_resize(void *old, size_t bytes)
{
    return or_end(realloc(old, bytes ? bytes : 1));
}
