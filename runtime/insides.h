/* What the runtime knows of the insides of the GNU C library on x86-64: all of it stands here, and in libc.c, which uses most of it; and
 * of the library of C++, which says in each call of which version it is.
 *
 * probe.c tries it when VeriSoft is built, on the library that is there, and stops the build where one thing is not so.
 * SPDX-License-Identifier: MIT */
#ifndef RT_INSIDES_H
#define RT_INSIDES_H

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifndef __GLIBC__
#error "VeriSoft needs the GNU C library: runtime/insides.h says what it knows of it"
#endif

/* Versions that the probe has seen; with others it says that they are new to it. */
enum { RT_LIBC_MAJOR = 2, RT_LIBC_OLDEST = 36, RT_LIBC_NEWEST = 43 };

static inline int rt_number_in(const char **text)                /* and steps over it */
{
    int n = 0;
    for (; **text >= '0' && **text <= '9' && n < 1000; ++*text)
        n = 10 * n + **text - '0';
    return n;
}

static inline int rt_libc_is_known(const char *version)          /* as gnu_get_libc_version has it: "2.36" */
{
    int major = rt_number_in(&version), minor = *version == '.' ? (version++, rt_number_in(&version)) : 0;
    return major == RT_LIBC_MAJOR && minor >= RT_LIBC_OLDEST && minor <= RT_LIBC_NEWEST;
}

static inline int rt_libc_was_probed(const char *version)        /* it is the one with which VeriSoft was built */
{
    int major = rt_number_in(&version), minor = *version == '.' ? (version++, rt_number_in(&version)) : 0;
    return major == __GLIBC__ && minor == __GLIBC_MINOR__;
}

/* ---- words of the library's objects that the runtime uses for its own ends, in a group, where the library does not see them ---- */

/* A static initialiser leaves 0 in all of them but the kind, which is the library's: */
struct rt_mutex_words {
    uint32_t mark;                   /* sync.h */
    uint32_t count;                  /* how often its holder locked it */
    int32_t  owner;                  /* 1 + the holder */
    uint32_t sign;                   /* of the holder's thread, by which the child of a fork knows whether it is the one */
    int32_t  kind;
};
enum { RT_KIND_TYPE = 3, RT_KIND_ADAPTIVE = 3, RT_KIND_ROBUST = 16 };        /* 0, 1, 2: normal, recursive, errorcheck */
/* Bits of a kind: besides those, protocols, sharing and elision, and a ceiling of priorities. Any other was never initialised. */
enum { RT_KIND_FLAGS = 0x3ff, RT_KIND_PROTECT = 64 };
#define RT_KIND_CEILING 0xfff80000u
_Static_assert(offsetof(pthread_mutex_t, __data.__kind) == offsetof(struct rt_mutex_words, kind), "a mutex of the C library");

struct rt_mark_word { uint32_t mark; };                  /* of a condition variable, and of a reader-writer lock */

static inline struct rt_mutex_words *rt_mutex_words(pthread_mutex_t *m) { return (struct rt_mutex_words *)m; }
static inline int rt_mutex_is_locked(const pthread_mutex_t *m) { return m->__data.__lock != 0; }     /* as the library has it */
static inline uint32_t *rt_mutex_mark(pthread_mutex_t *m)   { return &rt_mutex_words(m)->mark; }
static inline int rt_mutex_is_garbage(pthread_mutex_t *m)
{
    uint32_t kind = (uint32_t)rt_mutex_words(m)->kind;
    return (kind & ~(RT_KIND_FLAGS | (kind & RT_KIND_PROTECT ? RT_KIND_CEILING : 0))) != 0;
}

/* As initialisers leave it nobody waits for it, which is what is above the flags. */
static inline int rt_cond_is_garbage(const pthread_cond_t *c) { return c->__data.__wrefs >> 3 != 0; }

static inline uint32_t *rt_cond_mark(pthread_cond_t *c)     { return &((struct rt_mark_word *)c)->mark; }
static inline uint32_t *rt_rwlock_mark(pthread_rwlock_t *l) { return &((struct rt_mark_word *)l)->mark; }

/* Does nobody come in to read while somebody waits to write? */
static inline int rt_rwlock_is_in_turn(const pthread_rwlock_t *l) { return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; }

enum { RT_ONCE_DONE = 2 };           /* the bit of a pthread_once_t whose function the library has called */

/* What the runtime keeps in a barrier and in a semaphore. */
struct rt_barrier_words { uint32_t mark; int32_t count; };
struct rt_counter_words { uint32_t mark; int32_t value; };       /* the value is for the child of a fork */
_Static_assert(sizeof(struct rt_barrier_words) <= sizeof(pthread_barrier_t) && sizeof(struct rt_counter_words) <= sizeof(sem_t),
               "they have room for it");

/* ---- cleanup handlers ---- */

/* A handler that C code pushed: the words of its buffer that are the library's own, and the runtime's in a group. The buffer begins
 * with what longjmp needs. */
enum { RT_BUFFER_PREVIOUS, RT_BUFFER_ROUTINES, RT_BUFFER_CANCEL_TYPE, RT_BUFFER_FRAME, RT_BUFFER_WORDS };
_Static_assert(sizeof ((__pthread_unwind_buf_t *)0)->__pad == RT_BUFFER_WORDS * sizeof(void *), "a buffer of the C library");
_Static_assert(offsetof(__pthread_unwind_buf_t, __cancel_jmp_buf) == 0 && offsetof(struct __jmp_buf_tag, __jmpbuf) == 0,
               "registers come first");
static inline void **rt_buffer_words(__pthread_unwind_buf_t *b) { return b->__pad; }

