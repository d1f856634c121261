/* SPDX-License-Identifier: MIT */
#include "extractor/verify.h"

#include "base/memory.h"
#include "base/prose.h"
#include "base/suggest.h"
#include "extractor/receptions.h"
#include "extractor/refused.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const verdict_words[] = { "verified", "vacuous", "failed", "not finished" };

enum { SHALLOW = 10000, DEEPEST = 10000000 };

struct checker {
    struct verification          *all;
    const struct extraction      *x;
    const struct verify_settings *settings;
    struct checked               *now;
    struct spin_query             query;
    char                         *features;
    struct err                   *err;
};

/* ---- one run ---- */

static char *features_of(const struct extraction *x, const struct property *p)
{
    struct prose out = { 0 };
    for (int i = 0; i < x->harness.features.count; i++) {
        char chosen = '?';
        for (int k = 0; k < p->feature_count; k++)
            if (!strcmp(p->features[k] + 1, x->harness.features.items[i].name))
                chosen = p->features[k][0];
        prose_add(&out, "%c", chosen);
    }
    return prose_take(&out);
}

static void ask(struct checker *c, const struct property *p)
{
    c->features = features_of(c->x, p);
    c->query = (struct spin_query){ .features = c->features, .log = "verifier.log", .depth = SHALLOW, .table = VERIFY_FIRST };
    c->now->claim = claims_find(&c->all->claims, p);
    if (c->now->claim) {
        c->query.claim = c->now->claim->name;
        c->query.next = c->now->claim->next;
        c->query.fair = p->fair;
        c->query.no_assertions = true;
        c->query.no_ends = c->x->harness.program;
        c->query.mode = c->x->harness.program && !p->formula ? 'p' : 0;
    } else if (c->x->harness.program) {
        c->query.no_ends = true;
        c->query.mode = !strcmp(p->name, "deadlock") ? 'd' : 'a';
    } else if (!strcmp(p->name, "deadlock")) {
        c->query.no_assertions = true;
    } else {
        c->query.no_ends = true;
        c->query.unspecified = !strcmp(p->name, "unspecified");
    }
}

static int run(struct checker *c, char letter, struct run_of **made)
{
    struct checked *now = c->now;
    double spent = 0;
    for (int i = 0; i < now->run_count; i++)
        spent += now->runs[i].found.seconds;
    c->query.seconds = c->settings->seconds > 0 ? fmax(0.1, c->settings->seconds - spent) : 0;
    ARRAY_GROW(now->runs, now->run_count, now->run_room);
    struct run_of *r = &now->runs[now->run_count];
    *r = (struct run_of){ .letter = letter, .table = c->query.exact ? 0 : c->query.table, .depth = c->query.depth };
    int bad = spin_run(&c->all->spin, &c->query, &r->found, c->err);
    if (bad)
        return bad;
    now->run_count++;
    *made = r;
    return 0;
}

/* Again, deeper, until the depth is enough or no deeper one is allowed. */
static int run_deep(struct checker *c, char letter, struct run_of **made)
{
    for (;;) {
        int bad = run(c, letter, made);
        if (bad || (*made)->found.errors || !(*made)->found.depth_cut || c->query.depth >= DEEPEST || (*made)->found.time_cut
            || (*made)->found.memory_cut)
            return bad;
        c->query.depth *= 10;
    }
}

/* ---- failure ---- */

static bool is_cycle(const struct run_of *r)
{
    return strstr(r->found.first, "acceptance cycle") != NULL;
}

enum { SOON = 10, QUICK = 3 };       /* seconds of the processor for a search of a shorter trail, and for the first search: no clock has a say in what is shown */

/* Breadth first the shortest trail is found at once, but for cycles, which it does not know. Where it does not come to it soon, the same search goes
 * on for shorter ones for a while. Whatever ends that, the trail that is there is that of the shortest they have found. */
