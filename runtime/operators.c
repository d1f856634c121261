/* new and delete of C++, where a library brings an allocator of its own (tcmalloc, jemalloc): it has both, and malloc, too; in a group
 * malloc is ours (heap.c), and so these have to be. Everywhere else they are whoever's they were, and end in malloc.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "insides.h"
#include "rt.h"

#include <dlfcn.h>
#include <stdlib.h>

#define RT_WEAK __attribute__((visibility("default"), weak, noinline, used))     /* the program may have its own */

static bool malloc_is_foreign(void)
{
    static enum { UNKNOWN, FOREIGN, PLAIN } malloc_is;
    if (malloc_is == UNKNOWN)
        malloc_is = rt_next("malloc") == rt_next("__libc_malloc") ? PLAIN : FOREIGN;
    return malloc_is == FOREIGN;
}

static bool is_foreign(void)
{
    RT_BY_GROUP(bool, malloc, (), DO(false), DO(malloc_is_foreign()))
}

/* NULL: as the other one says it, by an exception, say. */
static void *get(size_t size, size_t alignment)
{
    return !is_foreign() ? NULL : alignment ? aligned_alloc(alignment, size) : malloc(size);
}

static bool put(void *p)
{
    if (!is_foreign())
        return false;
    free(p);
    return true;
}

/* A library of C++ that a program in C opens for its own use is not among those that come next. */
static void *next_operator(const char *name)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1", "libc++.so.1"};
    void *function = dlsym(RTLD_NEXT, name);
    for (unsigned i = 0; i < sizeof libraries / sizeof *libraries && !function; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
        function = library ? dlsym(library, name) : NULL;
    }
    return function ? function : rt_next(name);
}

/* name, further parameters, how they are passed on, alignment */
#define NEW(name, types, words, alignment) \
    void *name(size_t size types); \
    RT_WEAK void *name(size_t size types) \
    { \
        static void *(*next)(size_t types); \
        void *got = get(size, alignment); \
        if (!got && !next) \
            next = (void *(*)(size_t types))next_operator(#name); \
        return got ? got : next(size words); \
    }
#define DELETE(name, types, words) \
    void name(void *p types); \
    RT_WEAK void name(void *p types) \
    { \
        static void (*next)(void * types); \
        if (put(p)) \
            return; \
        if (!next) \
            next = (void (*)(void * types))next_operator(#name); \
        next(p words); \
    }
#define AND ,

NEW(_Znwm, , , 0)
NEW(_Znam, , , 0)
NEW(_ZnwmRKSt9nothrow_t, AND const void *how, AND how, 0)
NEW(_ZnamRKSt9nothrow_t, AND const void *how, AND how, 0)
NEW(_ZnwmSt11align_val_t, AND size_t alignment, AND alignment, alignment)
NEW(_ZnamSt11align_val_t, AND size_t alignment, AND alignment, alignment)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, AND size_t alignment AND const void *how, AND alignment AND how, alignment)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, AND size_t alignment AND const void *how, AND alignment AND how, alignment)
DELETE(_ZdlPv, , )
DELETE(_ZdaPv, , )
DELETE(_ZdlPvm, AND size_t size, AND size)
DELETE(_ZdaPvm, AND size_t size, AND size)
DELETE(_ZdlPvRKSt9nothrow_t, AND const void *how, AND how)
DELETE(_ZdaPvRKSt9nothrow_t, AND const void *how, AND how)
DELETE(_ZdlPvSt11align_val_t, AND size_t alignment, AND alignment)
DELETE(_ZdaPvSt11align_val_t, AND size_t alignment, AND alignment)
DELETE(_ZdlPvmSt11align_val_t, AND size_t size AND size_t alignment, AND size AND alignment)
DELETE(_ZdaPvmSt11align_val_t, AND size_t size AND size_t alignment, AND size AND alignment)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, AND size_t alignment AND const void *how, AND alignment AND how)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, AND size_t alignment AND const void *how, AND alignment AND how)
