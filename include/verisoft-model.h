/* What the operations of threads and processes do in a model that `verisoft extract` has made of a program: locks, condition
 * variables, semaphores, queues, creation and end, memory. The default map (verisoft extract --default-map) leads to these functions; a
 * map of your own may, too. `me` is the thread that calls, from 0.
 *
 * The generated program defines, before it includes this: VS_THREADS, VS_HOSTS, VS_STACK, VS_HEAP, VS_SETS, VS_SEMS, VS_QUEUES,
 * VS_QUEUE, VS_MESSAGE, struct vs_globals, and struct vs_head, with which each frame begins. A host is a UNIX process. All that a state of the model is lies in vs_world; objects
 * of POSIX lie where the program has them, in their own bytes. With several hosts, what runs is copied to vs_here and back.
 *
 * Invariant: no function here keeps anything outside of vs_world and vs_here, but what it prints.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

struct vs_thread {
    short used, done, detached, host, stack;
    short entry;                     /* where it begins: a label of the model */
    short born;                      /* 1 + a thread that it made and that nobody runs yet */
    short back, called;              /* where to go when a function returns; which function is called */
    int   frame;                     /* of the function that runs, from the bottom of its stack */
    int   choice, saved, error;      /* of VS_toss and its like; of an operation in several steps; errno */
    void *value;                     /* what it returned */
};

struct vs_host { short used, ended, waited, parent; int status; };

struct vs_image {                    /* the memory of a UNIX process */
    struct vs_globals g;
    _Alignas(16) char stacks[VS_THREADS][VS_STACK];
#if VS_HEAP
    _Alignas(16) char heap[VS_HEAP];
#endif
};

struct vs_world_type {
    short wrong, cut;                /* something is wrong; a limit was reached */
    short moved;                     /* where progress is looked for: the last who went did so by an operation */
    short rounds;                    /* of loops in the transition under way; 0 between two */
    struct vs_thread t[VS_THREADS];
    struct vs_host   h[VS_HOSTS];
#if VS_SETS
    short set_count, set_size[VS_SETS];
    int   set[VS_SETS][VS_SEMS];
#endif
#if VS_QUEUES
    short queue_count;
    struct { short size, count; char text[VS_QUEUE][VS_MESSAGE]; } queue[VS_QUEUES];
#endif
    struct vs_image image[VS_HOSTS];
} vs_world;

#define VS_DIGIT(n) (char)('0' + sizeof vs_world / (n) % 10)
const char vs_size[] = { 'v', 's', '-', 's', 'i', 'z', 'e', '=', VS_DIGIT(1000000000), VS_DIGIT(100000000), VS_DIGIT(10000000), VS_DIGIT(1000000),
                         VS_DIGIT(100000), VS_DIGIT(10000), VS_DIGIT(1000), VS_DIGIT(100), VS_DIGIT(10), VS_DIGIT(1), '\n' };  /* read from the object file */
extern int vs_on[], vs_off[];        /* of each feature: may it be on, or off? */

#if VS_HOSTS > 1
struct vs_image vs_here;
#else
#define vs_here vs_world.image[0]
#endif

static char vs_what[400];            /* what is wrong, in words */
static int  vs_mode, vs_telling;     /* what is looked for (d: deadlocks, a: what is wrong, p: progress); is a trail replayed? */

__attribute__((constructor)) static void vs_settings(void)
{
    const char *mode = getenv("VS_MODE");
    vs_mode = mode ? *mode : 0;
    vs_telling = getenv("VS_TELL") != NULL;
}

/* ---- what goes wrong ---- */

static void vs_wrong(const char *what, const char *more)
{
    if (vs_world.wrong)
        return;
    vs_world.wrong = 1;
    snprintf(vs_what, sizeof vs_what, "%s%s%s", what, *more ? ": " : "", more);
    if (vs_telling)
        printf("vs-wrong %s\n", vs_what);
}

/* What the model has no room for is said, and not searched. */
static void vs_limit(const char *what)
{
    static char told[200];
    vs_world.cut = 1;
    if (strcmp(told, what))
        printf("vs-limit %s\n", what);
    snprintf(told, sizeof told, "%s", what);
}

static sigjmp_buf vs_before;
static volatile sig_atomic_t vs_before_set;

static void vs_faulted(int number)
{
    if (!vs_before_set) {
        signal(number, SIG_DFL);
        raise(number);
    }
    siglongjmp(vs_before, number);
}

