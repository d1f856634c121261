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

struct running { int64_t run; char *property, machine[64]; };

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

void work_free(struct work *w)
{
    struct err ignored;
    if (!w)
        return;
    crew_free(w->crew);
    while (w->count) {
        store_run(w->farm->store, &ignored, "UPDATE run SET state = 'queued', tries = tries - 1, started = NULL WHERE id = ?1 AND state = 'running'", "i", w->running[0].run);
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

static int begin(struct work *w, const json_t *next, struct err *err)
{
    int64_t run = json_integer_value(json_object_get(next, "id"));
    const char *name = json_string_value(json_object_get(next, "name"));
    char *made = model_folder(w), *result = file_of(w, run, "json"), *live = file_of(w, run, "live");
    char *bits = prose_make("%lld", (long long)json_integer_value(json_object_get(next, "bits"))), *memory = prose_make("%d", w->settings.memory);
    char *seconds = prose_make("%g", w->settings.seconds), *trails = prose_make("%d", w->settings.trails);
    char *command[] = { (char *)w->farm->lent->self, (char *)"farm", w->farm->file, (char *)"run", (char *)name, bits,
                        (char *)json_string_value(json_object_get(next, "content")), made, result, live, memory, seconds, trails, NULL };
    int bad = queue_began(w->farm, run, NULL, err);
    if (!bad)
        bad = crew_start(w->crew, command, (uint64_t)run, err);
    if (!bad) {
        ARRAY_GROW(w->running, w->count, w->room);
        w->running[w->count++] = (struct running){ run, memory_text(name), "" };
    }
    free(made);
    free(result);
    free(live);
    free(bits);
    free(memory);
    free(seconds);
    free(trails);
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

static int fill(struct work *w, bool *news, struct err *err)
{
    int bad = 0;
    while (!bad && w->farm->about && crew_has_room(w->crew)) {
        json_t *next = queue_next(w->farm, err);
        bool any = json_is_object(next);
        bad = !next ? -EINVAL : any ? begin(w, next, err) : 0;
        json_decref(next);
        if (!any)
            break;
        *news = true;
    }
    return bad;
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

json_t *work_live(struct work *w)
{
    json_t *all = json_array();
    for (int i = 0; i < w->count; i++) {
        char *file = file_of(w, w->running[i].run, "live");
        json_t *told = w->farm->lent->live(w->farm->lent->arg, w->running[i].property, file), *one = told ? told : json_object();
        json_object_set_new(one, "run", json_integer(w->running[i].run));
        json_object_set_new(one, "property", json_string(w->running[i].property));
        json_array_append_new(all, one);
        free(file);
    }
    return all;
}