static int shorten(struct checker *c, struct run_of **r)
{
    struct run_of *again = NULL;
    struct spin_query before = c->query;
    int first = c->now->run_count - 1, bad = 0;
    char letter = (*r)->letter;
    bool found = false;
    if (!is_cycle(*r)) {
        c->query.exact = c->query.shortest = true;
        c->query.depth = (*r)->found.error_depth ? (*r)->found.error_depth + 1 : before.depth;
        c->query.processor = SOON;
        bad = run(c, 'E', &again);
        found = !bad && again->found.errors;
    }
    if (!bad && !found) {
        c->query = before;
        c->query.shortest = true;
        c->query.processor = SOON;
        bad = run(c, letter, &again);
    }
    c->query.processor = 0;
    *r = &c->now->runs[first];
    return bad;
}

/* The condition of a violated assertion, as the harness has it; gives. */
static char *assertion(const char *message)
{
    const char *words = strstr(message, "assertion violated"), *switched = strstr(message, "vs_ignore )||"), *at = strstr(message, " (at depth");
    if (!words || !at)
        return prose_make("%s", "");
    const char *from = switched ? switched + 13 : words + 18 + strspn(words + 18, " ");
    int length = (int)(at - from) - (switched ? 1 : 0);
    return strstr(message, "vs_unmet") || length <= 0 ? prose_make("%s", "") : prose_make(": %.*s does not hold", length, from);
}

/* What is wrong at the end, as the program has it, or the harness; gives. */
static char *wrong_words(const struct checker *c, const struct trail *t, const char *message)
{
    static const char *const asserts[] = { "assert(", "VS_assert(", "abort(" };
    for (int i = 0; i < t->stand_count; i++)
        for (size_t a = 0; a < sizeof asserts / sizeof *asserts; a++)
            if (t->stands[i].process == t->violated && !strncmp(t->stands[i].text, asserts[a], strlen(asserts[a])))
                return prose_make(a < 2 ? ": %s fails" : ": %s", t->stands[i].text);
    return t->wrong ? prose_make(": %s", t->wrong) : c->x->harness.program ? prose_make("%s", "") : assertion(message);
}

/* Do they lead to the same end? Each process does the same last. */
static bool alike(const struct trail *a, const struct trail *b)
{
    bool same = a->process_count == b->process_count && (a->cycle >= 0) == (b->cycle >= 0);
    for (int p = 0; same && p < a->process_count; p++) {
        const struct step *last[2] = { NULL, NULL };
        for (int i = 0; i < a->count; i++)
            last[0] = a->steps[i].process == p ? &a->steps[i] : last[0];
        for (int i = 0; i < b->count; i++)
            last[1] = b->steps[i].process == p ? &b->steps[i] : last[1];
        same = !last[0] || !last[1] ? last[0] == last[1]
             : !strcmp(last[0]->text ? last[0]->text : "", last[1]->text ? last[1]->text : "") && last[0]->place.line == last[1]->place.line;
    }
    return same;
}

static int by_length(const void *a, const void *b)
{
    return ((const struct trail *)a)->model_steps - ((const struct trail *)b)->model_steps;
}

/* All in one text, apart by form feeds. */
int verify_trails(struct checked *c, const struct extraction *x, struct err *err)
{
    int bad = 0;
    for (char *at = c->replay, *end; at && !bad; at = end) {
        end = strchr(at, '\f');
        char *one = prose_make("%.*s", end ? (int)(end - at) : (int)strlen(at), at);
        if (at != c->replay)
            ARRAY_GROW(c->others, c->other_count, c->other_room);
        bad = trail_read(at == c->replay ? &c->trail : &c->others[c->other_count++], x, c->property, one, err);
        free(one);
        end = end ? end + 1 : NULL;
    }
    if (c->other_count)
        qsort(c->others, (size_t)c->other_count, sizeof *c->others, by_length);
    return bad;
}

static bool is_new(const struct checked *c, const struct trail *t)
{
    bool new = !alike(&c->trail, t);
    for (int i = 0; new && i < c->other_count; i++)
        new = !alike(&c->others[i], t);
    return new;
}

