/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "farm/work.h"

#include "base/memory.h"
#include "base/prose.h"
#include "farm/queue.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct running {
    int64_t run, bits;               /* bits: of its table, as a power of two; 0: exhaustive */
    char   *property, kind[2], machine[64];
    double  expected;                /* states, as many as the last such search of this property had that came to its end; 0: there was none */
};

struct work {
    struct farm         *farm;
    struct crew         *crew;
    struct work_settings settings;
    struct running      *running;
    int                  count, room;
};

struct work *work_new(struct farm *f, struct crew *crew, const struct work_settings *settings)
{
    struct work *w = memory_get(sizeof *w);
    *w = (struct work){ .farm = f, .crew = crew, .settings = *settings };
    return w;
}

static char *file_of(const struct work *w, int64_t run, const char *ending)
{
    return prose_make("%s/run%lld.%s", w->farm->lent->folder, (long long)run, ending);
}

static void forget(struct work *w, int i)
{
    static const char *const endings[] = { "json", "live" };
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        char *file = file_of(w, w->running[i].run, endings[k]);
        unlink(file);
        free(file);
    }
    free(w->running[i].property);
    w->running[i] = w->running[--w->count];
}

/* As if it had not been begun. */
static void put_back(struct work *w, int64_t run)
{
    struct err ignored;
    store_run(w->farm->store, &ignored, "UPDATE run SET state = 'queued', tries = tries - 1, started = NULL WHERE id = ?1 AND state = 'running'", "i", run);
}

void work_free(struct work *w)
{
    if (!w)
        return;
    crew_free(w->crew);
    while (w->count) {
        put_back(w, w->running[0].run);
        forget(w, 0);
    }
    free(w->running);
    free(w);
}

/* ---- beginning ---- */

/* Where Spin and the compiler put what all runs of this model share. */
static char *model_folder(const struct work *w)
{
    char *folder = prose_make("%s/%.16s", w->farm->lent->folder, json_string_value(json_object_get(w->farm->about, "model")));
    mkdir(folder, 0700);             /* one that cannot be made is told by whoever wants to write there */
    return folder;
}

static double expected(struct work *w, int64_t run)
{
    return (double)store_number(w->farm->store, "SELECT CAST(o.states AS INTEGER) FROM run r JOIN run o ON o.property = r.property AND o.bits = r.bits AND o.state = 'done' AND o.finished"
                                " AND NOT o.errors WHERE r.id = ?1 ORDER BY o.id DESC LIMIT 1", "i", run);
}

enum { WORDS = 13 };                 /* of a command */
struct order { int64_t run, bits; char kind[2], *name, *words[WORDS + 1]; };

static void free_order(struct order *o)
{
    free(o->name);
    for (int i = 0; i < WORDS; i++)
        free(o->words[i]);
}

static struct order order_of(const struct work *w, const json_t *next)
{
    int64_t run = json_integer_value(json_object_get(next, "id")), bits = json_integer_value(json_object_get(next, "bits"));
    const char *name = json_string_value(json_object_get(next, "name")), *kind = json_string_value(json_object_get(next, "kind"));
    return (struct order){ run, bits, { *kind }, memory_text(name), {
        memory_text(w->farm->lent->self), memory_text("farm"), memory_text(w->farm->file), memory_text("run"), memory_text(name),
        prose_make("%lld", (long long)bits), memory_text(json_string_value(json_object_get(next, "content"))),
        model_folder(w), file_of(w, run, "json"), file_of(w, run, "live"), prose_make("%d", w->settings.memory), prose_make("%g", w->settings.seconds),
        prose_make("%d", w->settings.trails), NULL } };
}

/* All at one go. */
static int begin(struct work *w, const struct order *orders, uint32_t count, struct err *err)
{
    struct crew_order *to = memory_get((count + 1) * sizeof *to);
    for (uint32_t i = 0; i < count; i++)
        to[i] = (struct crew_order){ orders[i].words, (uint64_t)orders[i].run };
    int bad = crew_start(w->crew, to, count, err);
    for (uint32_t i = 0; i < count && bad; i++)
        put_back(w, orders[i].run);
    for (uint32_t i = 0; i < count && !bad; i++) {
        ARRAY_GROW(w->running, w->count, w->room);
        w->running[w->count++] = (struct running){ orders[i].run, orders[i].bits, memory_text(orders[i].name), { *orders[i].kind }, "", expected(w, orders[i].run) };
    }
    free(to);
    return bad;
}

/* Where a run is, as far as that is known by now. */
static void note_machines(struct work *w)
{
    struct err ignored;
    for (int i = 0; i < w->count; i++) {
        const char *machine = crew_machine(w->crew, (uint64_t)w->running[i].run);
        if (*machine && strcmp(machine, w->running[i].machine)) {
            snprintf(w->running[i].machine, sizeof w->running[i].machine, "%s", machine);
            store_run(w->farm->store, &ignored, "UPDATE run SET machine = ?2 WHERE id = ?1", "it", w->running[i].run, machine);
        }
    }
}

