/* Real programs, run natively: whatever is parked, forgotten and run again, every start of a program comes to the same local
 * states, and the search to the same numbers.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/texts.h"
#include "native/native.h"
#include "scratch.h"
#include "search/search.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const programs[] = {
    "examples/ac-controller/main2.c", "examples/readers-writers.c", "examples/alternating-bit.c", "examples/leader-election.c",
    "examples/philosophers.c",
};

struct told {                                            /* what one start of a program came to */
    struct search_result result;
    uint64_t             local_states, sum[2];           /* of all processes; sums of the fingerprints do not depend on order */
    struct native_counts counts;
    bool                 comparable;
};

static int failures;

static void check(bool right, const char *program, const char *what)
{
    if (right)
        return;
    printf("%s: %s\n", program, what);
    failures++;
}

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)process, (void)path, (void)depth;
    *(bool *)self |= kind == ERROR_NONDETERMINISM;
    return GO_ON;
}

static void add_up(const struct system *s, struct told *told)
{
    for (int p = 0; p < s->processes; p++)
        for (uint32_t i = 0; i < s->graphs[p].count; i++) {
            told->sum[0] += s->graphs[p].nodes[i].fingerprint[0];
            told->sum[1] += s->graphs[p].nodes[i].fingerprint[1];
            told->local_states++;
        }
}

static struct told search(const char *program, const char *executable, int max_parked)
{
    struct native_settings settings = { .executable = executable, .divergence_limit = 10, .output = -1, .input = -1, .max_parked = max_parked };
    struct search_settings how = { .strategy = SEARCH_STATEFUL };
    struct told told = { 0 };
    struct err err = { .text = "" };
    struct start start;
    struct native *native;
    struct history *history = history_new();
    bool differed = false;
    struct watcher watcher = { .self = &differed, .found = found };
    struct texts *texts = texts_new();
    int rc = native_start(&native, &settings, history, texts, &start, &err);
    check(rc == 0, program, err.text);
    if (rc == 0) {
        struct system *system = system_new(&(struct system_parts){ .start = &start, .history = history, .runner = native_runner(native), .texts = texts }, &err);
        check(search_run(system, &how, &watcher, &told.result, &err) == 0, program, err.text);
        check(!differed, program, "a history that was run again came to something else");
        add_up(system, &told);
        told.counts = native_counts(native);
        told.comparable = native_comparable(native);
        system_free(system);
        native_stop(native);
    }
    history_free(history);
    texts_free(texts);
    return told;
}

static void compare(const char *program, const struct told *a, const struct told *b)
{
    check(a->result.counts.states == b->result.counts.states, program, "the number of states differs between two starts");
    check(a->result.counts.transitions == b->result.counts.transitions, program, "the number of transitions differs");
    check(a->local_states == b->local_states, program, "the number of local states differs");
    if (a->comparable && b->comparable)
        check(!memcmp(a->sum, b->sum, sizeof a->sum), program, "the fingerprints differ between two starts");
}

static void try_program(const char *program, const char *folder)
{
    char executable[SCRATCH_ROOM + 16], command[SCRATCH_ROOM + 1024];
    const char *cc = getenv("CC") ? getenv("CC") : "cc";
    snprintf(executable, sizeof executable, "%s/program", folder);
    snprintf(command, sizeof command, "%s -g -w -DVERIFY -Iinclude %s %s/verisoft-rt.o -o %s", cc, program,
             getenv("B") ? getenv("B") : "build", executable);
    check(system(command) == 0, program, "does not compile");
    struct told all = search(program, executable, 0), again = search(program, executable, 0);
    compare(program, &all, &again);
    for (int parked = 1; parked <= 3; parked += 2) {
        struct told few = search(program, executable, parked);
        compare(program, &all, &few);
        check(few.counts.transitions >= all.counts.transitions, program, "ran less with fewer parked");
    }
    printf("%s: %llu local states, %llu native transitions\n", program, (unsigned long long)all.local_states,
           (unsigned long long)all.counts.transitions);
    unlink(executable);
}

/* A start leaves the number of its core in memory, and whoever starts the next one may have been moved by then. */
static void stay_on_this_core(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one))
        printf("starts on different cores are not compared\n");
}

int main(void)
{
    stay_on_this_core();
    char folder[SCRATCH_ROOM];
    if (!scratch_folder(folder, "native"))
        return 1;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        try_program(programs[i], folder);
    rmdir(folder);
    return failures != 0;
}
