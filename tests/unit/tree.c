/* Certificates of reduced searches, on made-up programs. What `source` and `optimal` leave of the executions is certified; and of small
 * ones every change of a tree is rejected, or leaves an execution of each kind in it, by an independent count of these.
 *
 *     tree [programs [first seed]]
 * SPDX-License-Identifier: MIT */
#include "certifier/partition.h"
#include "certifier/tree.h"
#include "certifier/tree_part.h"
#include "certifier/tree_record.h"
#include "check.h"
#include "generate.h"
#include "melee.h"
#include "scratch.h"
#include "search/search.h"
#include "stage.h"
#include "traces.h"
#include "troupe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TRANSITIONS = 20000, MOST_STEPS = 64, MOST_EXECUTIONS = 512, LEAST_TRACES = 2, SMALL_TRACES = 14, SMALL_DEPTH = 14, EVERY = 5 };           /* changes that are tried in parts, too */

static char file[SCRATCH_ROOM], folder[SCRATCH_ROOM];
static struct fields none;
static uint64_t tried, rejected_count, accepted_count, in_vain, apart;

/* ---- trees as lists ---- */

struct execution { struct tree_step steps[MOST_STEPS]; uint32_t count; };
struct list { struct execution all[MOST_EXECUTIONS]; uint32_t count; };

static void load(struct list *list)
{
    struct err err;
    uint32_t back, count;
    struct execution e = { .count = 0 };
    struct tree_file *tree = tree_open(file, &err);
    list->count = 0;
    while (tree_next(tree, &back, &count, &err) > 0 && list->count < MOST_EXECUTIONS) {
        e.count -= back;
        for (; count; count--)
            CHECK(!tree_next_step(tree, &e.steps[e.count++], &err));
        list->all[list->count++] = e;
    }
    tree_close(tree);
}

static bool same_step(struct tree_step a, struct tree_step b) { return a.process == b.process && a.choice == b.choice; }

static uint32_t common(const struct execution *a, const struct execution *b)
{
    uint32_t same = 0;
    while (same < a->count && same < b->count && same_step(a->steps[same], b->steps[same]))
        same++;
    return same;
}

static void save(const struct list *list)
{
    struct err err;
    uint64_t bytes;
    struct execution nothing = { .count = 0 };
    struct tree_writer *w = tree_writer_new(file, &err);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct execution *before = i ? &list->all[i - 1] : &nothing, *e = &list->all[i];
        uint32_t same = common(before, e);
        tree_write(w, before->count - same, e->steps + same, e->count - same);
    }
    CHECK(!tree_writer_finish(w, &none, file, &bytes, &err));
    tree_writer_free(w);
}

/* ---- searching and following ---- */

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)self, (void)kind, (void)process, (void)path, (void)depth;
    return GO_ON;
}

static struct search_result search(struct system *system, enum reduction reduction, bool check)
{
    struct search_settings settings = { .strategy = SEARCH_DFS, .reduction = reduction, .accountable = true, .check = check };
    struct tree_record *record = tree_record_new(file, WATCHER_BACK);
    struct watcher watcher = { .self = record, .found = found, .execution = tree_record_execution };
    struct search_result result;
    struct err err;
    uint64_t bytes;
    tree_record_begin(record, system);
    CHECK(!search_run(system, &settings, &watcher, &result, &err));
    CHECK(!tree_record_finish(record, &none, &bytes, &err));
    tree_record_free(record);
    return result;
}

static struct certification follow(struct system *system)
{
    struct certify_settings settings = { .evidence = &none, .ignore_deadlock = true, .program = "made-up" };
    struct certification c = { .result = CERTIFY_REJECTED };
    struct err err = { .text = "" };
    struct tree_file *tree = tree_open(file, &err);
    if (tree && tree_certify(&settings, tree, system, &c, &err)) {
        printf("%s\n", err.text);
        failures++;
    }
    tree_close(tree);
    return c;
}

