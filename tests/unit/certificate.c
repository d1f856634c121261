/* Certificates of made-up programs: what is recorded is certified, with every state and transition that brute force counts; and every
 * change of one entry is rejected, or accepted with all of them executed. (certificate_bytes.c: files that nobody recorded.)
 *
 *     certificate [programs of a kind whose entries are changed]
 * SPDX-License-Identifier: MIT */
#include "certifier/merge.h"
#include "certifier/partition.h"
#include "check.h"
#include "scripted.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 3, OTHERS = 30, MOST = SCRIPTED_MOST };

/* ---- scripts as lists ---- */

/* States are named by what they were called in the script that was recorded: in a changed one the first entry that names a state enters
 * it. */
struct item { uint32_t label, to; };                             /* label BACK: an end */
struct list { struct item items[MOST]; uint32_t count, states; struct labels labels; };

static void load(struct list *list)
{
    struct err err;
    struct script_entry e;
    struct script *script = script_open(scripted_file, &err);
    *list = (struct list){ .states = (uint32_t)script_states(script) };
    while (script_next(script, &e, &err) > 0 && list->count < MOST)
        list->items[list->count++] = (struct item){ e.label, (uint32_t)e.to };
    for (uint32_t i = 0; i < script_labels(script)->count; i++) {
        const struct script_label *l = &script_labels(script)->all[i];
        labels_add(&list->labels, l->process, l->operation, l->outcome);
    }
    script_close(script);
}

struct naming { uint64_t number[MOST], next; bool known[MOST]; };

/* The number of a state in the script that is written; `is_new`: it is entered now. */
static uint64_t number_of(struct naming *n, uint32_t state, bool *is_new)
{
    *is_new = !n->known[state];
    if (*is_new) {
        n->known[state] = true;
        n->number[state] = n->next++;
    }
    return n->number[state];
}

static void save(const struct list *list)
{
    struct err err;
    uint64_t bytes;
    struct script_written written;
    struct script_writer *w = script_writer_new(SCRIPT_SEARCH, scripted_file, &err);
    struct naming naming = { .next = 0 };
    bool is_new;
    int depth = 1;
    number_of(&naming, 0, &is_new);
    for (uint32_t i = 0; i < list->labels.count; i++)
        labels_add(script_writer_labels(w), list->labels.all[i].process, list->labels.all[i].operation, list->labels.all[i].outcome);
    for (uint32_t i = 0; i < list->count && depth; i++) {
        const struct item *item = &list->items[i];
        if (item->label == BACK) {
            script_write_back(w);
            depth--;
            continue;
        }
        uint64_t to = number_of(&naming, item->to, &is_new);
        script_write_step(w, item->label, to);
        depth += is_new;
    }
    CHECK(!script_writer_end(w, &written) && !script_make(&written, script_writer_spool(w), &scripted_none, scripted_file, &bytes, &err));
    script_writer_free(w);
}

/* ---- changing ---- */

struct trial { struct system *system; const struct list *list; uint64_t states, transitions, rejected, accepted; };

/* ---- in parts ---- */

enum { PARTS = 3, SOME = 4 };
static char folder[SCRATCH_ROOM];

static bool follow_part(struct system *system, uint32_t part, struct merge *merge)
{
    char *map = partition_file(folder, part, "map"), *name = partition_file(folder, part, "part");
    struct certification c = { .result = CERTIFY_REJECTED };
    struct err err = { .text = "" };
    struct certify_settings settings = { .evidence = &scripted_none, .program = "made-up", .map = fopen(map, "w+") };
    struct script *script = script_open(name, &err);
    CHECK(script);
    CHECK(!certify(&settings, script, system, &c, &err));
    fclose(settings.map);
    script_close(script);
    bool well = c.result == CERTIFY_CERTIFIED && !merge_add(merge, map, &err);
    certification_fini(&c);
    unlink(name);
    free(name);
    free(map);
    return well;
}

/* Cut, each part followed, and the maps compared. */
static bool accepted_in_parts(struct system *system)
{
    struct partition cut = { .file = scripted_file, .folder = folder, .count = PARTS };
    uint64_t states = 0, claimed;
    struct err err = { .text = "" };
    struct merge merge = { .compared = 0 };
    struct script *script = script_open(scripted_file, &err);
    claimed = script_states(script);
    script_close(script);
    int rc = partition(&cut, &err);
    bool well = rc >= 0;
    CHECK(rc >= 0 || rc == -EBADMSG);
    for (uint32_t i = 0; i < cut.count; i++)
        well &= rc >= 0 && follow_part(system, i, &merge);
    CHECK(!well || !merge_count(&merge, &states, &err));
    for (uint32_t i = 0; i < PARTS; i++) {
        char *name = partition_file(folder, i, "part"), *map = partition_file(folder, i, "map");
        unlink(name);
        unlink(map);
        free(name);
        free(map);
    }
    merge_fini(&merge);
    return well && states == claimed;
}

static void try(struct trial *t, const struct list *changed, const char *what, uint32_t i, uint32_t j)
{
    static struct executed x;
    save(changed);
    struct certification c = scripted_follow(t->system, false);
    CHECK(c.result == CERTIFY_REJECTED || c.result == CERTIFY_CERTIFIED);
    bool parts = (t->rejected + t->accepted) % SOME == 0;
    if (parts && accepted_in_parts(t->system) != (c.result == CERTIFY_CERTIFIED)) {
        printf("%s in parts: %s %u %u\n", c.result == CERTIFY_CERTIFIED ? "rejected" : "accepted", what, i, j);
        failures++;
    }
    if (c.result == CERTIFY_REJECTED) {
        CHECK(!c.path_there || c.message);
        t->rejected++;
    } else {
        scripted_execute(t->system, &x);
        if (x.states != t->states || x.transitions != t->transitions) {
            printf("accepted: %s %u %u, with %u states and %u transitions\n", what, i, j, x.states, x.transitions);
            failures++;
        }
        t->accepted++;
    }
    certification_fini(&c);
}

