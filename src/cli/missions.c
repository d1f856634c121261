/* SPDX-License-Identifier: MIT */
#include "cli/missions.h"

#include "base/memory.h"
#include "base/prose.h"
#include "cli/outpost.h"
#include "report/outcome.h"
#include "search/parcel.h"
#include "tasks/slurm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 3, TASKS = 16 };      /* of one that dies; with a cluster at a time, unless given */
enum { LONGEST_HERE = 10, LONGEST_FAR = 60 };    /* seconds after which one gives back the rest of its work */
enum { WORTH_HERE = 20, WORTH_FAR = 1000 };      /* milliseconds that a state was searched before parts of it are given away */

struct flight { uint64_t number; int tries; bool begun; struct words command; };
struct side { struct missions *missions; bool group; };          /* as what the program is searched: processes, or a sharing group */

struct missions {
    struct plan   *plan;             /* borrowed */
    struct crew   *crew;
    bool           far;
    int            tasks;
    struct side    sides[2];
    struct flight *flights;          /* those that are under way, or about to be */
    uint32_t       count, room;
    uint64_t       lost;             /* so many were given up */
    char          *why;              /* the last time */
};

/* ---- the command ---- */

static bool is_passed(enum option_id id)
{
    static const enum option_id own[] = { OPTION_search, OPTION_reduction, OPTION_stop_at_state, OPTION_time_limit, OPTION_memory_limit, OPTION_stop_at_error, OPTION_nproc,
        OPTION_output, OPTION_tasks, OPTION_jobs, OPTION_cluster, OPTION_mission, OPTION_json, OPTION_junit, OPTION_sarif, OPTION_quiet, OPTION_no_color,
        OPTION_help, OPTION_version, OPTION_certificate, OPTION_trustful, OPTION_save_state_space, OPTION_max_sss, OPTION_cache, OPTION_cache_policy };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i] == id)
            return false;
    return options[id].where & IN_CHECK;
}

/* As it was given; what stands in system_file.VS is read there again. */
static void add_option(struct words *w, enum option_id id, const struct value *v)
{
    const struct option_text spelled = option_on_command_line(id);
    const char *name = spelled.text;
    int count;
    switch (options[id].kind) {
    case KIND_TEXT:   words_add_format(w, "%s=%s", name, v->text); break;
    case KIND_CHOICE: words_add_format(w, "%s=%s", name, option_choices(id, &count)[v->number].name); break;
    case KIND_FLAG:   words_add(w, name); break;
    case KIND_LIST:
        for (uint32_t i = 0; i < v->list.count; i++)
            words_add_format(w, "%s=%s", name, v->list.items[i]);
        break;
    default: words_add_format(w, "%s=%lld", name, (long long)v->number); break;
    }
}

static void add_options(struct words *w, const struct plan *p)
{
    const struct settings *s = &p->request.settings;
    const struct words *repeated = &p->request.repeated;
    for (int id = 0; id < OPTION_COUNT; id++)
        if (s->values[id].origin == FROM_COMMAND && is_passed((enum option_id)id))
            add_option(w, (enum option_id)id, &s->values[id]);
    for (uint32_t i = 0; i + 1 < repeated->count && !s->values[OPTION_stdin].text; i++)
        if (!strcmp(repeated->items[i], "--stdin"))
            words_add_format(w, "--stdin=%s", repeated->items[i + 1]);
}

static void make_command(struct words *w, const struct plan *p, bool group, const char *file)
{
    char self[4096] = "";
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const struct search_settings *search = group ? &p->job.group_search : &p->job.search;
    words_add(w, length > 0 ? self : "/proc/self/exe");
    words_add(w, "check");
    if (p->job.compiled)
        words_add(w, group && p->watched ? p->watched : p->executable);
    else
        words_add_all(w, &p->request.program);
    words_add_format(w, "--search=%s", search_strategy_names[search->strategy]);
    words_add_format(w, "--reduction=%s", search_reduction_names[search->reduction]);
    add_options(w, p);
    words_add_format(w, "--mission=%s", file);
    words_add(w, "--quiet");
    words_add(w, "--");
    words_add_all(w, &p->request.arguments);
}