static bool follow_part(struct system *system, uint32_t part, struct tree_merge *merge)
{
    char map[SCRATCH_ROOM + 8], *name = partition_file(folder, part, "part");
    struct err err = { .text = "" };
    struct certification c = { .result = CERTIFY_REJECTED };
    snprintf(map, sizeof map, "%s/map", folder);
    struct certify_settings settings = { .evidence = &none, .ignore_deadlock = true, .program = "made-up", .map = fopen(map, "w") };
    struct tree_file *tree = tree_open(name, &err);
    CHECK(settings.map && tree && !tree_certify(&settings, tree, system, &c, &err));
    fclose(settings.map);
    CHECK(!tree_merge_add(merge, map, &err));
    tree_close(tree);
    certification_fini(&c);
    unlink(map);
    unlink(name);
    free(name);
    return c.result == CERTIFY_CERTIFIED;
}

/* In parts; `differs`: they do not agree about what depends on what, and nothing is said. */
static bool accepted_in_parts(struct system *system, uint32_t count, bool *differs)
{
    struct err err = { .text = "" };
    struct tree_merge merge = { .begun = false };
    bool well = !tree_partition(file, folder, &count, &err);
    for (uint32_t i = 0; i < count; i++)
        well &= follow_part(system, i, &merge);
    *differs = merge.differs;
    well = well && tree_merge_agrees(&merge);
    tree_merge_fini(&merge);
    return well;
}

/* ---- changes ---- */

struct trial { struct system *system; const struct list *list; uint64_t seed, traces; };

static uint64_t kinds_in(struct system *system, const struct list *list)
{
    struct traces *t = traces_new(system);
    struct step steps[MOST_STEPS] = { { 0 } };
    uint64_t kinds = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        for (uint32_t k = 0; k < list->all[i].count; k++)
            steps[k] = (struct step){ .process = list->all[i].steps[k].process, .choice = list->all[i].steps[k].choice };
        kinds = traces_add(t, steps, list->all[i].count);
    }
    traces_free(t);
    return kinds;
}

static void try(const struct trial *t, const struct list *changed, const char *what, uint32_t where, uint32_t how)
{
    save(changed);
    struct certification c = follow(t->system);
    tried++;
    CHECK(c.result == CERTIFY_CERTIFIED || c.result == CERTIFY_REJECTED);
    if (c.result == CERTIFY_CERTIFIED && kinds_in(t->system, changed) != t->traces) {
        printf("program %" PRIu64 ": accepted: %s %u %u, but executions are missing\n", t->seed, what, where, how);
        failures++;
    }
    bool apart_too = tried % EVERY == 0, differs = true, parts = apart_too && accepted_in_parts(t->system, 2 + tried % 3, &differs);
    if (!differs && parts != (c.result == CERTIFY_CERTIFIED)) {
        printf("program %" PRIu64 ": %s in parts, and not as a whole: %s %u %u\n", t->seed, parts ? "accepted" : "rejected", what, where, how);
        failures++;
    }
    rejected_count += c.result == CERTIFY_REJECTED;
    accepted_count += c.result == CERTIFY_CERTIFIED;
    certification_fini(&c);
}

static void take_out(struct list *list, uint32_t from, uint32_t to)
{
    memmove(&list->all[from], &list->all[to], (list->count - to) * sizeof *list->all);
    list->count -= to - from;
}

/* The executions that begin with the first `depth` steps of this one are those up to here. */
static uint32_t subtree_end(const struct list *list, uint32_t from, uint32_t depth)
{
    uint32_t to = from + 1;
    while (to < list->count && common(&list->all[from], &list->all[to]) >= depth)
        to++;
    return to;
}

static bool begins_subtree(const struct list *list, uint32_t at, uint32_t depth)
{
    return !at || common(&list->all[at - 1], &list->all[at]) < depth;
}

