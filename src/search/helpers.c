/* The copies of aside.h: when they are made, where they begin, and what they tell when they end. Invariant: a copy is a child of this
 * process; it ends by itself when its time is over, and with this process.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "search/aside_internal.h"

#include "base/child.h"
#include "base/memory.h"
#include "system/foresight.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#ifdef CHECKED
enum { FIRST_HELP = 0, LOOK_EVERY = 1 };         /* small searches are to have them, too */
#else
enum { FIRST_HELP = 150, LOOK_EVERY = 32 };      /* milliseconds of processor time of a search before there are copies: most are over then; paths between two looks */
#endif
enum { SHORTEST_LIFE = 100 };        /* milliseconds of processor time that a copy has, whoever waits for it: to make one takes about ten */
enum { STEPS_BETWEEN = 256 };        /* between two looks at that */
enum { MOST_KEPT = 1 << 30, MOST_TOLD = 1 << 26 };       /* bytes of what copies told; of what one has to tell */

static void stop_helper(struct aside *a, uint32_t number);

/* Of this process alone: how busy the machine is does not matter. */
static uint64_t worked(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1000 * (uint64_t)t.tv_sec + (uint64_t)t.tv_nsec / 1000000;
}

static void take_place(struct aside *a, uint32_t place)
{
    const struct helpers *h = &a->optimal->search->settings->helpers;
    a->place = place;
    h->take_place(h->self, place);
}

