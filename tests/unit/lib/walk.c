/* SPDX-License-Identifier: MIT */
#include "walk.h"

#include "random.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct walker {
    struct stage *stage;
    struct world  world;
    char         *wrong;
    size_t        room;
};

static bool differ(struct walker *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool differ(struct walker *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(w->wrong, w->room, format, args);
    va_end(args);
    return false;
}

/* All of a system that a step changes. */
struct picture { uint32_t *words; uint64_t enabled, fingerprint[2]; };

static void take_picture(struct system *s, struct picture *p)
{
    p->words = malloc(system_state_words(s) * sizeof *p->words);
    assert(p->words);
    system_save(s, p->words);
    p->enabled = s->enabled;
    system_fingerprint(s, p->fingerprint);
}

static bool same_picture(struct system *s, const struct picture *a)
{
    struct picture b;
    take_picture(s, &b);
    bool same = a->enabled == b.enabled
             && !memcmp(a->fingerprint, b.fingerprint, sizeof b.fingerprint)
             && !memcmp(a->words, b.words, system_state_words(s) * sizeof *b.words);
    free(b.words);
    return same;
}

static struct step must_execute(struct stage *s, int process, uint32_t choice)
{
    struct step step;
    enum took took = system_execute(s->system, process, choice, &step, NULL);
    assert(took == STEP_TAKEN);
    system_check(s->system);
    return step;
}

static uint32_t choices_of(const struct system *s, int process)           /* 0: not enabled */
{
    return s->enabled >> process & 1 ? system_choices(s, process) : 0;
}

/* ---- what can go ---- */

static bool check_choice(struct walker *w, int process, uint32_t choice, const uint8_t *outcomes, int count)
{
    struct system *system = w->stage->system;
    struct picture before;
    take_picture(system, &before);
    struct step step = must_execute(w->stage, process, choice);
    uint8_t outcome = stage_outcome(w->stage, process, step.node, step.result);
    struct world next = w->world;
    bool possible = memchr(outcomes, outcome, (size_t)count) && world_step(w->stage->program, &next, process, outcome);
    bool stands = possible && stage_agrees(w->stage, &next);
    system_undo(system, &step);
    bool restored = same_picture(system, &before);
    system_load(system, before.words);
    bool loaded = same_picture(system, &before);
    free(before.words);
    if (!possible)
        return differ(w, "process %d: choice %u gives outcome %d, which cannot be", process + 1, choice, outcome);
    if (!stands)
        return differ(w, "process %d: stands elsewhere after choice %u", process + 1, choice);
    if (!restored)
        return differ(w, "process %d: undo does not restore the state", process + 1);
    return loaded || differ(w, "process %d: load does not restore the state", process + 1);
}

static bool check_process(struct walker *w, int process)
{
    uint8_t outcomes[MADEUP_VALUES];
    int expected = world_outcomes(w->stage->program, &w->world, process, outcomes);
    uint32_t choices = choices_of(w->stage->system, process);
    if (choices != (uint32_t)expected)
        return differ(w, "process %d: has %u choices where it should have %d", process + 1, choices, expected);
    if (w->stage->system->enabled >> process & 1 && !choices)
        return differ(w, "process %d: is enabled and has no choices", process + 1);
    for (uint32_t choice = 0; choice < choices; choice++)
        if (!check_choice(w, process, choice, outcomes, expected))
            return false;
    return true;
}

/* ---- independence, by its definition ---- */

struct order { uint64_t fingerprint[2]; uint32_t results[2]; bool possible; };

/* First p with choice i, then q with choice j. */
static struct order try_order(struct stage *s, int p, uint32_t i, int q, uint32_t j)
{
    struct order o = { .possible = false };
    struct step first = must_execute(s, p, i);
    if (j < choices_of(s->system, q)) {
        struct step second = must_execute(s, q, j);
        system_fingerprint(s->system, o.fingerprint);
        o.results[0] = first.result;
        o.results[1] = second.result;
        o.possible = true;
        system_undo(s->system, &second);
    }
    system_undo(s->system, &first);
    return o;
}

static bool commute(struct stage *s, int p, uint32_t i, int q, uint32_t j)
{
    struct order a = try_order(s, p, i, q, j), b = try_order(s, q, j, p, i);
    return a.possible && b.possible && a.results[0] == b.results[1] && a.results[1] == b.results[0]
        && !memcmp(a.fingerprint, b.fingerprint, sizeof a.fingerprint);
}

static bool check_pair(struct walker *w, int p, int q)
{
    const struct system *s = w->stage->system;
    if (dependence_now(s, p, q) != dependence_now(s, q, p))
        return differ(w, "dependence of processes %d and %d is not symmetric", p + 1, q + 1);
    if (dependence_now(s, p, q) && !dependence_exchangeable(s, p, q))
        return true;
    for (uint32_t i = 0; i < choices_of(s, p); i++)
        for (uint32_t j = 0; j < choices_of(s, q); j++)
            if (!commute(w->stage, p, i, q, j))
                return differ(w, "processes %d and %d are said to be %s, but it matters who goes first", p + 1, q + 1,
                              dependence_now(s, p, q) ? "exchangeable" : "independent");
    return true;
}

static bool check_state(struct walker *w)
{
    int processes = w->stage->program->processes;
    if (!stage_agrees(w->stage, &w->world))
        return differ(w, "a process stands elsewhere");
    for (int p = 0; p < processes; p++)
        if (!check_process(w, p))
            return false;
    for (int p = 0; p < processes; p++)
        for (int q = p + 1; q < processes; q++)
            if (choices_of(w->stage->system, p) && choices_of(w->stage->system, q) && !check_pair(w, p, q))
                return false;
    return true;
}

/* ---- walking ---- */

static bool random_step(struct walker *w, struct walk *walk, struct random *random)
{
    int able[MADEUP_PROCESSES], count = 0;
    for (int p = 0; p < w->stage->program->processes; p++)
        if (choices_of(w->stage->system, p))
            able[count++] = p;
    if (!count || walk->length == sizeof walk->process)
        return false;
    int p = able[random_below(random, count)];
    struct step step = must_execute(w->stage, p, (uint32_t)random_below(random, (int)choices_of(w->stage->system, p)));
    uint8_t outcome = stage_outcome(w->stage, p, step.node, step.result);
    world_step(w->stage->program, &w->world, p, outcome);
    walk->process[walk->length] = (uint8_t)p;
    walk->outcome[walk->length++] = outcome;
    return true;
}

bool walk_random(struct stage *s, struct walk *walk, uint32_t steps, uint64_t seed, char *wrong, size_t room)
{
    struct walker w = { .stage = s, .wrong = wrong, .room = room };
    struct random random = { seed };
    world_begin(s->program, &w.world);
    walk->length = 0;
    do {
        if (!check_state(&w))
            return false;
    } while (walk->length < steps && random_step(&w, walk, &random));
    return true;
}

static bool step_to(struct stage *s, int process, uint8_t outcome)
{
    for (uint32_t choice = 0; choice < choices_of(s->system, process); choice++) {
        struct step step = must_execute(s, process, choice);
        if (stage_outcome(s, process, step.node, step.result) == outcome)
            return true;
        system_undo(s->system, &step);
    }
    return false;
}

bool walk_again(struct stage *s, const struct walk *walk, struct world *world)
{
    for (uint32_t i = 0; i < walk->length; i++)
        if (!step_to(s, walk->process[i], walk->outcome[i])
            || (world && !world_step(s->program, world, walk->process[i], walk->outcome[i])))
            return false;
    return true;
}