static void remove_subtrees(const struct trial *t)
{
    static struct list changed;
    for (uint32_t i = 0; i < t->list->count; i++)
        for (uint32_t depth = 1; depth <= t->list->all[i].count; depth++) {
            if (!begins_subtree(t->list, i, depth))
                continue;
            changed = *t->list;
            take_out(&changed, i, subtree_end(t->list, i, depth));
            try(t, &changed, "a subtree removed", i, depth);
        }
}

static void cut_executions(const struct trial *t)
{
    static struct list changed;
    for (uint32_t i = 0; i < t->list->count; i++)
        for (uint32_t less = 1; less <= t->list->all[i].count; less++) {
            changed = *t->list;
            changed.all[i].count -= less;
            try(t, &changed, "an execution cut", i, less);
        }
}

static void exchange_siblings(const struct trial *t)
{
    static struct list changed;
    const struct list *list = t->list;
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t depth = 1; depth <= list->all[i].count; depth++) {
            uint32_t middle = subtree_end(list, i, depth);
            if (!begins_subtree(list, i, depth) || middle == list->count || common(&list->all[i], &list->all[middle]) != depth - 1)
                continue;
            uint32_t end = subtree_end(list, middle, depth);
            changed = *list;
            memcpy(&changed.all[i], &list->all[middle], (end - middle) * sizeof *list->all);
            memcpy(&changed.all[i + end - middle], &list->all[i], (middle - i) * sizeof *list->all);
            try(t, &changed, "siblings exchanged", i, depth);
        }
}

static void change_steps(const struct trial *t)
{
    static struct list changed;
    for (uint32_t i = 0; i < t->list->count; i++)
        for (uint32_t k = 0; k < t->list->all[i].count; k++) {
            for (uint32_t p = 0; p <= (uint32_t)t->system->processes; p++) {
                changed = *t->list;
                changed.all[i].steps[k].process = p;
                try(t, &changed, "a process changed", i, k);
            }
            for (uint32_t c = 0; c < 3; c++) {
                changed = *t->list;
                changed.all[i].steps[k].choice = c;
                try(t, &changed, "a result changed", i, k);
            }
            if (!k)
                continue;
            changed = *t->list;
            changed.all[i].steps[k] = t->list->all[i].steps[k - 1];
            changed.all[i].steps[k - 1] = t->list->all[i].steps[k];
            try(t, &changed, "steps exchanged", i, k);
        }
}

static void repeat_executions(const struct trial *t)
{
    static struct list changed;
    for (uint32_t i = 0; i < t->list->count; i++)
        for (uint32_t k = 0; k < t->list->count && t->list->count < MOST_EXECUTIONS; k++) {
            changed = *t->list;
            changed.all[changed.count++] = t->list->all[i];
            for (uint32_t n = changed.count - 1; n > k; n--) {
                struct execution e = changed.all[n];
                changed.all[n] = changed.all[n - 1];
                changed.all[n - 1] = e;
            }
            try(t, &changed, "an execution repeated", i, k);
        }
}

static void check_changes(struct system *system, uint64_t seed, uint64_t traces)
{
    static struct list list;
    load(&list);
    struct trial t = { system, &list, seed, traces };
    uint64_t accepted = accepted_count;
    try(&t, &list, "as it was", 0, 0);
    CHECK(accepted_count == accepted + 1);
    remove_subtrees(&t);
    cut_executions(&t);
    exchange_siblings(&t);
    change_steps(&t);
    repeat_executions(&t);
}

/* ---- programs ---- */

