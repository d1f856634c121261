/* Properties side by side: processes of our own, each with a scratch folder of its own, take the next property that nobody has, and write what
 * came of it to a file that the first process reads; or, where larger searches are to come, whoever takes these. Verifiers are shared (spin.c), so that
 * each is still compiled once.
 *
 * Invariant: what is told is what would be told one by one, in the same order; a process that ends early is an error.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "extractor/verify.h"

#include "base/child.h"
#include "base/memory.h"
#include "base/prose.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum stage { NOT_BEGUN, OPEN, TAKEN };           /* OPEN: the quick search is over, and larger ones are to come */
struct news { int which, open; };

struct crew {
    struct verification          *all;
    const struct extraction      *x;
    const struct verify_settings *settings;
    atomic_int                   *stages;        /* of each property; shared */
    int                           news[2];       /* a pipe of struct news */
    pid_t                        *workers;
    int                           count;
};

/* ---- what came of a property, as a file ---- */

static char *result_file(const struct crew *c, int which)
{
    return prose_make("%s/result%d", c->all->spin.made, which);
}

static void put_text(FILE *out, const char *text)
{
    size_t length = text ? strlen(text) + 1 : 0;                 /* 0: NULL */
    fwrite(&length, sizeof length, 1, out);
    fwrite(text ? text : "", 1, length, out);
}

static bool get(FILE *in, void *to, size_t size)
{
    return fread(to, 1, size, in) == size;
}

static bool get_text(FILE *in, char **text)
{
    size_t length;
    *text = NULL;
    if (!get(in, &length, sizeof length))
        return false;
    if (length)
        *text = memory_get(length);
    return !length || get(in, *text, length);
}

static size_t states_of(const struct checked *c)
{
    return c->claim && c->claim->automaton ? c->claim->automaton->state_count : 0;
}

struct told { int bad; struct err err; enum verdict verdict; int runs, compiled; double compile_seconds; bool reached, unmet_all; };

static int write_result(const struct crew *c, int which, const struct checked *now, struct told *t)
{
    char *path = result_file(c, which);
    FILE *out = fopen(path, "we");
    t->verdict = now->verdict;
    t->runs = now->run_count;
    t->reached = now->reached != NULL;
    t->unmet_all = now->unmet_all;
    if (out) {
        fwrite(t, sizeof *t, 1, out);
        if (now->run_count)
            fwrite(now->runs, sizeof *now->runs, (size_t)now->run_count, out);
        if (now->reached)
            fwrite(now->reached, sizeof *now->reached, states_of(now), out);
        put_text(out, now->identifier);
        put_text(out, now->words);
        put_text(out, now->replay);
        put_text(out, now->unmet);
    }
    free(path);
    return !out || ferror(out) | fclose(out) ? -1 : 0;
}

static bool read_result(FILE *in, struct checked *to, const struct told *t)
{
    to->verdict = t->verdict;
    to->unmet_all = t->unmet_all;
    to->run_count = to->run_room = t->runs;
    to->runs = memory_get(((size_t)t->runs + 1) * sizeof *to->runs);
    to->reached = t->reached ? memory_get((states_of(to) + 1) * sizeof *to->reached) : NULL;
    return get(in, to->runs, (size_t)t->runs * sizeof *to->runs) && (!t->reached || get(in, to->reached, states_of(to) * sizeof *to->reached))
        && get_text(in, &to->identifier) && get_text(in, &to->words) && get_text(in, &to->replay) && get_text(in, &to->unmet);
}

/* -EIO: it cannot be read. */
static int load_result(const struct crew *c, int which, struct checked *to, struct told *t, struct err *err)
{
    char *path = result_file(c, which);
    FILE *in = fopen(path, "re");
    to->claim = claims_find(&c->all->claims, to->property);
    int bad = in && get(in, t, sizeof *t) ? t->bad : -EIO;
    if (bad)
        *err = t->err;
    if (bad == -EIO || (!bad && !read_result(in, to, t)))
        bad = fail(err, "%s: what came of the property %s cannot be read", path, to->property->name);
    if (in)
        fclose(in);
    free(path);
    return bad;
}

static int take_result(struct crew *c, int which, struct err *err)
{
    struct told t = { 0 };
    int bad = load_result(c, which, &c->all->items[which], &t, err);
    if (bad)
        return bad;
    c->all->spin.compiled += t.compiled;
    c->all->spin.compile_seconds += t.compile_seconds;
    return verify_trails(&c->all->items[which], c->x, err);
}

/* ---- a worker ---- */

/* The next of which nobody has begun; else one of which there is more to do. -1: none is left. */
static int take_property(struct crew *c, enum stage *was)
{
    for (int wanted = NOT_BEGUN; wanted <= OPEN; wanted++)
        for (int i = 0; i < c->all->count; i++) {
            int stage = wanted;
            *was = (enum stage)wanted;
            if (atomic_compare_exchange_strong(&c->stages[i], &stage, TAKEN))
                return i;
        }
    return -1;
}