static struct list changed;

static void remove_entries(struct trial *t)
{
    for (uint32_t i = 0; i < t->list->count; i++) {
        changed = *t->list;
        memmove(&changed.items[i], &changed.items[i + 1], (changed.count-- - i - 1) * sizeof *changed.items);
        try(t, &changed, "removed", i, 0);
    }
}

static void add_entries(struct trial *t)
{
    for (uint32_t i = 0; i <= t->list->count; i++)
        for (uint32_t j = 0; j < t->list->count; j++) {
            changed = *t->list;
            memmove(&changed.items[i + 1], &changed.items[i], (changed.count++ - i) * sizeof *changed.items);
            changed.items[i] = t->list->items[j];
            try(t, &changed, "added", i, j);
        }
}

static void exchange_entries(struct trial *t)
{
    for (uint32_t i = 0; i < t->list->count; i++)
        for (uint32_t j = i + 1; j < t->list->count; j++) {
            changed = *t->list;
            changed.items[i] = t->list->items[j];
            changed.items[j] = t->list->items[i];
            try(t, &changed, "exchanged", i, j);
        }
}

/* Another state, also one that there is not; another label. */
static void change_entries(struct trial *t)
{
    for (uint32_t i = 0; i < t->list->count; i++) {
        if (t->list->items[i].label == BACK)
            continue;
        for (uint32_t state = 0; state <= t->list->states; state++) {
            changed = *t->list;
            changed.items[i].to = state;
            if (state != t->list->items[i].to)
                try(t, &changed, "another state", i, state);
        }
        for (uint32_t label = 1; label <= t->list->labels.count; label++) {
            changed = *t->list;
            changed.items[i].label = label;
            if (label != t->list->items[i].label)
                try(t, &changed, "another label", i, label);
        }
    }
}

/* The lie that fingerprints are for: of a state it is said, wherever it is led to, that it is another one, and its region is left out. */
static void leave_out_regions(struct trial *t)
{
    for (uint32_t i = 0; i < t->list->count; i++)
        for (uint32_t other = 0; other < t->list->states; other++) {
            struct naming naming = { .next = 0 };
            bool is_new, entered = false;
            uint32_t state = t->list->items[i].to;
            int depth = 0;
            number_of(&naming, 0, &is_new);
            changed = *t->list;
            changed.count = 0;
            for (uint32_t j = 0; j < t->list->count; j++) {
                struct item item = t->list->items[j];
                is_new = false;
                if (item.label != BACK)
                    number_of(&naming, item.to, &is_new);
                if (!depth) {
                    item.to = item.label != BACK && item.to == state ? other : item.to;
                    changed.items[changed.count++] = item;
                }
                entered |= j == i && is_new;
                depth += (depth || (j == i && is_new)) ? item.label == BACK ? -1 : is_new : 0;
            }
            if (t->list->items[i].label != BACK && other != state && entered)
                try(t, &changed, "left out", i, other);
        }
}

/* ---- programs ---- */

static void check_whole(const struct subject *s)
{
    struct search_result searched = scripted_record(s->system, SCRIPT_SEARCH);
    CHECK(searched.counts.states == s->states && searched.counts.transitions == s->transitions);
    struct certification c = scripted_follow(s->system, false);
    if (c.result != CERTIFY_CERTIFIED)
        printf("program %" PRIu64 ": %s\n", s->seed, c.message);
    CHECK(c.result == CERTIFY_CERTIFIED && c.states == s->states && c.transitions == s->transitions);
    CHECK(accepted_in_parts(s->system));
    certification_fini(&c);
}

static void check_changes(const struct subject *s)
{
    static struct list list;
    load(&list);
    struct trial t = { .system = s->system, .list = &list, .states = s->states, .transitions = s->transitions };
    try(&t, &list, "as it was", 0, 0);
    CHECK(t.accepted == 1);
    remove_entries(&t);
    add_entries(&t);
    exchange_entries(&t);
    change_entries(&t);
    leave_out_regions(&t);
    CHECK(t.rejected > t.accepted);
    labels_fini(&list.labels);
}

static void check_trustful(struct system *system)
{
    struct search_result r = scripted_record(system, SCRIPT_TRUSTFUL);
    struct certification c = scripted_follow(system, true);
    CHECK(c.result == CERTIFY_CERTIFIED && c.states == r.counts.states && c.transitions == r.counts.states - 1);
    certification_fini(&c);
}

static void check(int exhaustively, int others, bool shares)
{
    for (uint64_t seed = 1; exhaustively || others; seed++) {
        static struct subject s;
        scripted_open(&s, seed, shares);
        bool small = exhaustively && s.small, any = s.suits && (small || others);
        if (any)
            check_whole(&s);
        if (small)
            check_changes(&s);
        if (any)
            check_trustful(s.system);
        exhaustively -= small;
        others -= any && others;
        scripted_close(&s);
    }
}

int main(int argc, char **argv)
{
    CHECK(scratch_file(scripted_file, "certificate") && scratch_folder(folder, "parts"));
    check(argc > 1 ? atoi(argv[1]) : PROGRAMS, OTHERS, false);
    check(argc > 1 ? atoi(argv[1]) : PROGRAMS - 1, OTHERS, true);
    unlink(scripted_file);
    CHECK(!rmdir(folder));
    return failures != 0;
}