/* False: it is not what was wanted, or too large. */
static bool check_program(struct system *system, const char *kind, uint64_t seed, bool exhaustively, bool *small)
{
    uint64_t traces = traces_count(system, MOST_TRANSITIONS, NULL);
    *small = false;
    if (traces == UINT64_MAX || traces < LEAST_TRACES)
        return false;
    for (enum reduction r = REDUCTION_SOURCE; r <= REDUCTION_OPTIMAL; r++) {
        struct search_result result = search(system, r, seed % 2);
        struct certification c = follow(system);
        if (c.result != CERTIFY_CERTIFIED)
            printf("%s %" PRIu64 ", %s: %s\n", kind, seed, search_reduction_names[r], c.message);
        CHECK(c.result == CERTIFY_CERTIFIED);
        if (c.result == CERTIFY_CERTIFIED && (c.executions != traces || c.executions != result.counts.executions || c.transitions < traces)) {
            printf("%s %" PRIu64 ", %s: %" PRIu64 " executions, should be %" PRIu64 "\n", kind, seed, search_reduction_names[r], c.executions,
                   traces);
            failures++;
        }
        bool differs, parts = accepted_in_parts(system, 4, &differs);
        CHECK(parts || differs);
        apart += differs;
        in_vain += r == REDUCTION_OPTIMAL ? result.counts.sleep_cut : 0;
        certification_fini(&c);
        *small = exhaustively && traces <= SMALL_TRACES && result.counts.max_depth <= SMALL_DEPTH;
        if (*small)
            check_changes(system, seed, traces);
    }
    return true;
}

static void check_objects(uint64_t seed, int exhaustively, int others)
{
    bool small;
    for (; exhaustively || others; seed++) {
        struct melee program;
        melee_make_up(&program, seed);
        melee_open(&program);
        bool any = check_program(program.system, "objects", seed, exhaustively, &small);
        exhaustively -= small;
        others -= any && others;
        melee_close(&program);
    }
}

static void check_bystander(void)
{
    bool small;
    struct melee program;
    melee_bystander(&program);
    melee_open(&program);
    CHECK(check_program(program.system, "bystander", 0, true, &small) && small);
    melee_close(&program);
}

static bool violates(const struct program *program)
{
    struct brute brute;
    struct world first;
    world_begin(program, &first);
    brute_init(&brute, program, &first, 20000);
    bool so = brute.violation_count || brute.complete != UINT32_MAX;
    brute_fini(&brute);
    return so;
}

static void check_processes(uint64_t seed, int exhaustively, int others)
{
    bool small, any;
    for (; exhaustively || others; seed++) {
        struct program program;
        struct stage stage;
        generate(&program, seed);
        if (violates(&program))
            continue;
        stage_open(&stage, &program, RULES_NONE, MERGE);
        any = check_program(stage.system, "processes", seed, exhaustively, &small);
        exhaustively -= small;
        others -= any && others;
        stage_close(&stage);
    }
}

/* They assert what is never true: that is left out. */
static void make_up(struct sharing *p, uint64_t seed)
{
    sharing_make_up(p, seed);
    for (int i = 0; i < p->length[0]; i++)
        if (p->code[0][i].kind == AT_ASSERT)
            p->code[0][i].kind = TO_NOTHING;
}

static void check_threads(uint64_t seed, int exhaustively, int others)
{
    bool small;
    for (; exhaustively || others; seed++) {
        struct sharing program;
        struct troupe troupe;
        make_up(&program, seed);
        troupe_open(&troupe, &program, false);
        bool any = check_program(troupe.system, "threads", seed, exhaustively, &small);
        exhaustively -= small;
        others -= any && others;
        troupe_close(&troupe);
    }
}

int main(int argc, char **argv)
{
    int programs = argc > 1 ? atoi(argv[1]) : 60;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    CHECK(scratch_file(file, "tree") && scratch_folder(folder, "tree-parts"));
    check_bystander();
    check_objects(first, programs / 40, programs);
    check_processes(first, programs / 40, programs);
    check_threads(first, programs / 40, programs);
    unlink(file);
    CHECK(!rmdir(folder));
    printf("tree: %" PRIu64 " changes, %" PRIu64 " rejected; %" PRIu64 " executions of optimal in vain; %" PRIu64 " trees not to be cut\n", tried,
           rejected_count, in_vain, apart);
    return failures != 0;
}
