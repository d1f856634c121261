/* The simulator on real programs: whoever wanders through a scenario, back and forth and into other branches, always stands where
 * a fresh start of the program stands after the same steps; and moving costs what it must, and no run of the program.
 * SPDX-License-Identifier: MIT */
#include "simulator/simulator.h"
#include "simulator/view.h"

#include "random.h"
#include "scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const programs[] = {
    "examples/ac-controller/main.c", "examples/philosophers.c", "examples/elevator.c", "tests/cases/several-errors.c",
    "-DWRONG tests/cases/posix-abba.c", "tests/cases/posix-pipe.c", "tests/cases/posix-messages.c",
    "tests/cases/posix-lost-wakeup.c", "tests/cases/posix-fork.c", "tests/cases/posix-trylock.c",
    "tests/cases/posix-kill.c", "tests/cases/posix-cond-timed.c",
    "tests/cases/abort.c", "tests/cases/removal.c", "tests/cases/kernel-state.c", "examples/transfer.c",
    "examples/thread-pool/*.c",
};

static int failures;
static const char *program;
static char executable[SCRATCH_ROOM + 16];

#define CHECK(true_is) \
    do { \
        if (!(true_is)) { \
            printf("%s:%d: %s: not so: %s\n", __FILE__, __LINE__, program, #true_is); \
            failures++; \
        } \
    } while (0)

static struct job job(void)
{
    struct search_settings search = { .strategy = SEARCH_DFS, .reduction = REDUCTION_NONE, .livelock_limit = 15 };
    return (struct job){ .name = "program", .self = "verisoft", .options = "", .program_arguments = "", .output = ".",
                         .native = { .executable = executable, .divergence_limit = 10, .output = -1, .input = -1 },
                         .search = search, .group_search = search };
}

/* ---- the same place? ---- */

static bool same_text(char *a, char *b)
{
    bool same = a && b ? !strcmp(a, b) : a == b;
    free(a);
    free(b);
    return same;
}

static bool same_event(const struct simulator *a, const struct simulator *b, uint32_t i)
{
    const struct event *x = &simulator_trace(a)->events[i], *y = &simulator_trace(b)->events[i];
    const uint32_t *from_x, *from_y;
    struct trace until_x = *simulator_trace(a), until_y = *simulator_trace(b);
    until_x.count = until_y.count = i + 1;
    uint32_t count = simulator_took(a, i, &from_x);
    enum error_kind wrong_x, wrong_y;
    bool comparable = !simulator_run(a)->start.group && native_alike(simulator_run(a)->native, simulator_run(b)->native);
    return x->op.process == y->op.process && x->choice == y->choice
        && same_text(run_event(simulator_run(a), simulator_trace(a), i), run_event(simulator_run(b), simulator_trace(b), i))
        && same_text(run_operation(simulator_run(a), &until_x, &x->next), run_operation(simulator_run(b), &until_y, &y->next))
        && simulator_passage(a, i).role == simulator_passage(b, i).role
        && simulator_violated(a, i, &wrong_x) == simulator_violated(b, i, &wrong_y) && wrong_x == wrong_y
        && count == simulator_took(b, i, &from_y) && (!count || !memcmp(from_x, from_y, count * sizeof *from_x))
        && (!comparable || !memcmp(x->fingerprint, y->fingerprint, sizeof x->fingerprint));
}

/* An object or a process that only the older of the two has met is as it was in the beginning. */
static bool same_state(struct simulator *a, struct simulator *b)
{
    const struct system *x = simulator_run(a)->system, *y = simulator_run(b)->system;
    int processes = x->processes < y->processes ? x->processes : y->processes;
    struct trace past_x = simulator_past(a), past_y = simulator_past(b);
    bool same = x->enabled == y->enabled && x->alive == y->alive;
    for (int p = 0; p < processes && same; p++)
        same = same_text(run_operation(simulator_run(a), &past_x, &system_pending(x, p)->op),
                         run_operation(simulator_run(b), &past_y, &system_pending(y, p)->op))
            && simulator_choices(a, p) == simulator_choices(b, p);
    struct object_words v = simulator_objects(a), w = simulator_objects(b);
    for (uint32_t i = 0; i < v.count && i < w.count && same && !x->group; i++)
        same = !strcmp(v.now[i], w.now[i]) && !strcmp(v.before[i], w.before[i]);
    simulator_free_objects(&v);
    simulator_free_objects(&w);
    return same;
}

/* A fresh start that follows the same scenario. */
static void compare_with_fresh(struct simulator *s, const struct job *j)
{
    struct path path;
    struct simulator *fresh;
    struct err err = { .text = "" };
    uint32_t position = simulator_position(s);
    simulator_path(s, &path);
    CHECK(simulator_position(s) == position);
    CHECK(simulator_new(&fresh, j, NULL, &err) == 0);
    int rc = simulator_load(fresh, &path, "x.path", &err);
    if (rc < 0)
        printf("%s: %s\n", program, err.text);
    CHECK(rc == 0 && simulator_position(fresh) == 0 && simulator_length(fresh) == simulator_length(s));
    bool same = rc == 0;
    for (uint32_t i = 0; same && i < simulator_length(s); i++)
        same = same_event(s, fresh, i);
    CHECK(same);
    CHECK(rc < 0 || simulator_move(fresh, position, &err) == 0);
    CHECK(rc < 0 || same_state(s, fresh));
    simulator_free(fresh);
    path_fini(&path);
}

/* ---- wandering ---- */

enum { MOST = 200 };
struct shadow { int process[MOST]; uint32_t choice[MOST], count, position, edition; };

static bool pick(struct simulator *s, struct random *r, int *process, uint32_t *choice)
{
    uint64_t enabled = simulator_run(s)->system->enabled;
    if (!enabled)
        return false;
    for (int skip = random_below(r, __builtin_popcountll(enabled)); skip; skip--)
        enabled &= enabled - 1;
    *process = __builtin_ctzll(enabled);
    *choice = (uint32_t)random_below(r, (int)simulator_choices(s, *process));
    return true;
}

static void note_go(struct shadow *w, int process, uint32_t choice)
{
    uint32_t at = w->position++;
    if (at < w->count && w->process[at] == process && w->choice[at] == choice)
        return;
    w->edition += at < w->count;
    w->process[at] = process;
    w->choice[at] = choice;
    w->count = at + 1;
}

static void check_shadow(struct simulator *s, const struct shadow *w)
{
    uint32_t changed_from;
    bool same = simulator_length(s) == w->count;
    for (uint32_t i = 0; same && i < w->count; i++)
        same = simulator_trace(s)->events[i].op.process == w->process[i] && simulator_trace(s)->events[i].choice == w->choice[i];
    CHECK(same);
    CHECK(simulator_position(s) == w->position);
    CHECK(simulator_edition(s, &changed_from) == w->edition && changed_from <= w->count);
}

/* Lets a process go and takes that back: nothing has changed. */
static void go_and_take_back(struct simulator *s, int process, uint32_t choice, const struct shadow *w)
{
    struct err err;
    CHECK(simulator_go(s, process, choice, &err) == 0);
    simulator_take_back(s);
    check_shadow(s, w);
}

static void wander(const struct job *j, uint64_t seed)
{
    struct random r = { seed };
    struct shadow w = { .count = 0 };
    struct simulator *s;
    struct err err = { .text = "" };
    int process;
    uint32_t choice;
    if (simulator_new(&s, j, NULL, &err) < 0) {
        CHECK(!"it starts");
        return;
    }
    for (int i = 0; i < 120 && w.position < MOST; i++) {
        uint64_t seq = simulator_seq(s);
        if (random_percent(&r, 25) || !pick(s, &r, &process, &choice)) {
            uint32_t to = (uint32_t)random_below(&r, (int)w.count + 1), from = w.position;
            struct simulator_work before = simulator_work(s), after;
            uint64_t ran = native_counts(simulator_run(s)->native).transitions;
            CHECK(simulator_move(s, w.position = to, &err) == 0);
            after = simulator_work(s);
            CHECK(after.executed == before.executed && native_counts(simulator_run(s)->native).transitions == ran);
            CHECK(after.again - before.again == (to > from ? to - from : 0));
            CHECK(after.undone - before.undone == (from > to ? from - to : 0));
        } else {
            if (random_percent(&r, 20))
                go_and_take_back(s, process, choice, &w);
            CHECK(simulator_go(s, process, choice, &err) == 0);
            note_go(&w, process, choice);
        }
        CHECK(simulator_seq(s) > seq);
        check_shadow(s, &w);
        if (i % 30 == 29)
            compare_with_fresh(s, j);
    }
    compare_with_fresh(s, j);
    simulator_free(s);
}

/* ---- what fails changes nothing ---- */

static void refuse(const struct job *j)
{
    static const char wrong[] = "verisoft-path 1\n1\n1\n1\n1\n1\n1\n1 no_such_operation(3)\n";
    struct simulator *s;
    struct path path;
    struct err err = { .text = "" };
    struct random r = { 7 };
    struct shadow w = { .count = 0 };
    int process;
    uint32_t choice;
    if (simulator_new(&s, j, NULL, &err) < 0)
        return;
    for (int i = 0; i < 12 && pick(s, &r, &process, &choice); i++) {
        CHECK(simulator_go(s, process, choice, &err) == 0);
        note_go(&w, process, choice);
    }
    simulator_move(s, w.position = w.count / 2, &err);
    CHECK(path_parse(&path, wrong, strlen(wrong), "wrong.path", &err) == 0);
    uint64_t seq = simulator_seq(s);
    CHECK(simulator_load(s, &path, "wrong.path", &err) < 0 && strstr(err.text, "wrong.path:"));
    CHECK(simulator_move(s, w.count + 1, &err) < 0);
    CHECK(simulator_seq(s) == seq);
    check_shadow(s, &w);
    compare_with_fresh(s, j);
    path_fini(&path);
    simulator_free(s);
}

/* ---- a long scenario ---- */

enum { LONG = 10000 };

/* Round and round: toss, send, receive. Nothing is wrong as long as the room stays cool. */
static void lengthen(struct simulator *s)
{
    struct err err;
    bool fine = true;
    for (int i = 0; i < LONG && fine; i++)
        fine = simulator_go(s, i % 3 < 2, 0, &err) == 0;
    CHECK(fine);
}

static bool costs(struct simulator *s, uint32_t to, uint64_t work)
{
    struct err err;
    struct simulator_work before = simulator_work(s);
    CHECK(simulator_move(s, to, &err) == 0);
    struct simulator_work after = simulator_work(s);
    uint64_t cost = after.again + after.undone - before.again - before.undone;
    return after.executed == before.executed && cost == work;
}

static void take_long_way(const struct job *j)
{
    struct simulator *s;
    struct err err = { .text = "" };
    const struct inside nobody = { .process = -1 };
    const uint32_t *from;
    if (simulator_new(&s, j, NULL, &err) < 0)
        return;
    lengthen(s);
    CHECK(simulator_length(s) == LONG);
    CHECK(native_counts(simulator_run(s)->native).transitions < 20);     /* a loop is a cycle of the history graph */
    CHECK(costs(s, LONG - 1, 1) && costs(s, LONG, 1) && costs(s, 5000, 5000) && costs(s, 5001, 1));
    CHECK(costs(s, 0, 5001) && costs(s, LONG, LONG));
    struct simulator_work before = simulator_work(s);
    json_t *where = view_where(s, &nobody, 0), *objects = view_objects(s);
    CHECK(json_array_size(json_object_get(where, "processes")) == 2 && json_array_size(objects) == 2);
    struct simulator_work after = simulator_work(s);
    CHECK(after.executed == before.executed && after.undone - before.undone <= 1 && after.again - before.again <= 1);
    for (uint32_t i = 2; i < LONG; i += 3)                                /* each receive took what the send before it sent */
        CHECK(simulator_took(s, i, &from) == 1 && from[0] == i - 1);
    json_decref(where);
    json_decref(objects);
    simulator_free(s);
}

/* It is hot, and the controller looks too late: its assertion fails, and it goes on. */
static void violate(const struct job *j)
{
    static const struct { int process; uint32_t choice; } steps[] = { { 1, 1 }, { 1, 0 }, { 0, 0 }, { 0, 0 }, { 1, 0 } };
    enum { COUNT = sizeof steps / sizeof *steps };
    struct simulator *s;
    struct err err = { .text = "" };
    enum error_kind kind;
    if (simulator_new(&s, j, NULL, &err) < 0)
        return;
    for (int i = 0; i < COUNT; i++)
        CHECK(simulator_go(s, steps[i].process, steps[i].choice, &err) == 0);
    for (uint32_t position = 0; position <= COUNT; position++) {
        CHECK(simulator_move(s, position, &err) == 0);
        for (uint32_t i = 0; i < COUNT; i++)
            CHECK(simulator_violated(s, i, &kind) == (i == 3) && (i != 3 || kind == ERROR_ASSERTION));
    }
    simulator_free(s);
}

static void compile(const char *what)
{
    char command[SCRATCH_ROOM + 1024];
    const char *cc = getenv("CC") ? getenv("CC") : "cc";
    program = what;
    snprintf(command, sizeof command, "%s -g -w -DVERIFY -Iinclude %s %s/verisoft-rt.o -o %s -pthread", cc, what,
             getenv("B") ? getenv("B") : "build", executable);
    CHECK(system(command) == 0);
}

int main(void)
{
    char folder[SCRATCH_ROOM];
    struct job j = job();
    if (!scratch_folder(folder, "simulator"))
        return 1;
    snprintf(executable, sizeof executable, "%s/program", folder);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        compile(programs[i]);
        for (uint64_t seed = 1; seed <= 4; seed++)
            wander(&j, seed);
        refuse(&j);
    }
    compile("examples/ac-controller/main.c");
    take_long_way(&j);
    violate(&j);
    unlink(executable);
    rmdir(folder);
    return failures != 0;
}