/* The next in the queue, which is not there any more then. 1; 0: there is none. */
static int take(struct work *w, struct order *to, struct err *err)
{
    json_t *next = queue_next(w->farm, err);
    int rc = !next ? -EINVAL : 0;
    if (json_is_object(next)) {
        *to = order_of(w, next);
        rc = queue_began(w->farm, to->run, NULL, err) ? -EINVAL : 1;
        if (rc < 0)
            free_order(to);
    }
    json_decref(next);
    return rc;
}

static int fill(struct work *w, bool *news, struct err *err)
{
    uint32_t room = w->farm->about ? crew_room(w->crew) : 0, count = 0;
    struct order *orders = memory_get((room + 1) * sizeof *orders);
    int rc = 1;
    while (count < room && (rc = take(w, &orders[count], err)) > 0)
        count++;
    int bad = begin(w, orders, count, err);
    *news |= count;
    for (uint32_t i = 0; i < count; i++)
        free_order(&orders[i]);
    free(orders);
    return bad ? bad : rc < 0 ? rc : 0;
}

/* Aborted, dropped because another level has decided, or for a source that is no more. */
static void stop_unwanted(struct work *w, bool *news)
{
    for (int i = w->count; i-- > 0;)
        if (!queue_wants(w->farm, w->running[i].run)) {
            crew_stop(w->crew, (uint64_t)w->running[i].run);
            forget(w, i);
            *news = true;
        }
}

/* ---- ending ---- */

static int largest_table(const struct work *w)
{
    int bits = QUEUE_FIRST;
    while (ldexp(1, bits + 1) / 8 / 1048576 < w->settings.memory / 2.0)
        bits++;
    return bits;
}

/* What it said last: there the reason stands. */
static char *why(const struct crew_ended *e)
{
    const char *said = e->said ? e->said : "", *ours = strstr(said, "verisoft: ");
    if (e->signal)
        return prose_make("it died by signal %d (%s)%s%.300s", e->signal, strsignal(e->signal), *said ? ": " : "", said);
    return prose_make("%.500s", ours ? ours + strlen("verisoft: ") : *said ? said : "it ended without a result");
}

static int ended(struct work *w, const struct crew_ended *e, struct err *err)
{
    enum { UNUSABLE = 2, CHANGED = 3 };          /* as the command says it: nothing can be done about it; the source is another now */
    int64_t run = (int64_t)e->ticket;
    char *file = file_of(w, run, "json");
    json_t *result = e->status == 0 ? json_load_file(file, 0, NULL) : NULL;
    int bad = 0;
    if (result) {
        bad = queue_ended(w->farm, run, result, largest_table(w), err);
    } else {
        char *words = why(e);
        words[strcspn(words, "\n")] = '\0';
        bad = e->status == CHANGED ? store_run(w->farm->store, err, "UPDATE run SET state = 'dropped', why = 'the source has changed' WHERE id = ?1 AND state = 'running'", "i", run)
            : queue_died(w->farm, run, words, e->status != UNUSABLE, err);
        free(words);
    }
    json_decref(result);
    free(file);
    for (int i = w->count; i-- > 0;)
        if (w->running[i].run == run)
            forget(w, i);
    return bad;
}

int work_step(struct work *w, int milliseconds, bool *news, struct err *err)
{
    struct crew_ended e;
    *news = false;
    int bad = fill(w, news, err);
    while (!bad) {
        int any = crew_look(w->crew, *news ? 0 : milliseconds, &e, err);
        if (any <= 0) {
            bad = any;
            break;
        }
        bad = ended(w, &e, err);
        free(e.said);
        *news = true;
    }
    stop_unwanted(w, news);
    note_machines(w);
    return bad ? bad : fill(w, news, err);
}

bool work_is_done(struct work *w)
{
    return !w->count && !store_number(w->farm->store, "SELECT count(*) FROM run r JOIN property p ON p.id = r.property WHERE r.state = 'queued' AND p.harness = ?1", "i",
                                      w->farm->id);
}

/* When it will be done, if it is as large as the last one was: seconds from now. */
static void add_end(json_t *one, double expected)
{
    double states = json_number_value(json_object_get(one, "states")), seconds = json_number_value(json_object_get(one, "seconds"));
    if (states > 0 && states < expected)
        json_object_set_new(one, "seconds_left", json_real((expected - states) * seconds / states));
}

json_t *work_live(struct work *w)
{
    json_t *all = json_array();
    for (int i = 0; i < w->count; i++) {
        char *file = file_of(w, w->running[i].run, "live");
        json_t *told = w->farm->lent->live(w->farm->lent->arg, w->running[i].property, file), *one = told ? told : json_object();
        add_end(one, w->running[i].expected);
        json_object_set_new(one, "run", json_integer(w->running[i].run));
        json_object_set_new(one, "property", json_string(w->running[i].property));
        json_object_set_new(one, "kind", json_string(w->running[i].kind));
        json_object_set_new(one, "bits", json_integer(w->running[i].bits));
        json_array_append_new(all, one);
        free(file);
    }
    return all;
}