static char vs_second_stack[65536];

static void vs_catch(void)
{
    static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
    stack_t stack = { .ss_sp = vs_second_stack, .ss_size = sizeof vs_second_stack };
    sigaltstack(&stack, NULL);
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct sigaction act = { .sa_handler = vs_faulted, .sa_flags = SA_NODEFER | SA_ONSTACK };
        sigaction(faults[i], &act, NULL);
    }
}

static const char *vs_fault(int number)
{
    return number == SIGFPE ? "division by zero" : number == SIGILL ? "illegal instruction" : "memory fault";
}

static int vs_over(int me)           /* nothing more is done by it */
{
    return vs_world.wrong || vs_world.cut || vs_world.h[vs_world.t[me].host].ended;
}

/* ---- memory ---- */

static void vs_enter(int me)
{
#if VS_HOSTS > 1
    memcpy(&vs_here, &vs_world.image[vs_world.t[me].host], sizeof vs_here);
#endif
    (void)me;
}

static void vs_leave(int me)
{
#if VS_HOSTS > 1
    memcpy(&vs_world.image[vs_world.t[me].host], &vs_here, sizeof vs_here);
#endif
    (void)me;
}

static int vs_round(unsigned long size) { return (int)((size + 15) & ~15ul); }

static void *vs_frame(int me)
{
    return vs_here.stacks[vs_world.t[me].stack] + vs_world.t[me].frame;
}

/* A frame above the running one, which has this size. */
static void *vs_push(int me, unsigned long running, unsigned long size, int back)
{
    struct vs_thread *t = &vs_world.t[me];
    int below = t->frame, above = below + vs_round(running);
    if (above + vs_round(size) > VS_STACK) {
        vs_limit("the stack of a thread: calls are nested too deep (--recursion N allows more)");
        return vs_here.stacks[t->stack];         /* nothing of it is used any more */
    }
    t->frame = above;
    struct vs_head *head = vs_frame(me);
    memset(head, 0, size);
    head->below = below;
    head->back = (short)back;
    return head;
}

static void vs_pop(int me)
{
    struct vs_head *head = vs_frame(me);
    vs_world.t[me].back = head->back;
    vs_world.t[me].frame = head->below < 0 ? 0 : head->below;    /* -1: the thread's first */
}

/* The frame of the function that has just returned. */
static void *vs_dead(int me, unsigned long running)
{
    return (char *)vs_frame(me) + vs_round(running);
}

#if VS_HEAP
struct vs_block { unsigned short size, used; };  /* in units of 16 bytes, the head's own among them */

static void *vs_malloc(unsigned long size)
{
    unsigned need = (unsigned)((size + 31) / 16), at = 0, units = VS_HEAP / 16;
    if (size > VS_HEAP)
        need = units + 1;
    while (at < units) {
        struct vs_block *b = (void *)(vs_here.heap + 16 * at);
        unsigned free_units = b->size ? b->size : units - at;        /* 0: never given out, all to the end */
        if (!b->used && free_units >= need) {
            if (b->size && free_units > need) {
                struct vs_block *rest = (void *)(vs_here.heap + 16 * (at + need));
                *rest = (struct vs_block){ (unsigned short)(free_units - need), 0 };
            }
            *b = (struct vs_block){ (unsigned short)need, 1 };
            return (char *)b + 16;
        }
        at += free_units;
    }
    vs_limit("the heap (write `program heap BYTES` in a harness for more)");
    return vs_here.heap;
}

/* What is free is zero, and what is free at the end was never given out: so equal contents are equal states. */
static void vs_tidy(void)
{
    unsigned at = 0, units = VS_HEAP / 16;
    while (at < units) {
        struct vs_block *b = (void *)(vs_here.heap + 16 * at);
        if (!b->size)
            return;
        struct vs_block *next = at + b->size < units ? (void *)(vs_here.heap + 16 * (at + b->size)) : NULL;
        if (!b->used && (!next || !next->size))
            *b = (struct vs_block){ 0, 0 };
        else if (!b->used && !next->used) {
            b->size = (unsigned short)(b->size + next->size);
            *next = (struct vs_block){ 0, 0 };
        } else
            at += b->size;
    }
}

