/* POSIX semaphores. Without a name they are in the program's memory, with a name in memory that all UNIX processes of the group
 * share; before the program started there are none.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"
#include "sync.h"

#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>
#pragma GCC poison malloc calloc free printf

static int answer(uint32_t error)
{
    if (error == 0)
        return 0;
    errno = (int)error;
    return -1;
}

RT_INLINE uint32_t *mark_of(sem_t *s) { return &((struct rt_counter_words *)s)->mark; }
RT_INLINE int32_t *value_of(sem_t *s) { return &((struct rt_counter_words *)s)->value; }

RT_INLINE struct rt_call operation(sem_t *s, uint8_t code)
{
    if (!rt_is_initialised(s, mark_of(s)))
        RT_MISUSE("a semaphore is used that is not initialised");
    rt_uses(s);
    struct rt_call call = rt_operation(TYPE_COUNTER, code, s, 0, false);
    if (rt_is_inherited(s, mark_of(s)))
        call.arg[1] = *value_of(s);
    call.fresh = rt_is_fresh(s, mark_of(s));
    return call;
}

RT_INLINE uint32_t enter(sem_t *s, uint8_t code)
{
    struct rt_call call = operation(s, code);
    return (uint32_t)RT_ENTER(&call);
}

RT_INLINE uint32_t enter_trying(sem_t *s, uint8_t code)
{
    struct rt_call call = operation(s, code);
    call.tries = true;
    call.text = code == COUNTER_WAIT ? "sem_trywait" : NULL;
    return (uint32_t)RT_ENTER(&call);
}

RT_INLINE uint32_t try(sem_t *s)
{
    return RT_TRY(s, RT_TRIED_TOLD, enter_trying(s, COUNTER_TRYWAIT), enter_trying(s, COUNTER_WAIT), EAGAIN);
}

RT_INLINE int added(sem_t *s, int n, uint32_t result)
{
    if (result == 0)
        *value_of(s) += n;
    return answer(result);
}

RT_INLINE int timed(sem_t *s, const struct timespec *until)
{
    if (!rt_valid(until))
        return answer(EINVAL);
    rt_wait_begins("sem_timedwait", until, true);
    struct rt_call call = operation(s, COUNTER_TIMEDWAIT);
    call.interrupted = EINTR;
    uint32_t result = (uint32_t)RT_ENTER_CANCELLABLE(&call);
    if (result == ETIMEDOUT)
        rt_pass_time(until, true);
    return added(s, -1, result);
}

RT_INLINE void renew(sem_t *s, unsigned value, const char *name)         /* name NULL: none */
{
    struct rt_call call = rt_operation(TYPE_COUNTER, name ? COUNTER_OPEN : COUNTER_INIT, s, (int32_t)value, rt_is_fresh(s, mark_of(s)));
    call.text = name;
    RT_ENTER(&call);
    *mark_of(s) = rt_mark(s);
    *value_of(s) = (int32_t)value;
}

RT_INLINE int group_sem_init(sem_t *s, unsigned value)
{
    if (value > SEM_VALUE_MAX)
        return answer(EINVAL);
    renew(s, value, NULL);
    return 0;
}

RT_GROUPED(int, sem_init, (sem_t *s, int shared, unsigned value), (s, shared, value), LIBC, DO(group_sem_init(s, value)))

RT_INLINE int group_sem_destroy(sem_t *s)
{
    enter(s, COUNTER_DESTROY);
    rt_destroyed(s, mark_of(s));
    return 0;
}

RT_GROUPED(int, sem_destroy, (sem_t *s), (s), LIBC, DO(group_sem_destroy(s)))

RT_INLINE int group_sem_wait(sem_t *s)
{
    struct rt_call call = operation(s, COUNTER_WAIT);
    call.interrupted = EINTR;
    return added(s, -1, (uint32_t)RT_ENTER_CANCELLABLE(&call));
}

/* Alone there is nobody who could post. */
RT_INLINE int wait_alone(sem_t *s)
{
    int result = RT_LIBC(sem_trywait)(s);
    if (result < 0)
        RT_NEED_GROUP(sem_wait);
    return result;
}

