/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include "base/limits.h"

#include <assert.h>
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

uint32_t memory_more(uint32_t room)
{
    if (room > UINT32_MAX / 2)
        or_end(NULL);
    uint32_t more = room ? 2 * room : 16;
    assert(more > room);
    return more;
}

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