struct aside *aside_new(struct optimal *o)
{
    struct aside *a = memory_get(sizeof *a);
    a->optimal = o;
    a->jobs = o->search->settings->helpers.jobs;
    a->next_look = LOOK_EVERY;
    a->begun = worked();
    a->pause = LOOK_EVERY;
    a->helpers = memory_get((size_t)a->jobs * sizeof *a->helpers);
    a->awaited = mmap(NULL, (size_t)a->jobs * sizeof *a->awaited, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (a->awaited == MAP_FAILED)
        a->jobs = 0;                 /* then this process does it itself */
    return a;
}

void aside_free(struct aside *a)
{
    if (!a)
        return;
    while (a->helper_count)
        stop_helper(a, a->helper_count - 1);
    if (a->awaited != MAP_FAILED)
        munmap((void *)a->awaited, (size_t)a->jobs * sizeof *a->awaited);
    for (int p = 0; p < MAX_PROCESSES; p++)
        free(a->nodes[p]);
    aside_free_told(&a->known);
    aside_free_told(&a->told);
    while (a->inbox_count)
        aside_free_told(&a->inbox[--a->inbox_count]);
    free(a->inbox);
    free(a->marks);
    free(a->unpacked);
    free(a->clocks);
    free(a->slots);
    free(a->helpers);
    free(a->done);
    free(a->open);
    free(a->kept);
    free(a);
}

bool aside_copies(const struct aside *a) { return a && a->copy; }

static uint64_t size_of(const struct told *t)
{
    return insertions_size(&t->sequences) + (uint64_t)t->entry_count * sizeof *t->entries + (uint64_t)t->record_count * sizeof *t->records;
}

/* Somebody waits for it, who can share what is left of its work; or it has much to tell. */
bool aside_late(struct aside *a)
{
    if (a && a->looks++ % STEPS_BETWEEN == 0)
        a->late |= (a->awaited[a->place] && worked() >= SHORTEST_LIFE) || size_of(&a->told) > MOST_TOLD;
    return a && a->late;
}

/* ---- a copy ---- */

static enum verdict hear(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    struct aside *a = self;
    (void)kind, (void)process, (void)path, (void)depth;
    a->heard = true;
    return STOP;
}

/* The state at this level, as if all that is below its current branch were done, and so the branches of others before `process`. */
static void cut(struct optimal *o, uint32_t level, uint32_t process)
{
    struct search *s = o->search;
    struct level *l = &o->past.levels[level];
    assert(level <= s->depth && l->tree && l->taken);
    for (uint32_t i = level + 1; i <= o->top; i++) {
        wakeup_free_list(&o->trees, o->past.levels[i].tree);
        o->past.levels[i].tree = 0;
        o->past.levels[i].taken = false;
    }
    while (s->depth > level)
        search_back(s, o->system);
    o->top = o->floor = level;
    while (l->tree && o->trees.pool[l->tree].event.process != process) {
        s->frames[level].sleep |= BIT(o->trees.pool[l->tree].event.process);
        optimal_drop_first(o, l);
    }
    if (o->past.known > level)
        o->past.known = level;
}

static void search_aside(struct aside *a, uint32_t level, uint32_t process)
{
    struct optimal *o = a->optimal;
    struct search *s = o->search;
    a->silent = (struct watcher){ .self = a, .found = hear };
    s->watcher = &a->silent;
    o->races.aside = a;
    aside_begin_copy(a);
    cut(o, level, process);
    optimal_go_on(o, STEP_TAKEN);
}

/* Without memory a copy tells nothing, not even that. */
static void go(void *arg)
{
    (void)arg;
    _exit(1);
}

static void be_copy(struct aside *a, const struct helper *me, pid_t parent)
{
    const struct helpers *h = &a->optimal->search->settings->helpers;
    struct search *s = a->optimal->search;
    struct err err = { .text = "" };
    child_dies_with(parent);
    memory_on_exhausted(go, NULL);
    a->helper_count = 0;             /* the others are not its own */
    uint64_t before[HELPER_NUMBERS];
    if (h->begin(h->self, &err) < 0)
        _exit(1);
    take_place(a, me->place);
    memcpy(before, h->work(h->self), sizeof before);
    search_aside(a, me->level, me->process);
    struct letter l = { .complete = !a->late && !a->heard };
    for (int i = 0; i < HELPER_NUMBERS; i++)
        l.work[i] = h->work(h->self)[i] - before[i];
    bool fine = !s->failure && (a->heard || s->stopped == STOPPED_NOTHING) && aside_sure(a);     /* what was done before it heard of an error has none */
    fine = h->end(h->self) && fine;
    _exit(fine && aside_write_letter(me->file, l, &a->told) ? 0 : 1);
}

/* ---- those that live ---- */

static void forget_helper(struct aside *a, uint32_t number)
{
    assert(number < a->helper_count);
    close(a->helpers[number].file);
    close(a->helpers[number].end);
    a->helpers[number] = a->helpers[--a->helper_count];
}

static pid_t await(pid_t pid, int options, int *status)
{
    pid_t got;
    do
        got = waitpid(pid, status, options);
    while (got < 0 && errno == EINTR);
    return got;
}

static void stop_helper(struct aside *a, uint32_t number)
{
    int status;
    kill(a->helpers[number].pid, SIGTERM);
    await(a->helpers[number].pid, 0, &status);
    forget_helper(a, number);
}

static void note_done(struct aside *a, uint64_t key)
{
    ARRAY_GROW(a->done, a->done_count, a->done_room);
    a->done[a->done_count++] = key;
}

/* It has ended. What it tells is known from now on. */
static void hear_from(struct aside *a, uint32_t number, int status)
{
    const struct helpers *lender = &a->optimal->search->settings->helpers;
    struct helper h = a->helpers[number];
    struct letter letter;
    struct told told = { 0 };
    bool fine = WIFEXITED(status) && !WEXITSTATUS(status) && aside_read_letter(h.file, &letter, &told);
    if (fine) {
        ARRAY_GROW(a->inbox, a->inbox_count, a->inbox_room);
        a->inbox[a->inbox_count++] = told;
        for (int i = 0; i < HELPER_NUMBERS; i++)
            lender->work(lender->self)[i] += letter.work[i];
    }
    bool useful = fine && told.record_count;
    a->pause = useful ? LOOK_EVERY : 2 * a->pause;
    if (!useful || letter.complete)
        note_done(a, h.key);
    if (!fine)
        aside_free_told(&told);
    forget_helper(a, number);
}

static void look(struct aside *a)
{
    int status;
    for (uint32_t i = a->helper_count; i-- > 0;)
        if (await(a->helpers[i].pid, WNOHANG, &status) != 0)
            hear_from(a, i, status);
}

/* ---- where to begin ---- */

static bool is_done(const struct aside *a, uint64_t key)
{
    for (uint64_t i = a->done_count; i-- > 0;)
        if (a->done[i] == key)
            return true;
    return false;
}

static uint64_t key_of(const struct aside *a, uint32_t level, uint32_t process)
{
    const struct optimal *o = a->optimal;
    struct { uint64_t path; uint32_t level, process, size, executions; } key = { 0, level, process, wakeup_size(&o->trees, o->past.levels[level].tree), 0 };
    for (uint32_t i = 0; i < level; i++)
        key.path = (key.path ^ (((uint64_t)o->search->steps[i].process << 32) + o->search->steps[i].choice + 1)) * UINT64_C(0x9e3779b97f4a7c15);
    return XXH3_64bits(&key, sizeof key);
}

static bool is_under_way(const struct aside *a, uint32_t level, uint32_t process)
{
    for (uint32_t i = 0; i < a->helper_count; i++)
        if (a->helpers[i].level == level && a->helpers[i].process == process)
            return true;
    return false;
}

/* The first branch of each process; the next one of the state where the search stands is its own. */
static bool choose_at(const struct aside *a, uint32_t level, struct helper *to)
{
    const struct optimal *o = a->optimal;
    const struct branch *pool = o->trees.pool;
    uint32_t last = level == o->search->depth && o->past.levels[level].tree ? pool[o->past.levels[level].tree].event.process : NO_PROCESS;
    for (uint32_t b = o->past.levels[level].tree; b; b = pool[b].next) {
        if (pool[b].event.process == last)
            continue;
        last = pool[b].event.process;
        *to = (struct helper){ .level = level, .process = last, .key = key_of(a, level, last) };
        if (!is_under_way(a, level, last) && !is_done(a, to->key))
            return true;
    }
    return false;
}

/* The nearest to the first state: there is most to be done. */
static bool choose(const struct aside *a, struct helper *to)
{
    for (uint32_t level = 0; level <= a->optimal->search->depth; level++)
        if (choose_at(a, level, to))
            return true;
    return false;
}

static bool is_full(const struct aside *a)
{
    return size_of(&a->known) > MOST_KEPT;
}

static bool has_room(const struct aside *a, int jobs)
{
    return (int)a->helper_count < jobs && !is_full(a);
}

bool aside_wants(struct aside *a)
{
    struct helper to;
    if (!a || a->copy || ++a->looks < a->next_look)
        return false;
    a->next_look = a->looks + a->pause;
    if (worked() < a->begun + FIRST_HELP)
        return false;
    look(a);
    return has_room(a, a->jobs - 1) && choose(a, &to);
}

static bool has_copy(const struct aside *a, uint32_t place)
{
    for (uint32_t i = 0; i < a->helper_count; i++)
        if (a->helpers[i].place == place)
            return true;
    return false;
}

/* One that no copy has, and this process only if there is no other: then it waits. */
static uint32_t free_place(const struct aside *a)
{
    uint32_t place = 0;
    while (place < (uint32_t)a->jobs && (place == a->place || has_copy(a, place)))
        place++;
    assert(place < (uint32_t)a->jobs || !has_copy(a, a->place));
    return place < (uint32_t)a->jobs ? place : a->place;
}

/* False: there is no room for it in this machine. */
static bool make_copy(struct aside *a, struct helper *h)
{
    int ends[2] = { -1, -1 };
    pid_t parent = getpid();
    h->file = memfd_create("verisoft-part", MFD_CLOEXEC);
    h->pid = h->file < 0 || pipe2(ends, O_CLOEXEC) < 0 ? -1 : fork();
    if (h->pid == 0)
        be_copy(a, h, parent);
    if (ends[1] >= 0)
        close(ends[1]);              /* the copy alone has it now: its end is that of the pipe */
    h->end = ends[0];
    if (h->pid > 0)
        return true;
    if (h->file >= 0)
        close(h->file);
    if (h->end >= 0)
        close(h->end);
    return false;
}

/* ---- learning ---- */

/* A path that a copy has walked, as it is walked here. */
struct walk { const struct footstep *path; uint32_t count, done, again; struct step *steps; };

/* One step of it. If the program, when it is asked, says that one before it led elsewhere, that is taken again. False: it cannot go. */
static bool walk_on(struct optimal *o, struct walk *w, enum asking how)
{
    struct search *s = o->search;
    const struct footstep *next = &w->path[w->done];
    struct err err;
    if (!(o->system->enabled & BIT(next->process)) || next->choice >= system_choices(o->system, (int)next->process))
        return false;
    enum took took = foresight_execute(s->foresight, (int)next->process, next->choice, how, &w->steps[w->done], &err);
    w->done += took == STEP_TAKEN;
    if (took != STEP_AGAIN)
        return took == STEP_TAKEN;
    for (uint32_t right = system_right(o->system) - s->prefix; w->done > right;)
        system_undo(o->system, &w->steps[--w->done]);
    return ++w->again <= 2 * w->count;
}

static void walk_back(struct optimal *o, struct walk *w)
{
    while (w->done)
        system_undo(o->system, &w->steps[--w->done]);
}

/* As it is foreseen, and asks where it leads; where what is foreseen leads nowhere, it asks at each step. */
static bool walk_all(struct optimal *o, struct walk *w)
{
    while (w->done < w->count && walk_on(o, w, w->done + 1 == w->count ? ASK : FORESEE))
        ;
    if (w->done == w->count)
        return true;
    walk_back(o, w);
    while (w->done < w->count && walk_on(o, w, ASK))
        ;
    return w->done == w->count;
}

/* Our number of the local state at the end of the path; NO_NODE: there is none. */
static uint32_t find_node(struct optimal *o, const struct told *t, const struct witness *wanted)
{
    struct walk w = { .path = t->walked + wanted->at, .count = wanted->steps, .steps = memory_get(wanted->steps * sizeof *w.steps) };
    uint32_t node = NO_NODE;
    if (walk_all(o, &w) && w.steps[w.count - 1].process == wanted->process)
        node = w.steps[w.count - 1].next;
    if (node != NO_NODE && o->system->nodes[wanted->process][node].fingerprint[1] != wanted->digest)
        node = NO_NODE;
    walk_back(o, &w);
    free(w.steps);
    return node;
}

/* From now on `at` of each is our number. False: some are nowhere. */
static bool map_witnesses(struct optimal *o, struct told *t)
{
    for (uint32_t i = 0; i < t->witness_count; i++)
        if ((t->witnesses[i].at = find_node(o, t, &t->witnesses[i])) == NO_NODE)
            return false;
    return true;
}

static int by_node(const void *a, const void *b)
{
    const struct witness *x = a, *y = b;
    return x->process != y->process ? (x->process > y->process) - (x->process < y->process) : (x->node > y->node) - (x->node < y->node);
}

static void map_moves(struct optimal *o, struct told *t)
{
    if (t->witness_count)
        qsort(t->witnesses, t->witness_count, sizeof *t->witnesses, by_node);
    for (uint32_t i = 0; i < t->sequences.moves.count; i++) {
        struct move *e = &t->sequences.of[i];
        struct witness key = { .process = e->process, .node = e->node };
        const struct witness *w = t->witness_count ? bsearch(&key, t->witnesses, t->witness_count, sizeof key, by_node) : NULL;
        e->node = w ? w->at : e->node;
        clocks_complete(&o->past, e);
    }
}

/* The path is left and come back to: its steps are known. */
void aside_learn(struct aside *a)
{
    struct optimal *o = a->optimal;
    struct search *s = o->search;
    assert(!foresight_believes(s->foresight));
    for (uint32_t i = s->depth; i-- > 0;)
        system_undo(o->system, &s->steps[i]);
    for (uint32_t i = 0; i < a->inbox_count; i++) {
        struct told *t = &a->inbox[i];
        if (map_witnesses(o, t)) {
            map_moves(o, t);
            aside_add(a, t);
        }
        aside_free_told(t);
    }
    a->inbox_count = 0;
    for (uint32_t i = 0; i < s->depth; i++) {
        bool same = system_execute_again(o->system, &s->steps[i], &s->steps[i]);
        assert(same);
    }
}

void aside_start(struct aside *a)
{
    struct helper h;
    if (a->inbox_count)
        aside_learn(a);              /* so that what the new one finds is new */
    if (!choose(a, &h))
        return;
    take_place(a, a->place);
    h.place = free_place(a);
    a->awaited[h.place] = false;
    if (!make_copy(a, &h)) {         /* then this process does it itself */
        note_done(a, h.key);
        return;
    }
    assert((int)a->helper_count < a->jobs);
    a->helpers[a->helper_count++] = h;
}

/* ---- meeting one ---- */

/* Is the search about to do what this one does? */
static bool is_met(const struct aside *a, const struct helper *h)
{
    const struct optimal *o = a->optimal;
    uint32_t tree = o->past.levels[o->search->depth].tree;
    return h->level == o->search->depth && tree && o->trees.pool[tree].event.process == h->process;
}

/* NULL: none. */
static const struct helper *met(const struct aside *a)
{
    for (uint32_t i = 0; i < a->helper_count; i++)
        if (is_met(a, &a->helpers[i]))
            return &a->helpers[i];
    return NULL;
}

/* Until one of them ends, or everything has to. */
static void wait_for_any(struct aside *a)
{
    struct pollfd *ends = memory_get(a->helper_count * sizeof *ends);
    int status;
    for (uint32_t i = 0; i < a->helper_count; i++)
        ends[i] = (struct pollfd){ .fd = a->helpers[i].end };
    if (poll(ends, a->helper_count, -1) < 0)
        search_look_up(a->optimal->search);
    else
        for (uint32_t i = a->helper_count; i-- > 0;)
            if (ends[i].revents) {
                await(a->helpers[i].pid, 0, &status);
                hear_from(a, i, status);
            }
    free(ends);
}

enum aside_news aside_meets(struct aside *a)
{
    const struct helper *there;
    struct helper more;
    if (!a || a->copy)
        return NO_NEWS;
    struct search *s = a->optimal->search;
    for (uint32_t i = a->helper_count; i-- > 0;)
        if (a->helpers[i].level > s->depth)
            stop_helper(a, i);       /* the path to where it began is none any more */
    while (!search_over(s) && !a->inbox_count && (there = met(a))) {
        if (has_room(a, a->jobs) && choose(a, &more))
            return MORE_HELP;
        a->awaited[there->place] = true;
        wait_for_any(a);
    }
    if (has_copy(a, a->place) && !search_over(s))
        take_place(a, free_place(a));        /* it was lent */
    return a->inbox_count && !search_over(s) ? NEWS : NO_NEWS;
}