/* Of what needs no cycle breadth first comes to the nearest first. Many a trail differs from another only in who went first. */
static int find_more(struct checker *c, bool cycle)
{
    enum { TRIES = 20 };             /* trails that are looked at, for each that is asked for */
    struct checked *now = c->now;
    struct run_of *r;
    struct prose all = { 0 };
    c->query.exact = true;
    c->query.shortest = !cycle;
    c->query.trails = c->settings->trails * TRIES;
    c->query.processor = SOON;
    int bad = run(c, 'E', &r);
    prose_add(&all, "%s", now->replay);
    for (int i = 1; !bad && i <= r->found.errors && now->other_count + 1 < c->settings->trails; i++) {
        char *replay = spin_replay(&c->all->spin, &c->query, i, c->err);
        struct trail t;
        bad = replay ? trail_read(&t, c->x, now->property, replay, c->err) : -EINVAL;
        if (!bad && is_new(now, &t)) {
            ARRAY_GROW(now->others, now->other_count, now->other_room);
            now->others[now->other_count++] = t;
            prose_add(&all, "\f%s", replay);
        } else if (!bad)
            trail_fini(&t);
        free(replay);
    }
    free(now->replay);
    now->replay = prose_take(&all);
    if (now->other_count)
        qsort(now->others, (size_t)now->other_count, sizeof *now->others, by_length);
    return bad;
}

/* All unspecified receptions, for the counter-example has but one. */
static int note_receptions(struct checker *c)
{
    enum { A_WHILE = 60 };           /* seconds of the processor */
    struct run_of *r;
    struct spin_query before = c->query;
    assert(c->query.unspecified && !c->now->unmet);
    c->query.noting = c->query.exact = true;
    c->query.shortest = false;
    c->query.trails = 0;
    c->query.depth = SHALLOW;
    c->query.processor = A_WHILE;
    int bad = run_deep(c, 'E', &r);
    char *said = bad ? NULL : tool_output(c->all->spin.shop, c->query.log, c->err);
    c->now->unmet = said ? receptions_said(said) : NULL;
    c->now->unmet_all = !bad && r->found.finished;
    c->query = before;
    free(said);
    return bad;
}

static int failed(struct checker *c, struct run_of *r)
{
    struct checked *now = c->now;
    bool exact = c->query.exact;
    long depth = c->query.depth;
    int bad = shorten(c, &r);
    char *replay = bad ? NULL : spin_replay(&c->all->spin, &c->query, 0, c->err);
    if (replay && is_cycle(r) && !strstr(replay, "START OF CYCLE")) {    /* what was shortened is not whole: the first one, then */
        free(replay);
        c->query.shortest = false;
        c->query.exact = exact;
        c->query.depth = depth;
        bad = run(c, r->letter, &r);
        replay = bad ? NULL : spin_replay(&c->all->spin, &c->query, 0, c->err);
    }
    if (!replay)
        return bad ? bad : -EINVAL;
    now->replay = replay;
    bad = verify_trails(now, c->x, c->err);
    now->verdict = VERDICT_FAILED;
    now->identifier = prose_make("%c/%d", r->letter, now->trail.model_steps);
    char *what = wrong_words(c, &now->trail, r->found.first);
    now->words = prose_make("violated, in %d steps%s", now->trail.model_steps, what);
    free(what);
    if (!bad && c->settings->trails > 1)
        bad = find_more(c, now->trail.cycle >= 0);
    return bad || !c->query.unspecified ? bad : note_receptions(c);
}

/* ---- success, and what is neither ---- */

/* How likely a state was taken for one that had been seen: all three bits of it set by others. */
static double missed(const struct run_of *r)
{
    double bits = ldexp(1, r->table), filled = 1 - exp(-3 * r->found.states / bits);
    return pow(filled, 3);
}