/* ---- those that are under way ---- */

static char *file_of(const struct missions *m, uint64_t number, const char *ending)
{
    return prose_make("%s/mission%llu%s", m->plan->scratch.folder, (unsigned long long)number, ending);
}

static struct flight *flight_of(struct missions *m, uint64_t number)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->flights[i].number == number)
            return &m->flights[i];
    return NULL;
}

static void remove_file(const struct missions *m, uint64_t number, const char *ending)
{
    char *file = file_of(m, number, ending);
    unlink(file);
    free(file);
}

static void forget(struct missions *m, struct flight *f)
{
    static const char *const endings[] = { "", ".hurry", ".told", ".told.part" };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        remove_file(m, f->number, endings[i]);
    words_fini(&f->command);
    assert(m->count && f >= m->flights && f < m->flights + m->count);
    *f = m->flights[--m->count];
}

/* Those that are new, together: of a cluster they are one job array. */
static bool begin_new(struct missions *m)
{
    struct crew_order *orders = memory_get((m->count + 1) * sizeof *orders);
    struct err err = { .text = "" };
    uint32_t count = 0, room = crew_room(m->crew);
    for (uint32_t i = 0; i < m->count && count < room; i++)
        if (!m->flights[i].begun)
            orders[count++] = (struct crew_order){ m->flights[i].command.items, m->flights[i].number };
    bool fine = !count || !crew_start(m->crew, orders, count, &err);
    for (uint32_t i = 0; i < count && fine; i++) {
        struct flight *f = flight_of(m, orders[i].ticket);
        f->begun = true;
        f->tries++;
    }
    free(orders);
    if (!fine && !m->why)
        m->why = memory_text(err.text);
    return fine;
}

static bool send_one(void *self, uint64_t number, const uint64_t *words, uint32_t count)
{
    struct side *s = self;
    struct missions *m = s->missions;
    struct err err = { .text = "" };
    struct outpost_order order = { s->group, m->plan->visible, m->plan->habits, m->far ? LONGEST_FAR : LONGEST_HERE };
    char *file = file_of(m, number, "");
    int bad = outpost_write(file, &order, words, count, &err);
    if (!bad) {
        ARRAY_GROW(m->flights, m->count, m->room);
        m->flights[m->count] = (struct flight){ .number = number };
        make_command(&m->flights[m->count++].command, m->plan, s->group, file);
    } else if (!m->why) {
        m->why = memory_text(err.text);
    }
    free(file);
    return !bad;
}

/* ---- hearing ---- */

/* It came to nothing. True: it is tried again. */
static bool try_again(struct missions *m, struct flight *f, const struct crew_ended *e)
{
    if (e->status < 0 && f->tries < TRIES) {
        f->begun = false;
        return true;
    }
    if (e->status < 0) {
        m->lost++;
        free(m->why);
        m->why = prose_make("%s", e->said && *e->said ? e->said : "it died");
    }
    return false;
}

static void read_answer(const struct missions *m, uint64_t number, uint64_t **words, uint32_t *count)
{
    char *file = file_of(m, number, ".told");
    struct parcel in;
    bool there = parcel_load(file, &in);
    *words = there ? in.words : NULL;
    *count = there ? in.count : 0;
    free(file);
}

static bool hear_one(void *self, int milliseconds, uint64_t *number, uint64_t **words, uint32_t *count)
{
    struct missions *m = ((struct side *)self)->missions;
    struct crew_ended ended = { 0 };
    struct err err = { .text = "" };
    if (!begin_new(m) && m->count) {             /* the cluster takes none: they come to nothing, one after the other */
        struct flight *f = &m->flights[m->count - 1];
        *number = f->number;
        *words = NULL;
        if (f->begun)
            crew_stop(m->crew, f->number);
        m->lost++;
        forget(m, f);
        return true;
    }
    if (crew_look(m->crew, milliseconds, &ended, &err) <= 0)
        return false;
    struct flight *f = flight_of(m, ended.ticket);
    bool again = f && try_again(m, f, &ended);
    free(ended.said);
    if (!f || again)
        return false;
    *number = f->number;
    *words = NULL;
    *count = 0;
    if (ended.status == 0)
        read_answer(m, f->number, words, count);
    forget(m, f);
    return true;
}

