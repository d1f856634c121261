/* Certificates of made-up programs: what is recorded is certified, with every state and transition that brute force counts; and every
 * change of one entry is rejected, or accepted with all of them executed.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/memory.h"
#include "base/sha256.h"
#include "certifier/certify.h"
#include "certifier/merge.h"
#include "certifier/partition.h"
#include "certifier/record.h"
#include "certifier/wording.h"
#include "check.h"
#include "generate.h"
#include "random.h"
#include "scratch.h"
#include "search/search.h"
#include "stage.h"
#include "troupe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 3, LEAST_STATES = 5, MOST = 4096 };
static const struct small { uint64_t states, transitions; } small_processes = { 12, 24 }, small_threads = { 30, 36 };    /* at most */

static char file[SCRATCH_ROOM];
static struct fields none;

/* ---- recording ---- */

static enum verdict found(void *self, enum error_kind kind, int process, const struct step *path, uint32_t depth)
{
    (void)self, (void)kind, (void)process, (void)path, (void)depth;
    return STOP;
}

static struct search_result search(struct system *system, struct record *record)
{
    struct search_settings settings = { .strategy = SEARCH_STATEFUL };
    struct watcher watcher = { .self = record, .found = found, .transition = record_transition };
    struct search_result result;
    struct err err;
    uint64_t bytes;
    record_begin(record, system);
    CHECK(!search_run(system, &settings, &watcher, &result, &err));
    CHECK(!record_finish(record, &none, &bytes, &err));
    return result;
}

static struct certification follow(struct system *system, bool trustful)
{
    struct certify_settings settings = { .evidence = &none, .trustful = trustful, .program = "made-up" };
    struct certification c = { .result = CERTIFY_REJECTED };
    struct err err = { .text = "" };
    struct script *script = script_open(file, &err);
    if (script && certify(&settings, script, system, &c, &err)) {
        printf("%s\n", err.text);
        failures++;
    }
    script_close(script);
    return c;
}

/* ---- scripts as lists ---- */

/* States are named by what they were called in the script that was recorded: in a changed one the first entry that names a state enters
 * it. */
struct item { uint32_t label, to; };                             /* label BACK: an end */
struct list { struct item items[MOST]; uint32_t count, states; struct labels labels; };

static void load(struct list *list)
{
    struct err err;
    struct script_entry e;
    struct script *script = script_open(file, &err);
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
    struct script_writer *w = script_writer_new(SCRIPT_SEARCH, file, &err);
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
    CHECK(!script_writer_end(w, &written) && !script_make(&written, script_writer_spool(w), &none, file, &bytes, &err));
    script_writer_free(w);
}

/* ---- was everything executed? ---- */

struct executed { uint64_t state[MOST][2], from[MOST][2]; uint32_t process[MOST], choice[MOST], states, transitions; };

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