enum tried { TRIED, NEVER_TRIED, NOT_KNOWN };

/* Does its trigger happen in some run? Mostly a quick search tells; that it does not is told by one that has seen everything. */
static int look_for_trigger(struct checker *c, enum tried *tried)
{
    struct run_of *r;
    struct spin_query before = c->query;
    int bad = 0;
    c->query.claim = c->now->claim->tried;
    for (int exact = c->settings->exhaustive; exact < 2; exact++) {
        c->query.exact = exact;
        bad = run_deep(c, 'T', &r);
        if (bad || r->found.errors || r->found.time_cut)
            break;
    }
    if (!bad)
        *tried = r->found.errors ? TRIED : r->found.finished && c->query.exact ? NEVER_TRIED : NOT_KNOWN;
    c->query = before;
    return bad;
}

/* From what the search has said. */
static bool was_never_tried(struct checker *c)
{
    char *said = c->now->claim && c->now->claim->automaton ? tool_output(c->all->spin.shop, c->query.log, c->err) : NULL;
    if (!said)
        return false;
    c->now->reached = claim_reached(c->now->claim, said);
    free(said);
    return claim_is_vacuous(c->now->claim, c->now->reached);
}

/* All states were searched, but of a model that does less than the program. */
static void worth_nothing(struct checker *c, const struct run_of *r)
{
    const struct model *m = &c->x->model;
    c->now->verdict = VERDICT_UNFINISHED;
    c->now->identifier = prose_make("%c%.0f", r->letter, r->found.states);
    c->now->words = prose_make("no violation in all %.0f states of the model, but it lacks %s%s, which may change what it reads; the map must name that",
                               r->found.states, m->lacks[0], m->lack_count > 1 ? " and others" : "");
}

static int verified(struct checker *c, const struct run_of *r)
{
    char letter = r->letter;
    double states = r->found.states;
    long depth = r->found.depth;
    enum tried tried = was_never_tried(c) ? NEVER_TRIED : TRIED;
    coverage_read(&c->now->coverage, c->x, c->all->spin.live);
    int bad = c->now->claim && c->now->claim->tried ? look_for_trigger(c, &tried) : 0;
    c->now->verdict = tried == NEVER_TRIED ? VERDICT_VACUOUS : VERDICT_VERIFIED;
    c->now->identifier = prose_make("%c%.0f", letter, states);
    c->now->words = prose_make("%sall %.0f states of the model were searched, to their full depth of %ld%s",
                               tried == NEVER_TRIED ? "verified, but its trigger never happened: " : "", states, depth,
                               tried == NOT_KNOWN ? "; whether its trigger happens was not found out" : "");
    return bad;
}

static void unfinished(struct checker *c, const struct run_of *r)
{
    const struct spin_found *f = &r->found;
    char *limit = *f->limit ? prose_make("a limit of the model, %s,", f->limit) : NULL;
    const char *why = limit ? limit : f->time_cut ? "the time limit" : f->memory_cut ? "the memory limit" : f->depth_cut ? "the depth limit" : NULL;
    c->now->verdict = VERDICT_UNFINISHED;
    c->now->identifier = prose_make("%c%.0f", r->letter, f->states);
    if (why)
        c->now->words = prose_make("no violation in %.0f states, but %s ended the search", f->states, why);
    else
        c->now->words = prose_make("no violation in %.0f states; about one state in %.2g was taken for another and left out", f->states,
                                   1 / fmax(missed(r), 1e-12));
    free(limit);
}

/* ---- refinement ---- */

int verify_largest(const struct verify_settings *settings)
{
    int table = VERIFY_FIRST;
    while (ldexp(1, table + 1) / 8 / 1048576 < settings->memory / 2.0)
        table++;
    return table;
}

static bool is_dense(const struct spin_found *f)
{
    enum { ROOMY = 100 };            /* bits for each state: with more, a larger table finds hardly anything new */
    return f->hash_factor < ROOMY;
}

