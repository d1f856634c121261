/* What differs from one start of a program to the next, or grows with its output, inside the C library: made the same here,
 * once, before main. (insides.h says what is known of the library.)
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "insides.h"
#include "sys.h"
#include "walk.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t thread_id_at;

uint64_t rt_thread_id_at(void)
{
    return thread_id_at;
}

/* The thread block holds the kernel's thread id. Only a thread's own locks look at it, so any constant will do. */
static void steady_thread_id(void)
{
    int32_t *block = __builtin_thread_pointer(), id = (int32_t)RT_SYS(SYS_gettid);
    for (unsigned i = 0; i < RT_TCB_ID_BELOW / sizeof *block; i += 2)
        if (block[i] == id) {
            block[i] = FIRST_PID;
            thread_id_at = i * sizeof *block;
            return;
        }
}

static void replace_word(void *key, uint64_t at, uint64_t bytes)
{
    for (uint64_t *p = (uint64_t *)at; bytes >= 8; p++, bytes -= 8)
        if (*p == *(uint64_t *)key)
            *p = 0x5eed5eed5eed5eed;
}

/* malloc marks each free chunk with a random number, drawn at its first call. */
static void steady_malloc(void)
{
    uint64_t *volatile chunk = malloc(24);
    if (!chunk)
        return;
    chunk[RT_FREE_KEY] = 0;
    free((void *)chunk);
    uint64_t key = ((volatile uint64_t *)chunk)[RT_FREE_KEY];
    struct rt_walk walk = {.self = &key, .page = replace_word};
    if (key >> 32)
        rt_walk(&walk);
}

void rt_steady_libc(void)
{
    steady_thread_id();
    if (!(rt->wire->group & GROUP_ON))                   /* a group has its own malloc */
        steady_malloc();
    setvbuf(stdout, NULL, _IONBF, 0);
    setvbuf(stderr, NULL, _IONBF, 0);
    rt->written[0] = rt_stream_written(stdout);
    rt->written[1] = rt_stream_written(stderr);
}

static _Noreturn void miss(const char *name)
{
    static const char words[] = "neither the C library nor another one has this function, which the program, or the runtime for it, calls: ";
    char text[sizeof words + 64] = "";
    uint32_t length = rt_length(name, 63);
    memcpy(text, words, sizeof words - 1);
    memcpy(text + sizeof words - 1, name, length);
    rt_fail(text);
}

void *rt_next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        miss(name);
    return function;
}