RT_FUNCTION(int, sem_wait, (sem_t *s), (s), LIBC, DO(wait_alone(s)), DO(group_sem_wait(s)))
RT_GROUPED(int, sem_trywait, (sem_t *s), (s), LIBC, DO(added(s, -1, try(s))))
RT_FUNCTION(int, sem_timedwait, (sem_t *restrict s, const struct timespec *restrict until), (s, until), LIBC, DO(wait_alone(s)), DO(timed(s, until)))
RT_FUNCTION(int, sem_clockwait, (sem_t *restrict s, clockid_t clock, const struct timespec *restrict until), (s, clock, until),
    LIBC, DO(rt_waits_by(clock) ? wait_alone(s) : answer(EINVAL)), DO(rt_waits_by(clock) ? timed(s, until) : answer(EINVAL)))

RT_INLINE int post(sem_t *s)
{
    int result = added(s, 1, enter(s, COUNTER_POST));
    rt_gives(s);
    return result;
}

RT_GROUPED(int, sem_post, (sem_t *s), (s), LIBC, DO(post(s)))

RT_INLINE int group_sem_getvalue(sem_t *restrict s, int *restrict value)
{
    *value = (int)enter(s, COUNTER_GET);
    return 0;
}

RT_GROUPED(int, sem_getvalue, (sem_t *restrict s, int *restrict value), (s, value), LIBC, DO(group_sem_getvalue(s, value)))

/* ---- names ---- */

/* A table of shelves: a name has its place on the shelf that its hash says. Who looks at a shelf, or changes it, does so after
 * a visible operation on it; names on different shelves have nothing to do with each other. */
enum { SHELVES = 16, PLACES = 8, MOST_NAME = 251 };
enum { FREE, NAMED, UNLINKED };      /* UNLINKED: whoever had it open goes on using it */

struct named_semaphore {
    sem_t    semaphore;
    uint32_t state, open;            /* open: times it was opened and not yet closed */
    char     name[MOST_NAME + 5];
    struct rt_rights rights;
};

struct shelf { struct named_semaphore *places; };        /* NULL while nothing was ever on it */

static struct shelf *shelves;

void rt_names_of_semaphores_begin(void)
{
    shelves = rt_shared(SHELVES * sizeof *shelves);
}

/* Without the slash that a name starts with. NULL: no good name; errno is set. */
static const char *proper(const char *name)
{
    while (*name == '/')
        name++;
    uint32_t length = rt_length(name, MOST_NAME + 1);
    int wrong = length == 0 || strchr(name, '/') ? EINVAL : length > MOST_NAME ? ENAMETOOLONG : 0;
    if (wrong)
        errno = wrong;
    return wrong ? NULL : name;
}

static struct shelf *shelf_of(const char *name)
{
    uint32_t hash = 0;
    while (*name)
        hash = hash * 31 + (unsigned char)*name++;
    return &shelves[hash % SHELVES];
}

/* As in rt_words, with the slash that `proper` took away. */
RT_INLINE const char *words_of(struct rt_words *words, const char *function, const char *name)
{
    char whole[MOST_NAME + 2] = "/";
    memcpy(whole + 1, name, rt_length(name, MOST_NAME));
    return rt_words(words, function, whole, strlen(whole));
}

RT_INLINE void reach_for(const struct shelf *shelf, const char *function, const char *name)
{
    struct rt_words words;
    struct rt_call call = rt_operation(TYPE_ACCESS, ACCESS_WRITE, shelf, 0, false);
    call.text = words_of(&words, function, name);
    RT_ENTER(&call);
}

static struct named_semaphore *find(const struct shelf *shelf, const char *name)
{
    for (int i = 0; shelf->places && i < PLACES; i++)
        if (shelf->places[i].state == NAMED && !strcmp(shelf->places[i].name, name))
            return &shelf->places[i];
    return NULL;
}