static void vs_free(void *p)
{
    struct vs_block *b = (void *)((char *)p - 16);
    if (!p)
        return;
    if ((char *)b < vs_here.heap || (char *)b >= vs_here.heap + VS_HEAP || !b->used) {
        vs_wrong("free() of memory that was not allocated, or was freed before", "");
        return;
    }
    memset(p, 0, 16u * b->size - 16);
    b->used = 0;
    vs_tidy();
    vs_tidy();
}

static void *vs_realloc(void *p, unsigned long size)
{
    void *new = vs_malloc(size);
    if (p && !vs_world.cut) {
        unsigned long old = 16ul * ((struct vs_block *)((char *)p - 16))->size - 16;
        memcpy(new, p, old < size ? old : size);
        vs_free(p);
    }
    return new;
}
#endif

/* ---- threads ---- */

static int vs_slot(void)
{
    for (int i = 0; i < VS_THREADS; i++)
        if (!vs_world.t[i].used)
            return i;
    return -1;
}

#define VS_MY vs_world.t[me].stack   /* which of the variables that each thread has are its own */

/* What a thread is to the objects of its process, from 1: its stack, which a child that is forked has, too. */
static int vs_self(int me) { return vs_world.t[me].stack + 1; }

/* One that nobody of this process has: of a forked child the first has that of its parent. */
static short vs_free_stack(int host)
{
    short stack = 0;
    for (int i = 0; i < VS_THREADS; i++)
        if (vs_world.t[i].used && vs_world.t[i].host == host && vs_world.t[i].stack == stack) {
            stack++;
            i = -1;
        }
    return stack;
}

static void vs_begin(int me, int function, void *argument);      /* the first frame; generated */
static void vs_fresh(int me);                                    /* first values of what each thread has; generated */
static int  vs_entry_of(const void *function);                   /* which function a pointer is to, or -1; generated */
static const short vs_labels[];                                  /* where functions begin; generated */

/* Runs the function of this pointer in a new thread; its number, or -1. */
static int vs_spawn(int me, const void *function, void *argument)
{
    int new = vs_slot(), which = vs_entry_of(function);
    if (new < 0) {
        vs_limit("the number of threads (write `program threads N` in a harness for more)");
        return -1;
    }
    if (which < 0) {
        vs_wrong("a thread is made of a pointer that is no function of the program", "");
        return -1;
    }
    struct vs_thread *t = &vs_world.t[new];
    *t = (struct vs_thread){ .used = 1, .host = vs_world.t[me].host, .entry = vs_labels[which], .stack = vs_free_stack(vs_world.t[me].host) };
    memset(vs_here.stacks[t->stack], 0, VS_STACK);
    vs_begin(new, which, argument);
    vs_fresh(new);
    vs_world.t[me].born = (short)(1 + new);
    return new;
}

static int vs_is_detached(const pthread_attr_t *attributes)
{
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes)
        pthread_attr_getdetachstate(attributes, &state);
    return state == PTHREAD_CREATE_DETACHED;
}

static int vs_create(int me, pthread_t *to, int detached, const void *function, void *argument)
{
    int new = vs_spawn(me, function, argument);
    if (new < 0)
        return EAGAIN;
    vs_world.t[new].detached = (short)detached;
    *to = (pthread_t)(new + 1);
    return 0;
}

static void vs_forget(struct vs_thread *t)
{
    memset(vs_here.stacks[t->stack], 0, VS_STACK);
    *t = (struct vs_thread){ 0 };
}

static void vs_thread_end(int me, void *value)
{
    struct vs_thread *t = &vs_world.t[me];
    t->value = value;
    t->done = 1;
    t->frame = 0;
    memset(vs_here.stacks[t->stack], 0, VS_STACK);
    int others = 0;
    for (int i = 0; i < VS_THREADS; i++)
        others += i != me && vs_world.t[i].used && !vs_world.t[i].done && vs_world.t[i].host == t->host;
    if (!others)
        vs_world.h[t->host].ended = 1;           /* the last thread ends its process */
    if (t->detached)
        vs_forget(t);
}

static struct vs_thread *vs_named(pthread_t name)
{
    struct vs_thread *t = name >= 1 && name <= VS_THREADS ? &vs_world.t[name - 1] : NULL;
    if (!t || !t->used) {
        vs_wrong("there is no such thread", "it was joined or detached before");
        return NULL;
    }
    return t;
}