static bool has_begun(void *self, uint64_t number)
{
    return *crew_machine(((struct side *)self)->missions->crew, number) != '\0';
}

static void hurry(void *self, uint64_t number)
{
    char *file = file_of(((struct side *)self)->missions, number, ".hurry");
    FILE *to = fopen(file, "we");
    if (to)
        fclose(to);
    free(file);
}

static void drop(void *self, uint64_t number)
{
    struct missions *m = ((struct side *)self)->missions;
    struct flight *f = flight_of(m, number);
    if (!f)
        return;
    if (f->begun)
        crew_stop(m->crew, number);
    forget(m, f);
}

/* ---- all ---- */

static struct crew *make_crew(struct missions *m, const char *cluster, struct err *err)
{
    char name[60];
    if (!cluster)
        return crew_here(m->tasks + 1);
    if (strcmp(cluster, "slurm")) {
        fail(err, "--cluster %.60s: there is slurm", cluster);
        return NULL;
    }
    snprintf(name, sizeof name, "verisoft-check-%d-%ld", (int)getpid(), (long)time(NULL));
    const struct slurm_settings on_slurm = { name, m->plan->scratch.folder, m->tasks + 1, 0 };
    struct crew *crew = crew_slurm(&on_slurm, err);
    if (crew)
        scratch_cancel(&m->plan->scratch, name);
    return crew;
}

static struct dispatch dispatch_of(struct missions *m, bool group)
{
    m->sides[group] = (struct side){ m, group };
    return (struct dispatch){ .tasks = m->tasks, .worth = m->far ? WORTH_FAR : WORTH_HERE, .far = m->far, .self = &m->sides[group], .send = send_one, .hear = hear_one,
                              .begun = has_begun, .hurry = hurry, .drop = drop };
}

struct missions *missions_open(struct plan *p, struct err *err)
{
    const struct settings *s = &p->request.settings;
    const char *cluster = s->values[OPTION_cluster].text;
    int jobs = (int)s->values[OPTION_jobs].number;
    if ((!cluster && jobs < 2) || p->job.starter)
        return NULL;
    if (!p->scratch.folder[0] && scratch_open(&p->scratch, err) < 0)
        return NULL;
    struct missions *m = memory_get(sizeof *m);
    m->plan = p;
    m->far = cluster != NULL;
    m->tasks = !cluster ? jobs - 1 : settings_given(s, OPTION_tasks) ? (int)s->values[OPTION_tasks].number : TASKS;
    m->crew = make_crew(m, cluster, err);
    if (!m->crew) {
        free(m);
        return NULL;
    }
    p->job.search.dispatch = dispatch_of(m, false);
    if (cluster || p->job.group_search.reduction != REDUCTION_OPTIMAL)
        p->job.group_search.dispatch = dispatch_of(m, true);     /* else there are copies (search/aside.h) */
    return m;
}

void missions_close(struct missions *m, struct outcome *outcome)
{
    if (!m)
        return;
    crew_free(m->crew);
    if (m->far)
        scratch_cancel(&m->plan->scratch, "");
    while (m->count)
        forget(m, &m->flights[m->count - 1]);
    assert(!m->count);               /* and none of them is running, for its crew is gone */
    if (m->why) {
        char *note = prose_make("%llu part%s of the search came to nothing elsewhere, and %s searched here instead: %.300s", (unsigned long long)m->lost, m->lost == 1 ? "" : "s",
                                m->lost == 1 ? "was" : "were", m->why);
        outcome_note(outcome, note);
        free(note);
    }
    free(m->why);
    free(m->flights);
    free(m);
}
