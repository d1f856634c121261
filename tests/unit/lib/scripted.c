/* SPDX-License-Identifier: MIT */
#include "scripted.h"

#include "brute.h"
#include "certifier/record.h"
#include "certifier/wording.h"

#include <assert.h>
#include <string.h>

enum { LEAST_STATES = 5, MOST_STATES = 20000 };
static const struct small { uint64_t states, transitions; } small_processes = { 12, 24 }, small_threads = { 30, 36 };    /* at most */

char scripted_file[SCRATCH_ROOM];
struct fields scripted_none;

/* ---- programs ---- */

static bool is_small(const struct subject *s, const struct small *most)
{
    return s->suits && s->states <= most->states && s->transitions <= most->transitions && s->transitions > s->states;
}

static bool suits(const struct brute *b)
{
    for (uint32_t i = 0; i < b->states; i++)
        if (b->deadlock[i])
            return false;
    return b->complete == UINT32_MAX && !b->violation_count && b->states >= LEAST_STATES;
}

static void open_processes(struct subject *s)
{
    struct brute brute;
    struct world first;
    generate(&s->processes, s->seed);
    world_begin(&s->processes, &first);
    brute_init(&brute, &s->processes, &first, MOST_STATES);
    s->suits = suits(&brute);
    s->states = brute.states;
    s->transitions = brute.edge_count;
    s->small = is_small(s, &small_processes);
    brute_fini(&brute);
    stage_open(&s->stage, &s->processes, RULES_NONE, MERGE);
    s->system = s->stage.system;
}

/* They assert what is never true: that is left out. */
static void make_up(struct sharing *p, uint64_t seed)
{
    sharing_make_up(p, seed);
    for (int i = 0; i < p->length[0]; i++)
        if (p->code[0][i].kind == AT_ASSERT)
            p->code[0][i].kind = TO_NOTHING;
}

static void open_threads(struct subject *s)
{
    struct sharing_outcomes outcomes = { .stuck = NULL };
    make_up(&s->threads, s->seed);
    s->suits = sharing_brute(&s->threads, MOST_STATES, &outcomes) && !outcomes.stuck_count;
    s->states = outcomes.states;
    s->transitions = outcomes.transitions;
    s->small = is_small(s, &small_threads);
    sharing_outcomes_fini(&outcomes);
    troupe_open(&s->troupe, &s->threads, true);
    s->system = s->troupe.system;
}

void scripted_open(struct subject *s, uint64_t seed, bool shares)
{
    *s = (struct subject){ .seed = seed, .shares = shares };
    (shares ? open_threads : open_processes)(s);
}

void scripted_close(struct subject *s)
{
    if (s->shares)
        troupe_close(&s->troupe);
    else
        stage_close(&s->stage);
}

/* ---- their scripts ---- */

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)self, (void)kind, (void)process, (void)path, (void)depth;
    return STOP;
}

struct search_result scripted_record(struct system *system, enum script_kind kind)
{
    struct record *record = record_new(kind, RECORD_ONCE, scripted_file);
    struct search_settings settings = { .strategy = SEARCH_STATEFUL };
    struct watcher watcher = { .self = record, .found = found, .transition = record_transition };
    struct search_result result;
    struct err err;
    uint64_t bytes;
    record_begin(record, system);
    int bad = search_run(system, &settings, &watcher, &result, &err);
    assert(!bad);
    bad = record_finish(record, &scripted_none, &bytes, &err);
    assert(!bad);
    record_free(record);
    return result;
}

struct certification scripted_follow(struct system *system, bool trustful)
{
    struct certify_settings settings = { .evidence = &scripted_none, .trustful = trustful, .program = "made-up" };
    struct certification c = { .result = CERTIFY_REJECTED };
    struct err err;
    struct script *script = script_open(scripted_file, &err);
    if (script && certify(&settings, script, system, &c, &err)) {
        printf("%s\n", err.text);
        abort();
    }
    script_close(script);
    return c;
}

/* ---- was everything executed? ---- */

static void see_state(struct executed *x, const uint64_t f[2])
{
    for (uint32_t i = 0; i < x->states; i++)
        if (!memcmp(x->state[i], f, 16))
            return;
    memcpy(x->state[x->states++], f, 16);
}

static void see_transition(struct executed *x, const uint64_t f[2], uint32_t process, uint32_t choice)
{
    for (uint32_t i = 0; i < x->transitions; i++)
        if (!memcmp(x->from[i], f, 16) && x->process[i] == process && x->choice[i] == choice)
            return;
    memcpy(x->from[x->transitions], f, 16);
    x->process[x->transitions] = process;
    x->choice[x->transitions++] = choice;
}

static uint32_t choice_of(struct system *system, struct wording *w, struct labels *labels, uint32_t label, int process)
{
    for (uint32_t c = 0; c < system_choices(system, process); c++)
        if (wording_label(w, system, labels, UNWORDED_LEAVE, (uint32_t)process, system->node[process], system_preview(system, process, c)) == label)
            return c;
    return UINT32_MAX;
}

void scripted_execute(struct system *system, struct executed *x)
{
    struct err err;
    struct script_entry e;
    struct step path[SCRIPTED_MOST];
    uint32_t depth = 0;
    uint64_t f[2];
    struct wording wording = { 0 };
    struct script *script = script_open(scripted_file, &err);
    *x = (struct executed){ 0 };
    while (script_next(script, &e, &err) > 0) {
        system_fingerprint(system, f);
        see_state(x, f);
        if (e.label == BACK) {
            if (depth)
                system_undo(system, &path[--depth]);
            continue;
        }
        int process = labels_get(script_labels(script), e.label)->process;
        uint32_t choice = choice_of(system, &wording, (struct labels *)script_labels(script), e.label, process);
        see_transition(x, f, (uint32_t)process, choice);
        system_execute(system, process, choice, &path[depth], &err);
        if (e.is_new)
            depth++;
        else
            system_undo(system, &path[depth]);
    }
    wording_fini(&wording);
    script_close(script);
}
