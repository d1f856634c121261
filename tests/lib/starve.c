/* Preloaded into a command, it refuses one allocation: number STARVE_AT, or with STARVE_ALL all from there on. Only those that the
 * command itself asks for count: libraries have their own ways with it, and what it starts is left alone.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static unsigned long count, at;
static bool all;
static pid_t first;
static uintptr_t low = UINTPTR_MAX, high;      /* where the command's own code is */

static int look_at(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, to = from + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X))
            continue;
        low = from < low ? from : low;
        high = to > high ? to : high;
    }
    return 1;                        /* the first one is the command */
}

__attribute__((constructor)) static void begin(void)
{
    dl_iterate_phdr(look_at, NULL);
    const char *number = getenv("STARVE_AT");
    at = number ? strtoul(number, NULL, 10) : 0;
    all = getenv("STARVE_ALL");
    first = getpid();
    unsetenv("LD_PRELOAD");
}

/* How many there were is told at the end, when none was refused. */
__attribute__((destructor)) static void end(void)
{
    const char *file = getenv("STARVE_COUNT");
    FILE *f = file && getpid() == first ? fopen(file, "w") : NULL;
    if (f) {
        fprintf(f, "%lu\n", count);
        fclose(f);
    }
}

static bool refuse(uintptr_t caller)
{
    if (caller < low || caller >= high || getpid() != first)
        return false;
    count++;
    if (!at || (all ? count < at : count != at))
        return false;
    errno = ENOMEM;
    return true;
}

#define REFUSED refuse((uintptr_t)__builtin_return_address(0))
void *malloc(size_t size)              { return REFUSED ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size)    { return REFUSED ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size)  { return REFUSED ? NULL : __libc_realloc(old, size); }