static int vs_can_join(int me, pthread_t name)
{
    return name < 1 || name > VS_THREADS || (int)name - 1 == me || !vs_world.t[name - 1].used || vs_world.t[name - 1].done || vs_world.t[name - 1].detached;
}

static int vs_join(int me, pthread_t name, void **to)
{
    struct vs_thread *t = vs_named(name);
    if (!t)
        return ESRCH;
    if (t == &vs_world.t[me])
        return t->detached ? EINVAL : EDEADLK;
    if (t->detached)
        return EINVAL;
    if (to)
        *to = t->value;
    vs_forget(t);
    return 0;
}

static int vs_detach(pthread_t name)
{
    struct vs_thread *t = vs_named(name);
    if (t && t->done)
        vs_forget(t);
    else if (t)
        t->detached = 1;
    return 0;
}

static void vs_exit(int me, int status)
{
    struct vs_host *h = &vs_world.h[vs_world.t[me].host];
    h->ended = 1;
    h->status = status;
    vs_world.t[me].done = 1;
}

/* ---- processes ---- */

static int vs_fork(int me, int label)
{
    int host = 0, new = vs_slot();
    while (host < VS_HOSTS && vs_world.h[host].used)
        host++;
    if (host == VS_HOSTS || new < 0) {
        vs_limit("the number of processes (write `program processes N threads N` in a harness for more)");
        return -1;
    }
    vs_world.h[host] = (struct vs_host){ .used = 1, .parent = vs_world.t[me].host };
    vs_world.t[new] = vs_world.t[me];
    vs_world.t[new].host = (short)host;
    vs_world.t[new].entry = (short)label;
    vs_world.t[new].born = 0;
    memcpy(&vs_world.image[host], &vs_here, sizeof vs_here);
    vs_world.t[me].born = (short)(1 + new);
    return 1000 + host;
}

/* Is it a child of this number? -1, or 0: any; what belongs to a group of processes is not looked at. */
static int vs_is_child(int me, int host, int pid)
{
    return vs_world.h[host].used && !vs_world.h[host].waited && host && vs_world.h[host].parent == vs_world.t[me].host
        && (pid == -1 || pid == 0 || pid == 1000 + host);
}

/* How many of them there are, and how many of these have ended. */
static int vs_children(int me, int pid, int ended)
{
    int count = 0;
    for (int i = 0; i < VS_HOSTS; i++)
        count += vs_is_child(me, i, pid) && (!ended || vs_world.h[i].ended);
    return count;
}

static int vs_can_wait(int me, int pid, int options)
{
    return (options & WNOHANG) || !vs_children(me, pid, 0) || vs_children(me, pid, 1);
}

static int vs_wait(int me, int pid, int *status, int options, int which)
{
    for (int i = 0; i < VS_HOSTS; i++)
        if (vs_is_child(me, i, pid) && vs_world.h[i].ended && !which--) {
            vs_world.h[i].waited = 1;
            if (status)
                *status = (vs_world.h[i].status & 255) << 8;
            return 1000 + i;
        }
    if ((options & WNOHANG) && vs_children(me, pid, 0))
        return 0;
    vs_world.t[me].error = ECHILD;
    return -1;
}

/* ---- mutexes ---- */

struct vs_mutex { int count; unsigned unused; int owner; };      /* in the bytes of a pthread_mutex_t, whose kind stays where it is */

static struct vs_mutex *vs_mutex(void *m) { return m; }
static int vs_kind(void *m)               { return ((pthread_mutex_t *)m)->__data.__kind & 3; }

static int vs_can_lock(int me, void *m)
{
    int owner = vs_mutex(m)->owner, kind = vs_kind(m);
    return !owner || (owner == vs_self(me) && (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK));
}