/* The older kind, without a jump. */
typedef struct _pthread_cleanup_buffer rt_routine_t;
static inline rt_routine_t *rt_routine_outer(const rt_routine_t *r) { return r->__prev; }
static inline void rt_routine_call(const rt_routine_t *r) { r->__routine(r->__arg); }
static inline void rt_routine_set(rt_routine_t *r, void (*routine)(void *), void *arg, rt_routine_t *outer)
{
    *r = (rt_routine_t){.__routine = routine, .__arg = arg, .__prev = outer};
}

extern void __call_tls_dtors(void) __attribute__((weak));        /* destructors of C++ thread_local objects */

/* ---- a thread control block ---- */

/* Offsets; the first four are a part of the ABI that compilers rely on. */
enum { RT_TCB_SELF = 0, RT_TCB_POINTER = 16, RT_TCB_STACK_GUARD = 0x28, RT_TCB_POINTER_GUARD = 0x30, RT_TCB_FEATURES = 0x48 };
enum { RT_TCB_ID_BELOW = 1024 };     /* the kernel's thread id is found below this offset, at a multiple of 8 */
enum { RT_TCB_LISTS = 64 };          /* so far behind it are pointers to the block itself: the list of robust locks, which is empty */

/* By this the library tells others that they need no locks and wake nobody; older ones do not have it. */
extern char __libc_single_threaded __attribute__((weak));

/* Functions of the dynamic linker for threads, and the size of the block, as debuggers ask for it. */
#define RT_TLS_INFO      "_dl_get_tls_static_info"
#define RT_TLS_ALLOCATE  "_dl_allocate_tls"
#define RT_TLS_FREE      "_dl_deallocate_tls"
#define RT_CTYPE_INIT    "__ctype_init"
#define RT_BLOCK_SIZE    "_thread_db_sizeof_pthread"
typedef void  rt_tls_info_t(size_t *bytes, size_t *alignment);
typedef void *rt_tls_allocate_t(void *block);
typedef void  rt_tls_free_t(void *block, _Bool with_block);
typedef void  rt_ctype_init_t(void);
extern char  *__libc_stack_end;

/* ---- jumps and streams ---- */

/* Whether a jump puts back what was blocked; and room for our own mask: the last word of the set that the library keeps, of which the
 * kernel only ever writes the first. */
static inline int rt_jump_has_mask(const struct __jmp_buf_tag *j) { return j->__mask_was_saved; }
static inline unsigned long *rt_jump_mask(struct __jmp_buf_tag *j)
{
    enum { WORDS = sizeof(sigset_t) / sizeof(unsigned long) };
    return &j->__saved_mask.__val[WORDS - 1];
}

/* Where the stack of whoever is jumped to ends. The library keeps it turned and mixed with a number of the thread's own. */
static inline const char *rt_jump_stack(const struct __jmp_buf_tag *j)
{
    enum { STACK_POINTER = 6, TURNED = 17 };
    uint64_t kept = (uint64_t)j->__jmpbuf[STACK_POINTER], guard;
    __asm__("movq %%fs:%c1, %0" : "=r"(guard) : "i"(RT_TCB_POINTER_GUARD));
    return (const char *)((kept >> TURNED | kept << (64 - TURNED)) ^ guard);
}

static inline int *rt_stream_number(FILE *f) { return &f->_fileno; }     /* of its file; below 0: it has none */

/* How many bytes were ever written to it: newer libraries count them, where older ones have nothing but zeros. */
static inline uint64_t *rt_stream_written(FILE *f) { return (uint64_t *)((char *)&f->_mode + 8); }
_Static_assert(offsetof(FILE, _mode) % 8 == 0 && offsetof(FILE, _mode) + 16 <= sizeof(FILE), "room for what is written");

/* ---- malloc ---- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void  __libc_free(void *);

/* Could it be a block of the library's? They lie below the break, behind a word with their size; or they are mapped on their own, with
 * a mark in that word, behind one that tells how far it is to the page. */
static inline int rt_is_libc_block(const void *p, uint64_t brk)
{
    enum { UNIT = 16, PAGE = 4096, MAPPED = 2 };
    if ((uint64_t)p % UNIT)
        return 0;
    uint64_t size = ((const uint64_t *)p)[-1], left = brk - (uint64_t)p;
    int mapped = size & MAPPED && ((uint64_t)p - UNIT - ((const uint64_t *)p)[-2]) % PAGE == 0;
    return mapped || (left < 1 << 30 && size >= 2 * UNIT && size < left);
}

enum { RT_FREE_KEY = 1 };            /* which word of a small block holds, once it is free, a number drawn at the first call */

/* How a pthread_attr_t says that the program gave no stack. */
static inline int rt_is_no_stack(const void *lowest, size_t size) { return (uintptr_t)lowest + size == 0; }

/* ---- the library of C++ (GCC 16 and later) ---- */

/* How std::atomic::wait, latches, barriers and semaphores ask their library to wait. */
struct rt_cxx_wait {
    uint32_t    flags;
    int32_t     order;
    uint64_t    old;                 /* value of the object that is waited on */
    void       *state;               /* the library's */
    const void *object;
    uint8_t     bytes;               /* of the object; 0: it is of a kind for which another has to stand in */
};
enum { RT_CXX_TRACKS = 2, RT_CXX_SPINS = 4, RT_CXX_ONLY_SPINS = 8 };     /* flags; all others are of versions to come */

/* What they are told: a value; in the word above it whether that is one, and whether the time was over. */
typedef unsigned __int128 rt_cxx_waited_t;
enum { RT_CXX_HAS_VALUE = 1, RT_CXX_TIMEOUT = 2 };

#endif