/* One of the searches with bits, and no other. */
static int refine_once(struct checker *c)
{
    struct run_of *r;
    int table = c->settings->bits;
    c->query.table = table;
    int bad = run_deep(c, table == VERIFY_FIRST ? 'A' : table >= verify_largest(c->settings) ? 'M' : 'B', &r);
    if (bad || r->found.errors)
        return bad ? bad : failed(c, r);
    unfinished(c, r);
    return 0;
}

/* Every state whole. */
static int keep_all(struct checker *c)
{
    struct run_of *r;
    int last = c->now->run_count - 1;
    c->query.exact = true;
    int bad = run_deep(c, 'E', &r);
    const struct run_of *bits = last >= 0 ? &c->now->runs[last] : r;
    if (bad || r->found.errors)
        return bad ? bad : failed(c, r);
    if (r->found.finished && !c->x->model.lack_count)
        return verified(c, r);
    if (r->found.finished)
        worth_nothing(c, r);
    else
        unfinished(c, r->found.memory_cut && bits->found.finished ? bits : r);
    return 0;
}

/* A search with bits. Gives 1 where nothing is decided by it. */
static int keep_bits(struct checker *c, char letter, struct run_of **r)
{
    int bad = run_deep(c, letter, r);
    if (bad || (*r)->found.errors)
        return bad ? bad : failed(c, *r);
    if (!(*r)->found.time_cut)
        return 1;
    unfinished(c, *r);
    return 0;
}

/* Bits, with tables that double, until there is room enough; then every state whole. */
static int go_on(struct checker *c)
{
    struct run_of *r = &c->now->runs[c->now->run_count - 1];
    int largest = verify_largest(c->settings), rc = 1;
    c->query.depth = r->depth;
    c->query.table = r->table;
    if (r->found.depth_cut || r->found.time_cut)
        rc = keep_bits(c, 'A', &r);
    while (rc == 1 && is_dense(&r->found) && c->query.table < largest) {
        c->query.table++;
        rc = keep_bits(c, c->query.table >= largest ? 'M' : 'B', &r);
    }
    return rc == 1 ? keep_all(c) : rc;
}

/* The quick search; and, where there are few states, all of it. */
static int begin(struct checker *c, bool *open)
{
    enum { FEW = 100000 };
    struct run_of *r;
    *open = false;
    if (c->settings->exhaustive)
        return keep_all(c);
    c->query.processor = QUICK;
    int bad = run(c, 'A', &r);
    c->query.processor = 0;
    if (bad || r->found.errors)
        return bad ? bad : failed(c, r);
    *open = r->found.states > FEW || r->found.depth_cut || r->found.time_cut;
    return *open ? 0 : go_on(c);
}

int verify_begin(struct verification *v, const struct extraction *x, const struct verify_settings *settings, const struct property *p, struct checked *to,
                 bool *open, struct err *err)
{
    struct checker c = { .all = v, .x = x, .settings = settings, .now = to, .err = err };
    *to = (struct checked){ .property = p, .verdict = VERDICT_UNFINISHED };
    ask(&c, p);
    *open = false;
    int bad = settings->bits ? refine_once(&c) : begin(&c, open);
    free(c.features);
    return bad;
}

int verify_go_on(struct verification *v, const struct extraction *x, const struct verify_settings *settings, struct checked *to, struct err *err)
{
    struct checker c = { .all = v, .x = x, .settings = settings, .now = to, .err = err };
    assert(to->run_count && !to->identifier);
    ask(&c, to->property);
    int bad = go_on(&c);
    free(c.features);
    return bad;
}

/* ---- all ---- */

static bool is_chosen(char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name))
            return true;
    return !names[0];
}

static int check_names(const struct harness *h, char *const *names, struct err *err)
{
    for (int n = 0; names[n]; n++) {
        struct suggestion near;
        bool known = false;
        suggest_start(&near, names[n]);
        for (int i = 0; i < h->properties.count; i++) {
            known |= !strcmp(h->properties.items[i].name, names[n]);
            suggest_offer(&near, h->properties.items[i].name);
        }
        if (!known)
            return fail(err, "%s: the harness has no property %s%s", h->file, names[n], suggest_text(&near).text);
    }
    return 0;
}