static struct named_semaphore *find_free(struct shelf *shelf)
{
    if (!shelf->places)
        shelf->places = rt_shared(PLACES * sizeof *shelf->places);
    for (int i = 0; shelf->places && i < PLACES; i++)
        if (shelf->places[i].state == FREE && !shelf->places[i].open)
            return &shelf->places[i];
    return NULL;
}

static sem_t *no_semaphore(int error)
{
    errno = error;
    return SEM_FAILED;
}

static sem_t *opened(struct named_semaphore *n)
{
    if (!rt_may_open(&n->rights, O_RDWR))
        return no_semaphore(EACCES);
    n->open++;
    return &n->semaphore;
}

/* The semaphore gets its value while nobody can find it; then comes a second look, for somebody may have been faster. */
RT_INLINE sem_t *create(struct shelf *shelf, const char *name, int flags, mode_t mode, unsigned value)
{
    struct named_semaphore *mine = find_free(shelf);
    struct rt_words words;
    if (!mine) {
        RT_REFUSE_SIZE("sem_open (of more semaphores than VeriSoft can control)");
        return no_semaphore(ENOSPC);
    }
    mine->open = 1;
    renew(&mine->semaphore, value, words_of(&words, NULL, name));
    reach_for(shelf, "sem_open", name);
    struct named_semaphore *faster = find(shelf, name);
    if (faster) {
        mine->open = 0;
        return flags & O_EXCL ? no_semaphore(EEXIST) : opened(faster);
    }
    mine->state = NAMED;
    mine->rights = rt_rights_new(mode);
    memcpy(mine->name, name, strlen(name) + 1);
    return &mine->semaphore;
}

RT_INLINE sem_t *open_named(const char *name, int flags, mode_t mode, unsigned value)
{
    if (!(name = proper(name)))
        return SEM_FAILED;
    struct shelf *shelf = shelf_of(name);
    reach_for(shelf, "sem_open", name);
    struct named_semaphore *n = find(shelf, name);
    if (n)
        return (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL) ? no_semaphore(EEXIST) : opened(n);
    if (!(flags & O_CREAT))
        return no_semaphore(ENOENT);
    return value > SEM_VALUE_MAX ? no_semaphore(EINVAL) : create(shelf, name, flags, mode, value);
}

RT_API sem_t *sem_open(const char *name, int flags, ...)
{
    mode_t mode = 0;
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        value = va_arg(rest, unsigned);
        va_end(rest);
    }
    RT_BY_MODE(sem_t *, sem_open, (name, flags, mode, value),
               LIBC, DO(({ RT_NEED_GROUP(sem_open); no_semaphore(ENOSYS); })), DO(open_named(name, flags, mode, value)))
}

/* The shelf that a named semaphore stands on; NULL: it has no name. */
static struct shelf *home_of(const sem_t *s)
{
    for (int i = 0; i < SHELVES; i++) {
        const char *places = (const char *)shelves[i].places;
        if (places && (const char *)s >= places && (const char *)s < places + PLACES * sizeof *shelves[i].places)
            return &shelves[i];
    }
    return NULL;
}

RT_INLINE int close_named(sem_t *s)
{
    struct shelf *shelf = home_of(s);
    struct named_semaphore *n = (struct named_semaphore *)s;
    if (!shelf || !n->open)
        return answer(EINVAL);
    reach_for(shelf, "sem_close", n->name);
    if (--n->open == 0 && n->state == UNLINKED)
        n->state = FREE;
    return 0;
}

RT_INLINE int unlink_named(const char *name)
{
    if (!(name = proper(name)))
        return answer(errno == EINVAL ? ENOENT : (uint32_t)errno);
    struct shelf *shelf = shelf_of(name);
    reach_for(shelf, "sem_unlink", name);
    struct named_semaphore *n = find(shelf, name);
    if (!n || !rt_may_unlink(&n->rights))
        return answer(n ? EACCES : ENOENT);
    n->state = n->open ? UNLINKED : FREE;
    return 0;
}

RT_GROUPED(int, sem_close, (sem_t *s), (s), LIBC, DO(close_named(s)))
RT_FUNCTION(int, sem_unlink, (const char *name), (name), LIBC, NEED_GROUP, DO(unlink_named(name)))