/* Walks along the file without asking whether it tells the truth. */
static void execute(struct system *system, struct executed *x)
{
    struct err err;
    struct script_entry e;
    struct step path[MOST];
    uint32_t depth = 0;
    uint64_t f[2];
    struct wording wording = { 0 };
    struct script *script = script_open(file, &err);
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

/* ---- changing ---- */

struct trial { struct system *system; const struct list *list; uint64_t seed, states, transitions, rejected, accepted; };

/* ---- in parts ---- */

enum { PARTS = 3, SOME = 4 };
static char folder[SCRATCH_ROOM];

static bool follow_part(struct system *system, uint32_t part, struct merge *merge)
{
    char *map = partition_file(folder, part, "map"), *name = partition_file(folder, part, "part");
    struct certification c = { .result = CERTIFY_REJECTED };
    struct err err = { .text = "" };
    struct certify_settings settings = { .evidence = &none, .program = "made-up", .map = fopen(map, "w+") };
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
    struct partition cut = { .file = file, .folder = folder, .count = PARTS };
    uint64_t states = 0, claimed;
    struct err err = { .text = "" };
    struct merge merge = { .compared = 0 };
    struct script *script = script_open(file, &err);
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
    struct certification c = follow(t->system, false);
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
        execute(t->system, &x);
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

/* ---- any bytes ---- */

enum { DAMAGES = 1500 };

struct bytes { uint8_t all[1 << 16]; uint32_t count; };

static struct bytes read_file(void)
{
    static struct bytes b;
    FILE *in = fopen(file, "rb");
    b.count = (uint32_t)fread(b.all, 1, sizeof b.all, in);
    fclose(in);
    return b;
}

static void write_file(const struct bytes *b)
{
    FILE *out = fopen(file, "wb");
    fwrite(b->all, 1, b->count, out);
    fclose(out);
}

static void damage(struct bytes *b, struct random *random)
{
    for (uint32_t times = 1 + random_next(random) % 3; times && b->count; times--) {
        uint32_t at = (uint32_t)(random_next(random) % b->count), how = (uint32_t)(random_next(random) % 4);
        if (how == 0)
            memmove(&b->all[at], &b->all[at + 1], b->count-- - at - 1);
        else if (how == 1)
            b->all[at] = (uint8_t)random_next(random);
        else if (how == 2)
            b->all[at] = (uint8_t)(random_next(random) % 16);    /* an entry, as like as not */
        else if (b->count + 1 < sizeof b->all)
            memmove(&b->all[at + 1], &b->all[at], b->count++ - at);
    }
}

/* The same header, with the length that the bytes behind it have now. */
static void write_behind_header(const struct bytes *whole, uint32_t header, const struct bytes *script)
{
    static struct bytes all;
    const char *name = "script-bytes: ";
    char *at = memmem(whole->all, header, name, strlen(name));
    all.count = (uint32_t)snprintf((char *)all.all, sizeof all.all, "%.*s%s%u\n\n", (int)(at - (char *)whole->all), (char *)whole->all, name,
                                   script->count);
    memcpy(all.all + all.count, script->all, script->count);
    all.count += script->count;
    write_file(&all);
}

/* Of a damaged file nothing is believed, and nobody falls over it. */
static void survive(struct trial *t, uint32_t i)
{
    static struct executed x;
    struct certification c = follow(t->system, false);
    if (c.result == CERTIFY_CERTIFIED) {
        execute(t->system, &x);
        if (x.states != t->states || x.transitions != t->transitions) {
            printf("accepted: damage %u\n", i);
            failures++;
        }
    }
    t->rejected += c.result == CERTIFY_REJECTED;
    certification_fini(&c);
}

static void check_damages(struct trial *t)
{
    struct random random = { t->seed };
    uint64_t rejected = t->rejected;
    save(t->list);
    static struct bytes whole, bad;
    whole = read_file();
    uint32_t header = (uint32_t)((uint8_t *)memmem(whole.all, whole.count, "\n\n", 2) - whole.all) + 2;
    for (uint32_t i = 0; i < DAMAGES; i++) {
        bad = whole;
        if (i % 4) {
            bad.count -= header;
            memcpy(bad.all, whole.all + header, bad.count);
        }
        damage(&bad, &random);
        if (i % 4)
            write_behind_header(&whole, header, &bad);
        else
            write_file(&bad);
        survive(t, i);
    }
    CHECK(t->rejected - rejected > DAMAGES / 2);
}

/* ---- a file of a few bytes that would go on for long ---- */

static bool suits(const struct brute *b)
{
    for (uint32_t i = 0; i < b->states; i++)
        if (b->deadlock[i])
            return false;
    return b->complete == UINT32_MAX && !b->violation_count && b->states >= LEAST_STATES;
}

enum { ROUNDS = 200000, SEEN_AT = 1 << 16 };     /* SEEN_AT: RECOUNT_FEW of certify.c */

/* Steps that the program can take, one after the other, each of which is said to lead to a new state; false: it comes to an end. */
static bool write_rounds(struct system *system)
{
    struct step *path = malloc(ROUNDS * sizeof *path);
    struct wording wording = { 0 };
    struct err err;
    struct script_written written;
    uint64_t bytes;
    uint32_t depth = 0;
    struct script_writer *w = script_writer_new(SCRIPT_SEARCH, file, &err);
    while (depth < ROUNDS && system->enabled) {
        int process = 63 - __builtin_clzll(system->enabled);
        uint32_t node = system->node[process];
        if (system_execute(system, process, 0, &path[depth], &err) != STEP_TAKEN)
            break;
        uint32_t label = wording_label(&wording, system, script_writer_labels(w), UNWORDED_ADD, (uint32_t)process, node, path[depth].result);
        script_write_step(w, label, ++depth);
    }
    bool goes_on = depth == ROUNDS;
    while (depth)
        system_undo(system, &path[--depth]);
    for (uint32_t i = 0; i <= ROUNDS && goes_on; i++)
        script_write_back(w);
    CHECK(!goes_on || (!script_writer_end(w, &written) && !script_make(&written, script_writer_spool(w), &none, file, &bytes, &err)));
    script_writer_free(w);
    wording_fini(&wording);
    free(path);
    return goes_on;
}

/* A script that calls the same states new again and again is rejected before it comes to its end. */
static void check_rounds(void)
{
    bool found = false;
    for (uint64_t seed = 1; !found; seed++) {
        struct program program;
        struct stage stage;
        struct brute brute;
        struct world first;
        generate(&program, seed);
        world_begin(&program, &first);
        brute_init(&brute, &program, &first, 20000);
        stage_open(&stage, &program, RULES_NONE, MERGE);
        found = suits(&brute) && write_rounds(stage.system);
        if (found) {
            struct certification c = follow(stage.system, false);
            CHECK(c.result == CERTIFY_REJECTED && c.states <= SEEN_AT);
            certification_fini(&c);
        }
        stage_close(&stage);
        brute_fini(&brute);
    }
}

/* ---- programs ---- */

struct truth { uint64_t seed, states, transitions; };            /* of a program, by brute force */

static void check_whole(struct system *system, const struct truth *truth)
{
    struct record *record = record_new(SCRIPT_SEARCH, RECORD_ONCE, file);
    struct search_result searched = search(system, record);
    record_free(record);
    CHECK(searched.counts.states == truth->states && searched.counts.transitions == truth->transitions);
    struct certification c = follow(system, false);
    if (c.result != CERTIFY_CERTIFIED)
        printf("program %" PRIu64 ": %s\n", truth->seed, c.message);
    CHECK(c.result == CERTIFY_CERTIFIED && c.states == truth->states && c.transitions == truth->transitions);
    CHECK(accepted_in_parts(system));
    certification_fini(&c);
}

static void check_changes(struct system *system, const struct truth *truth)
{
    static struct list list;
    load(&list);
    struct trial t = { .system = system, .list = &list, .seed = truth->seed, .states = truth->states, .transitions = truth->transitions };
    try(&t, &list, "as it was", 0, 0);
    CHECK(t.accepted == 1);
    remove_entries(&t);
    add_entries(&t);
    exchange_entries(&t);
    change_entries(&t);
    leave_out_regions(&t);
    check_damages(&t);
    CHECK(t.rejected > t.accepted);
    labels_fini(&list.labels);
}

static void check_trustful(struct system *system)
{
    struct record *record = record_new(SCRIPT_TRUSTFUL, RECORD_ONCE, file);
    struct search_result r = search(system, record);
    record_free(record);
    struct certification c = follow(system, true);
    CHECK(c.result == CERTIFY_CERTIFIED && c.states == r.counts.states && c.transitions == r.counts.states - 1);
    certification_fini(&c);
}

static bool is_small(const struct truth *t, const struct small *most)
{
    return t->states <= most->states && t->transitions <= most->transitions && t->transitions > t->states;
}

static void check_processes(int exhaustively, int others)
{
    for (uint64_t seed = 1; exhaustively || others; seed++) {
        struct program program;
        struct stage stage;
        struct brute brute;
        struct world first;
        generate(&program, seed);
        world_begin(&program, &first);
        brute_init(&brute, &program, &first, 20000);
        struct truth truth = { seed, brute.states, brute.edge_count };
        bool any = suits(&brute), small = exhaustively && any && is_small(&truth, &small_processes);
        stage_open(&stage, &program, RULES_NONE, MERGE);
        any &= small || others;
        if (any)
            check_whole(stage.system, &truth);
        if (small)
            check_changes(stage.system, &truth);
        if (any)
            check_trustful(stage.system);
        exhaustively -= small;
        others -= any && others;
        stage_close(&stage);
        brute_fini(&brute);
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

static void check_threads(int exhaustively, int others)
{
    for (uint64_t seed = 1; exhaustively || others; seed++) {
        struct sharing program;
        struct troupe troupe;
        struct sharing_outcomes outcomes = { .stuck = NULL };
        make_up(&program, seed);
        bool any = sharing_brute(&program, 20000, &outcomes) && !outcomes.stuck_count;
        struct truth truth = { seed, outcomes.states, outcomes.transitions };
        bool small = exhaustively && any && is_small(&truth, &small_threads);
        troupe_open(&troupe, &program, true);
        any &= small || others;
        if (any)
            check_whole(troupe.system, &truth);
        if (small)
            check_changes(troupe.system, &truth);
        if (any)
            check_trustful(troupe.system);
        exhaustively -= small;
        others -= any && others;
        troupe_close(&troupe);
        sharing_outcomes_fini(&outcomes);
    }
}

static void check_digest(bool plainly)
{
    struct sha256 s;
    sha256_init(&s);
    s.plainly = plainly;
    sha256_add(&s, "abc", 3);
    CHECK(!strcmp(sha256_end(&s).text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    sha256_init(&s);
    s.plainly = plainly;
    for (int i = 0; i < 1000000; i++)
        sha256_add(&s, "a", 1);
    CHECK(!strcmp(sha256_end(&s).text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

int main(int argc, char **argv)
{
    CHECK(scratch_file(file, "certificate") && scratch_folder(folder, "parts"));
    check_digest(false);
    check_digest(true);
    check_rounds();
    check_processes(argc > 1 ? atoi(argv[1]) : PROGRAMS, 30);
    check_threads(argc > 1 ? atoi(argv[1]) : PROGRAMS - 1, 30);
    unlink(file);
    CHECK(!rmdir(folder));
    return failures != 0;
}