static int one_by_one(struct verification *v, const struct extraction *x, const struct verify_settings *settings, const struct verify_told *told, struct err *err)
{
    bool *open = memory_get((size_t)v->count + 1);
    int bad = 0;
    for (int i = 0; !bad && i < v->count; i++) {
        bad = verify_begin(v, x, settings, v->items[i].property, &v->items[i], &open[i], err);
        if (!bad && !open[i])
            told->one(told->arg, &v->items[i]);
    }
    if (!bad)
        told->open(told->arg, v, open);
    for (int i = 0; !bad && i < v->count; i++)
        if (open[i] && !(bad = verify_go_on(v, x, settings, &v->items[i], err)))
            told->one(told->arg, &v->items[i]);
    free(open);
    return bad;
}

static int prepare(struct verification *v, struct extraction *x, const struct workshop *w, char *const *names, const struct verify_settings *settings,
                   struct err *err)
{
    *v = (struct verification){ .spin = { .shop = w, .made = w->folder, .memory = settings->memory, .c = x->model.c, .header = x->model.header,
                                          .options = x->harness.options.items, .option_count = x->harness.options.count } };
    int bad = check_names(&x->harness, names, err);
    if (!bad)
        bad = claims_make(&v->claims, &x->machines, &x->harness, &x->model, err);
    for (int i = 0; !bad && i < x->harness.properties.count; i++)
        if (is_chosen(names, x->harness.properties.items[i].name)) {
            ARRAY_GROW(v->items, v->count, v->room);
            v->items[v->count++] = (struct checked){ .property = &x->harness.properties.items[i], .verdict = VERDICT_UNFINISHED };
        }
    return bad;
}

int verify_alone(struct verification *v, struct extraction *x, const struct workshop *w, const char *made, const char *live, const char *name,
                 const struct verify_settings *settings, struct err *err)
{
    char *const names[] = { (char *)name, NULL };
    bool open = false;
    int bad = prepare(v, x, w, names, settings, err);
    if (bad)
        return bad;
    char *model = prose_make("%s%s", x->model.text, v->claims.text);
    v->spin.made = made;
    v->spin.live = live;
    bad = refused_where(x, model, spin_share(&v->spin, model, err), err);
    if (!bad)
        bad = verify_begin(v, x, settings, v->items[0].property, &v->items[0], &open, err);
    if (!bad && open)
        bad = verify_go_on(v, x, settings, &v->items[0], err);
    free(model);
    return bad;
}

int verify(struct verification *v, struct extraction *x, const struct workshop *w, char *const *names, const struct verify_settings *settings,
           const struct verify_told *told, struct err *err)
{
    int bad = prepare(v, x, w, names, settings, err);
    if (bad)
        return bad;
    char *model = prose_make("%s%s", x->model.text, v->claims.text);
    bad = refused_where(x, model, spin_translate(&v->spin, model, err), err);
    if (!bad)
        bad = (settings->jobs > 1 && v->count > 1 ? verify_side_by_side : one_by_one)(v, x, settings, told, err);
    free(model);
    return bad;
}

void checked_fini(struct checked *c)
{
    free(c->identifier);
    free(c->words);
    free(c->runs);
    free(c->reached);
    free(c->replay);
    free(c->unmet);
    coverage_fini(&c->coverage);
    trail_fini(&c->trail);
    for (int i = 0; i < c->other_count; i++)
        trail_fini(&c->others[i]);
    free(c->others);
}

void verify_fini(struct verification *v)
{
    for (int i = 0; i < v->count; i++)
        checked_fini(&v->items[i]);
    free(v->items);
    claims_fini(&v->claims);
    *v = (struct verification){ 0 };
}