static int vs_lock(int me, void *m)
{
    if (vs_mutex(m)->owner == vs_self(me) && vs_kind(m) == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    vs_mutex(m)->owner = vs_self(me);
    vs_mutex(m)->count++;
    return 0;
}

static int vs_trylock(int me, void *m, int otherwise)
{
    if (vs_mutex(m)->owner && !(vs_mutex(m)->owner == vs_self(me) && vs_kind(m) == PTHREAD_MUTEX_RECURSIVE))
        return otherwise;
    return vs_lock(me, m);
}

static int vs_unlock(int me, void *m)
{
    if (vs_mutex(m)->owner != vs_self(me)) {
        if (vs_kind(m) == PTHREAD_MUTEX_RECURSIVE || vs_kind(m) == PTHREAD_MUTEX_ERRORCHECK)
            return EPERM;
        vs_wrong("a mutex is unlocked by a thread that does not hold it", "");
        return 0;
    }
    if (!--vs_mutex(m)->count)
        vs_mutex(m)->owner = 0;
    return 0;
}

static int vs_mutex_init(void *m, const pthread_mutexattr_t *attributes)
{
    return pthread_mutex_init(m, attributes);
}

static int vs_mutex_destroy(void *m)
{
    if (vs_mutex(m)->owner)
        vs_wrong("a mutex is destroyed while a thread holds it", "");
    memset(m, 0, sizeof(pthread_mutex_t));
    return 0;
}

static int vs_mtx_init(void *m, int type)
{
    memset(m, 0, sizeof(pthread_mutex_t));
    ((pthread_mutex_t *)m)->__data.__kind = type & 1 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    return 0;
}

/* ---- condition variables ---- */

struct vs_cond { unsigned long waiting, woken; };                /* a bit for each thread; in the bytes of a pthread_cond_t */

static struct vs_cond *vs_cond(void *c) { return c; }

static void vs_cond_enter(int me, void *c, void *m)
{
    vs_cond(c)->waiting |= 1ul << me;
    vs_unlock(me, m);
}

static int vs_cond_woken(int me, void *c) { return vs_cond(c)->woken >> me & 1; }

static int vs_cond_leave(int me, void *c)
{
    int woken = vs_cond_woken(me, c);
    vs_cond(c)->waiting &= ~(1ul << me);
    vs_cond(c)->woken &= ~(1ul << me);
    return woken ? 0 : ETIMEDOUT;
}

static int vs_cond_choices(void *c)
{
    int count = __builtin_popcountl(vs_cond(c)->waiting);
    return count ? count : 1;
}

static int vs_cond_signal(void *c, int which)
{
    for (int i = 0; i < VS_THREADS; i++)
        if (vs_cond(c)->waiting >> i & 1 && !which--) {
            vs_cond(c)->waiting &= ~(1ul << i);
            vs_cond(c)->woken |= 1ul << i;
            break;
        }
    return 0;
}

static int vs_cond_broadcast(void *c)
{
    vs_cond(c)->woken |= vs_cond(c)->waiting;
    vs_cond(c)->waiting = 0;
    return 0;
}

static int vs_cond_init(void *c)
{
    memset(c, 0, sizeof(struct vs_cond));
    return 0;
}

static int vs_cond_destroy(void *c)
{
    if (vs_cond(c)->waiting)
        vs_wrong("a condition variable is destroyed while a thread waits for it", "");
    return vs_cond_init(c);
}

/* ---- locks for reading and writing ---- */

/* In the bytes of a pthread_rwlock_t, before those that tell its kind. Of readers it is known how often each has it. */
struct vs_rwlock { int writer; unsigned char has[40]; };

static struct vs_rwlock *vs_rwlock(void *l) { return l; }
static unsigned char *vs_has(int me, void *l) { return &vs_rwlock(l)->has[vs_self(me) - 1]; }

_Static_assert(VS_THREADS <= sizeof ((struct vs_rwlock *)0)->has && sizeof(struct vs_rwlock) <= offsetof(pthread_rwlock_t, __data.__flags),
               "a lock for reading and writing has no place for so many threads");

static int vs_readers(void *l)
{
    int count = 0;
    for (int i = 0; i < VS_THREADS; i++)
        count += vs_rwlock(l)->has[i];
    return count;
}

/* Who waits to write says so nowhere: where that would keep readers out, it is a limit. */
static int vs_writers_first(void *l)
{
    int first = ((pthread_rwlock_t *)l)->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
    if (first)
        vs_limit("a lock for reading and writing whose writers come first");
    return first;
}

static int vs_can_read(int me, void *l)  { return !vs_rwlock(l)->writer || vs_rwlock(l)->writer == vs_self(me); }
static int vs_can_write(int me, void *l) { return vs_rwlock(l)->writer == vs_self(me) || (!vs_rwlock(l)->writer && !vs_readers(l)); }

static int vs_read(int me, void *l, int otherwise)
{
    if (vs_writers_first(l))
        return otherwise;
    if (vs_rwlock(l)->writer)
        return vs_rwlock(l)->writer == vs_self(me) && otherwise != EBUSY ? EDEADLK : otherwise;
    ++*vs_has(me, l);
    return 0;
}

static int vs_write(int me, void *l, int otherwise)
{
    if (vs_writers_first(l))
        return otherwise;
    if (vs_rwlock(l)->writer == vs_self(me) && otherwise != EBUSY)
        return EDEADLK;
    if (vs_rwlock(l)->writer || vs_readers(l))
        return otherwise;
    vs_rwlock(l)->writer = vs_self(me);
    return 0;
}

static int vs_rw_unlock(int me, void *l)
{
    if (vs_rwlock(l)->writer == vs_self(me))
        vs_rwlock(l)->writer = 0;
    else if (*vs_has(me, l))
        --*vs_has(me, l);
    else
        vs_wrong("a lock is unlocked that the thread does not hold", "");
    return 0;
}

static int vs_rw_init(void *l)
{
    memset(l, 0, sizeof(pthread_rwlock_t));
    return 0;
}

/* ---- semaphores of POSIX, barriers, once, spin locks ---- */

static unsigned *vs_counter(void *s) { return s; }

static int vs_sem_init(void *s, unsigned value)
{
    memset(s, 0, sizeof(sem_t));
    *vs_counter(s) = value;
    return 0;
}

static int vs_sem_take(void *s)      { --*vs_counter(s); return 0; }
static int vs_sem_post(void *s)      { ++*vs_counter(s); return 0; }

static int vs_sem_try(int me, void *s, int error)
{
    if (*vs_counter(s))
        return vs_sem_take(s);
    vs_world.t[me].error = error;
    return -1;
}

static int vs_sem_value(void *s, int *to)
{
    *to = (int)*vs_counter(s);
    return 0;
}

struct vs_barrier { unsigned count, last; unsigned long waiting, open; };        /* a bit for each thread */

static struct vs_barrier *vs_barrier(void *b) { return b; }

static int vs_barrier_init(void *b, unsigned count)
{
    *vs_barrier(b) = (struct vs_barrier){ .count = count };
    return count ? 0 : EINVAL;
}

/* The last one opens it for all that wait. */
static void vs_barrier_arrive(int me, void *b)
{
    struct vs_barrier *x = vs_barrier(b);
    x->waiting |= 1ul << me;
    vs_world.t[me].saved = (unsigned)__builtin_popcountl(x->waiting) == x->count;
    if (vs_world.t[me].saved) {
        x->open |= x->waiting;
        x->waiting = 0;
    }
}

static int vs_barrier_open(int me, void *b) { return vs_barrier(b)->open >> me & 1; }

static int vs_barrier_leave(int me, void *b)
{
    int last = vs_world.t[me].saved;
    vs_world.t[me].saved = 0;
    vs_barrier(b)->open &= ~(1ul << me);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

enum { VS_ONCE_RUNS = 1, VS_ONCE_DONE = 2 };
static int vs_once_free(int *once) { return *once != VS_ONCE_RUNS; }

static void vs_once_begin(int me, int *once)
{
    vs_world.t[me].saved = !*once;
    if (!*once)
        *once = VS_ONCE_RUNS;
}

static int vs_once_first(int me)
{
    int first = vs_world.t[me].saved;
    vs_world.t[me].saved = 0;
    return first;
}

static int vs_once_end(int *once)
{
    *once = VS_ONCE_DONE;
    return 0;
}

static int vs_spin_take(int me, volatile int *l)  { *l = vs_self(me); return 0; }
static int vs_spin_clear(volatile int *l)         { *l = 0; return 0; }

/* ---- bit-fields: a machine stores bytes, also those bits of them that others have stored meanwhile ---- */

#define VS_BITS(whole, field) __typeof__(whole) vs_mask, vs_new; memset((void *)&vs_mask, 0, sizeof vs_mask); vs_mask.field--

static void vs_bytes(void *to, const void *from, const void *mask, size_t size)         /* those in which the field has bits */
{
    for (size_t i = 0; i < size; i++)
        if (((const char *)mask)[i])
            ((char *)to)[i] = ((const char *)from)[i];
}

static unsigned long long vs_bits_load(const volatile void *whole, const volatile void *mask, size_t size)
{
    unsigned long long bytes = 0;
    size_t first = 0;
    while (first < size && !((const char *)mask)[first])
        first++;
    vs_bytes(&bytes, (const char *)whole + first, (const char *)mask + first, size - first < sizeof bytes ? size - first : sizeof bytes);
    return bytes;
}

static void vs_bits_unload(volatile void *whole, const volatile void *mask, size_t size, unsigned long long bytes)
{
    size_t first = 0;
    while (first < size && !((const char *)mask)[first])
        first++;
    vs_bytes((char *)whole + first, &bytes, (const char *)mask + first, size - first < sizeof bytes ? size - first : sizeof bytes);
}

/* ---- structs: a machine copies them word by word ---- */

static void vs_piece(void *to, const void *from, size_t size, unsigned long piece)
{
    size_t at = 8 * piece;
    memcpy((char *)to + at, (const char *)from + at, size - at < 8 ? size - at : 8);
}

/* memcpy, memmove and memset: those that are long, and those within one place, are done as a whole. */
enum { VS_MOST_PIECES = 8 };

static int vs_is_whole(const void *to, const void *from, size_t size)
{
    const char *a = to, *b = from;
    return size > 8 * VS_MOST_PIECES || (b && a < b + size && b < a + size);
}

static int vs_more(const void *to, const void *from, size_t size, unsigned long piece)
{
    return !vs_is_whole(to, from, size) && 8 * piece < size;
}

static void vs_move(void *to, const void *from, size_t size, unsigned long piece)
{
    if (vs_is_whole(to, from, size))
        memmove(to, from, size);
    else if (size)
        vs_piece(to, from, size, piece);
}

static void vs_set(void *to, int value, size_t size, unsigned long piece)
{
    if (vs_is_whole(to, NULL, size))
        memset(to, value, size);
    else
        memset((char *)to + 8 * piece, value, size - 8 * piece < 8 ? size - 8 * piece : 8);
}

/* ---- VeriSoft's own ---- */

static void vs_assert(int holds, const char *expression)
{
    if (!holds)
        vs_wrong("an assertion is violated", expression);
}

static void vs_give_up(int me)       /* what follows is not explored */
{
    (void)me;
    for (int i = 0; i < VS_HOSTS; i++)
        vs_world.h[i].ended = 1;
}

#if VS_SETS
static int vs_semget(int count)
{
    if (vs_world.set_count == VS_SETS || count > VS_SEMS || count < 0) {
        vs_limit("semaphores (write `program sets N semaphores N` in a harness for more)");
        return -1;
    }
    vs_world.set_size[vs_world.set_count] = (short)count;
    return vs_world.set_count++;
}

static int *vs_semaphore(int set, int index)
{
    static int none;
    if (set < 0 || set >= vs_world.set_count || index < 0 || index >= vs_world.set_size[set]) {
        vs_wrong("there is no such semaphore", "");
        return &none;
    }
    return &vs_world.set[set][index];
}

static int vs_latest(void) { return vs_world.set_count - 1; }

static int vs_sem_add(int set, int index, int n)
{
    *vs_semaphore(set, index) += n;
    return 0;
}
#endif

#if VS_QUEUES
static int vs_queue_new(int size)
{
    if (vs_world.queue_count == VS_QUEUES || size < 1 || size > VS_QUEUE) {
        vs_limit("queues (write `program queues N length N` in a harness for more)");
        return -1;
    }
    vs_world.queue[vs_world.queue_count].size = (short)size;
    return vs_world.queue_count++;
}

/* Of this size? -1: it is not said. */
static int vs_is_queue(int q, int size)
{
    return q >= 0 && q < vs_world.queue_count && (size == -1 || size == vs_world.queue[q].size);
}

static int vs_no_queue(int q, int size)
{
    if (!vs_is_queue(q, size))
        vs_wrong(vs_is_queue(q, -1) ? "the queue was made with another size" : "there is no such queue", "");
    return !vs_is_queue(q, size);
}

/* May it be sent to, and received from? What is no queue does not wait. */
static int vs_can_send(int q, int size)    { return !vs_is_queue(q, size) || vs_world.queue[q].count < vs_world.queue[q].size; }
static int vs_can_receive(int q, int size) { return !vs_is_queue(q, size) || vs_world.queue[q].count; }

static int vs_queue_full(int q, int size)  { return !vs_no_queue(q, size) && vs_world.queue[q].count == vs_world.queue[q].size; }
static int vs_queue_empty(int q, int size) { return !vs_no_queue(q, size) && !vs_world.queue[q].count; }

static int vs_queue_send(int q, int size, const void *message)
{
    if (vs_no_queue(q, size))
        return -1;
    if (strlen(message) >= VS_MESSAGE) {
        vs_limit("the length of a message (write `program message N` in a harness for more)");
        return -1;
    }
    strcpy(vs_world.queue[q].text[vs_world.queue[q].count++], message);
    return 0;
}

/* Into the program's memory, where it stays until the next one is received from this queue. */
static void *vs_queue_receive(int q, int size)
{
    if (vs_no_queue(q, size))
        return NULL;
    char *to = vs_here.g.vs_received[q];
    strcpy(memset(to, 0, VS_MESSAGE), vs_world.queue[q].text[0]);
    memmove(vs_world.queue[q].text[0], vs_world.queue[q].text[1], (size_t)(VS_QUEUE - 1) * VS_MESSAGE);
    memset(vs_world.queue[q].text[VS_QUEUE - 1], 0, VS_MESSAGE);
    vs_world.queue[q].count--;
    return to;
}
#endif

/* ---- the verifier asks ---- */

/* A question about a thread's own variables, or an object. One that cannot be answered is yes: what follows it will fail in the same way. */
#define VS_QUESTION(name, frame, expression) \
    int name(int me) \
    { \
        volatile int answer = 1; \
        if (vs_over(me)) \
            return 0; \
        vs_enter(me); \
        vs_before_set = 1; \
        if (!sigsetjmp(vs_before, 0)) { \
            frame *f = vs_frame(me); \
            (void)f; \
            answer = !!(expression); \
        } \
        vs_before_set = 0; \
        return answer; \
    }

static void (*const vs_doing[])(int me, void *frame);            /* the acts; generated */
static const char vs_begins_with[];                              /* o: an operation; y: another act that others may come before; ' ': none */
static const char *const vs_places[];
static void vs_tell(int act, int me);

void vs_do(int act, int me)
{
    int number;
    if (vs_over(me))
        return;
    if (vs_mode == 'p' && vs_begins_with[act] != ' ')
        vs_world.moved = vs_begins_with[act] == 'o';
    vs_enter(me);
    vs_before_set = 1;
    if (!(number = sigsetjmp(vs_before, 0)))
        vs_doing[act](me, vs_frame(me));
    vs_before_set = 0;
    if (number)
        vs_wrong(vs_fault(number), vs_places[act]);
    vs_leave(me);
    if (vs_telling)
        vs_tell(act, me);
}

int vs_fine_(void)      { return vs_mode != 'a' || !vs_world.wrong; }
int vs_may_(int me)     { return !vs_over(me); }
int vs_idle_(void)      { return !vs_world.moved; }

/* A loop in which nobody else can be seen is one transition, unless it goes on for too long: then others may come, so that its states are kept, and one
 * that never ends is known by them. */
int  vs_tired_(int me)  { return !vs_over(me) && vs_world.rounds >= (vs_mode == 'p' ? 20 : 1000); }      /* short trails for who never ends */
void vs_go_round(void)  { vs_world.rounds++; }
void vs_rest(void)      { vs_world.rounds = 0; }
void vs_resume(void)    { vs_world.moved = 0; }           /* without an operation */

/* Does nobody wait for what cannot come? */
int vs_at_rest_(void)
{
    if (vs_mode != 'd' || vs_world.wrong || vs_world.cut)
        return 1;
    for (int i = 0; i < VS_THREADS; i++)
        if (vs_world.t[i].used && !vs_world.t[i].done && !vs_world.h[vs_world.t[i].host].ended)
            return 0;
    return 1;
}

int  vs_born_(int me)                { return vs_world.t[me].born; }
int  vs_take_born(int me)            { int new = vs_world.t[me].born - 1; vs_world.t[me].born = 0; return new; }
int  vs_begins_(int me, int label)   { return vs_world.t[me].entry == label; }
int  vs_back_(int me, int label)     { return vs_world.t[me].back == label; }
int  vs_calls_(int me, int function) { return vs_world.t[me].called == function; }
void vs_choose_first(int me)         { vs_world.t[me].choice = 0; }
void vs_choose_next(int me)          { vs_world.t[me].choice++; }
