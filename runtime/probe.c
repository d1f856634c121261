/* Is the C library as insides.h has it? Run when VeriSoft is built; says what is not, and ends with 1 then.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "insides.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

static int wrong;

static void must(bool so, const char *what)
{
    if (so)
        return;
    fprintf(stderr, "VeriSoft does not know this C library (glibc %s): %s\n", gnu_get_libc_version(), what);
    wrong = 1;
}

/* ---- marks ---- */

static pthread_mutex_t mutexes[] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
    PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
};

static void probe_mutexes(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t robust;
    for (int i = 0; i < 4; i++) {
        const struct rt_mutex_words *w = rt_mutex_words(&mutexes[i]);
        must(!w->mark && !w->count && !w->owner && !w->sign, "an initialised mutex is not empty");
        must((w->kind & RT_KIND_TYPE) == i && !(w->kind & RT_KIND_ROBUST), "a mutex has its kind elsewhere");
    }
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    must(rt_mutex_words(&robust)->kind & RT_KIND_ROBUST, "a robust mutex says so elsewhere");
    must(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t), "C11 has other mutexes than POSIX");
}

static void probe_marks(void)
{
    static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
    must(!*rt_cond_mark(&cond), "an initialised condition variable is not empty");
    must(!*rt_rwlock_mark(&rwlock), "an initialised reader-writer lock is not empty");
    static pthread_rwlock_t in_turn = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    must(rt_rwlock_is_in_turn(&in_turn) && !rt_rwlock_is_in_turn(&rwlock), "a reader-writer lock that prefers writers says so elsewhere");
}

static void nothing(void) { }

static void probe_once(void)
{
    pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, nothing);
    must(once & RT_ONCE_DONE, "pthread_once_t says otherwise that it is done");
}

/* ---- threads ---- */

static void probe_block(void)
{
    const char *block = __builtin_thread_pointer();
    bool found = false;
    must(*(const void *const *)(block + RT_TCB_SELF) == block && *(const void *const *)(block + RT_TCB_POINTER) == block
         && (const char *)pthread_self() == block, "a thread's control block is not where its pthread_t says");
    for (int at = 0; at < RT_TCB_ID_BELOW; at += 8)
        found |= *(const int32_t *)(block + at) == (int32_t)syscall(SYS_gettid);
    must(found, "a thread's control block does not hold its id");
}

static void probe_functions(void)
{
    static const char *const names[] = { RT_TLS_INFO, RT_TLS_ALLOCATE, RT_TLS_FREE, RT_CTYPE_INIT, RT_BLOCK_SIZE };
    char words[200];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(words, sizeof words, "it has no %s", names[i]);
        must(dlsym(RTLD_DEFAULT, names[i]), words);
    }
    const uint32_t *size = dlsym(RTLD_DEFAULT, RT_BLOCK_SIZE);
    rt_tls_info_t *tls_info = (rt_tls_info_t *)dlsym(RTLD_DEFAULT, RT_TLS_INFO);
    size_t bytes = 0, alignment = 0;
    if (tls_info)
        tls_info(&bytes, &alignment);
    must(size && *size >= RT_TCB_FEATURES + 8 && *size < bytes && alignment && !(alignment & (alignment - 1)),
         "it says otherwise how large a thread's control block is");
    must(__libc_stack_end > (char *)&words, "__libc_stack_end is not the end of the stack");
}

static void probe_attributes(void)
{
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    pthread_attr_init(&attributes);
    pthread_attr_getstack(&attributes, &lowest, &size);
    must(rt_is_no_stack(lowest, size), "pthread_attr_t says otherwise that it has no stack");
}

/* ---- cleanup handlers, jumps, streams ---- */

static int called;
static void call(void *by) { called += *(int *)by; }

static void probe_jumps(void)
{
    enum { OURS = 0x5eed, NEAR = 4096 };
    sigjmp_buf with, without;
    memset(&with, 0, sizeof with);
    memset(&without, 0, sizeof without);
    *rt_jump_mask(with) = OURS;
    (void)sigsetjmp(with, 1);
    (void)sigsetjmp(without, 0);
    must(rt_jump_has_mask(with) && !rt_jump_has_mask(without), "sigsetjmp says otherwise whether it keeps the mask");
    must((const char *)&with - rt_jump_stack(with) < NEAR && rt_jump_stack(with) < (const char *)__builtin_frame_address(0),
         "sigsetjmp keeps the stack's end elsewhere");
    must(*rt_jump_mask(with) == OURS, "sigsetjmp uses all of the set in which it keeps the mask");
}

static void probe_handlers(void)
{
    rt_routine_t outer, inner;
    int one = 1;
    rt_routine_set(&outer, call, &one, NULL);
    rt_routine_set(&inner, call, &one, &outer);
    rt_routine_call(rt_routine_outer(&inner));
    must(called == 1, "cleanup handlers are kept otherwise");
    must(*rt_stream_number(stdin) == fileno(stdin) && *rt_stream_number(stderr) == fileno(stderr), "a stream has its number elsewhere");
}

/* ---- malloc ---- */

static void probe_malloc(void)
{
    uint64_t *volatile small = malloc(24), *volatile large = malloc(10 << 20);
    must(small && rt_is_libc_block(small, (uint64_t)sbrk(0)), "malloc has blocks of another form");
    must(large && rt_is_libc_block(large, (uint64_t)sbrk(0)), "malloc has large blocks of another form");
    small[RT_FREE_KEY] = 0;
    free(small);
    must(((volatile uint64_t *)small)[RT_FREE_KEY] >> 32, "malloc marks free blocks otherwise");
    free(large);
}

int main(void)
{
    probe_mutexes();
    probe_marks();
    probe_once();
    probe_block();
    probe_functions();
    probe_attributes();
    probe_jumps();
    probe_handlers();
    probe_malloc();
    if (wrong)
        fprintf(stderr, "It is written for glibc %d.%d to %d.%d; runtime/insides.h has to learn this one.\n", RT_LIBC_MAJOR,
                RT_LIBC_OLDEST, RT_LIBC_MAJOR, RT_LIBC_NEWEST);
    else if (!rt_libc_is_known(gnu_get_libc_version()))
        fprintf(stderr, "VeriSoft was never tried with glibc %s (%d.%d to %d.%d it knows). All that it relies on was looked at, and is so; "
                "make check tells the rest.\n", gnu_get_libc_version(), RT_LIBC_MAJOR, RT_LIBC_OLDEST, RT_LIBC_MAJOR, RT_LIBC_NEWEST);
    return wrong;
}
