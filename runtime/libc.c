/* What differs from one start of a program to the next, or grows with its output, in the C library: made the same here,
 * once, before main. (insides.h says what is known of the library.)
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "insides.h"
#include "sys.h"
#include "walk.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

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

/* malloc marks each free block with a random number, which older libraries draw at its first call, newer ones before main. 0: there is none. */
static uint64_t free_key(void)
{
    uint64_t *volatile block = malloc(24);
    if (!block)
        return 0;
    block[RT_FREE_KEY] = 0;
    free((void *)block);
    uint64_t key = ((volatile uint64_t *)block)[RT_FREE_KEY];
    return key >> 32 ? key : 0;
}

/* A group has a malloc of its own, and memory is to be as if the library's had never been called: so a child calls it. */
static uint64_t free_key_by_child(void)
{
    uint64_t *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED)
        rt_fail(RT_NO_MEMORY);
    long child = RT_SYS(SYS_clone, 0, 0, 0, 0, 0);
    if (child <= 0)                                      /* refused: then in this process */
        *told = free_key();
    if (child == 0)
        rt_die(0);
    while (child > 0 && RT_SYS(SYS_wait4, child, 0, __WALL, 0) == -EINTR)
        ;
    uint64_t key = *told;
    munmap(told, sizeof *told);
    return key;
}

static void steady_malloc(void)
{
    uint64_t key = rt->wire->group & GROUP_ON ? free_key_by_child() : free_key();
    struct rt_walk walk = {.self = &key, .page = replace_word};
    if (key)
        rt_walk(&walk);
}

void rt_steady_libc(void)
{
    steady_thread_id();
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