static int do_property(struct crew *c, int which, enum stage was)
{
    struct checked now = { .property = c->all->items[which].property };
    struct spin *s = &c->all->spin;
    struct told t = { 0 };
    bool open = false;
    int compiled = s->compiled;
    double seconds = s->compile_seconds;
    if (was == NOT_BEGUN)
        t.bad = verify_begin(c->all, c->x, c->settings, now.property, &now, &open, &t.err);
    else if (!(t.bad = load_result(c, which, &now, &t, &t.err)))
        t.bad = verify_go_on(c->all, c->x, c->settings, &now, &t.err);
    t.compiled += s->compiled - compiled;
    t.compile_seconds += s->compile_seconds - seconds;
    int bad = write_result(c, which, &now, &t);
    struct news news = { which, open };
    checked_fini(&now);
    if (open)
        atomic_store(&c->stages[which], OPEN);
    return bad || write(c->news[1], &news, sizeof news) != sizeof news || t.bad;
}

static _Noreturn void work(struct crew *c, pid_t parent)
{
    struct workshop own;
    struct err err;
    child_dies_with(parent);
    close(c->news[0]);
    if (c->all->spin.shop->another(&own, &err))
        _exit(1);
    c->all->spin.shop = &own;
    enum stage was;
    int bad = 0;
    for (int which; !bad && (which = take_property(c, &was)) >= 0;)
        bad = do_property(c, which, was);
    own.leave(&own);
    _exit(bad ? 1 : 0);
}

/* ---- all of them ---- */

static int hire(struct crew *c, struct err *err)
{
    int most = c->settings->jobs < c->all->count ? c->settings->jobs : c->all->count;
    pid_t self = getpid();
    if (pipe2(c->news, O_CLOEXEC))
        return fail_errno(err, "no pipe for %d processes", most);
    fflush(NULL);                    /* what is buffered is ours to write */
    for (; c->count < most; c->count++) {
        c->workers[c->count] = fork();
        if (c->workers[c->count] == 0)
            work(c, self);
        if (c->workers[c->count] < 0)
            break;
    }
    close(c->news[1]);
    return c->count ? 0 : fail_errno(err, "no new process to check a property");
}

static void dismiss(struct crew *c, bool now)
{
    for (int i = 0; i < c->count; i++) {
        if (now)
            kill(c->workers[i], SIGTERM);
        while (waitpid(c->workers[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (c->count)
        close(c->news[0]);
}

struct progress { bool *open, *done; int first, second; };       /* how far it is told, of those that were decided at once, and of the others */

static void tell(struct crew *c, struct progress *p, const struct verify_told *told)
{
    int count = c->all->count, before = p->first;
    for (; p->first < count && (p->open[p->first] || p->done[p->first]); p->first++)
        if (!p->open[p->first])
            told->one(told->arg, &c->all->items[p->first]);
    if (p->first == count && before < count)
        told->open(told->arg, c->all, p->open);
    for (; p->first == count && p->second < count && p->done[p->second]; p->second++)
        if (p->open[p->second])
            told->one(told->arg, &c->all->items[p->second]);
}

/* As they come in, and told in order. */
static int collect(struct crew *c, const struct verify_told *told, struct err *err)
{
    const struct workshop *w = c->all->spin.shop;
    size_t room = (size_t)c->all->count + 1;
    struct progress p = { memory_get(room), memory_get(room), 0, 0 };
    int bad = 0;
    while (!bad && p.second < c->all->count) {
        struct news news;
        ssize_t got = read(c->news[0], &news, sizeof news);
        if (w->stopped(w->arg))
            bad = -EINTR;
        else if (got < 0 && errno == EINTR)
            continue;
        else if (got != sizeof news)
            bad = fail(err, "a process that checks properties has ended, and nobody knows why; without -j they are checked one by one");
        else if (!news.open)
            bad = take_result(c, news.which, err);
        if (bad)
            break;
        (news.open ? p.open : p.done)[news.which] = true;
        tell(c, &p, told);
    }
    free(p.open);
    free(p.done);
    return bad;
}

int verify_side_by_side(struct verification *v, const struct extraction *x, const struct verify_settings *settings, const struct verify_told *told,
                        struct err *err)
{
    struct crew c = { .all = v, .x = x, .settings = settings, .workers = memory_get((size_t)settings->jobs * sizeof *c.workers) };
    size_t size = (size_t)v->count * sizeof *c.stages;
    c.stages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int bad = c.stages == MAP_FAILED ? fail_errno(err, "no memory that processes share") : hire(&c, err);
    if (!bad)
        bad = collect(&c, told, err);
    dismiss(&c, bad);
    if (c.stages != MAP_FAILED)
        munmap(c.stages, size);
    free(c.workers);
    return bad;
}
