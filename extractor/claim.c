/* SPDX-License-Identifier: MIT */
#include "extractor/claim.h"

#include "base/memory.h"
#include "extractor/promela.h"
#include "extractor/vocabulary.h"
#include "base/prose.h"
#include "properties/vacuity.h"

#include <verisoft-live.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

static int count_lines(const char *text)
{
    int lines = 0;
    for (; (text = strchr(text, '\n')); text++)
        lines++;
    return lines;
}

static int wrong(const struct harness *h, const struct property *p, int line, const char *what, struct err *err)
{
    return fail(err, "%s:%d: property %s: %s", h->file, line, p->name, what);
}

/* The symbols of two properties are apart: p of the third claim is claim_3_p. */
static int rename_symbols(const struct harness *h, const struct property *p, const char *claim, struct ltl *ltl, uint32_t *formula,
                          struct err *err)
{
    uint32_t count, *used = ltl_symbols(ltl, *formula, &count), *by = memory_get(((size_t)p->symbol_count + 1) * sizeof *by);
    const char **names = memory_get(((size_t)p->symbol_count + 1) * sizeof *names);
    int bad = 0;
    for (int i = 0; i < p->symbol_count; i++) {
        char *new = prose_make("%s_%s", claim, p->symbols[i].name);
        names[i] = p->symbols[i].name;
        by[i] = ltl_symbol(ltl, new);
        free(new);
    }
    for (uint32_t u = 0; u < count && !bad; u++) {
        bool known = false;
        for (int i = 0; i < p->symbol_count; i++)
            known |= !strcmp(p->symbols[i].name, ltl_name(ltl, used[u]));
        if (!known) {
            char *what = prose_make("%s is no symbol of it; write symbol %s EXPRESSION", ltl_name(ltl, used[u]), ltl_name(ltl, used[u]));
            bad = wrong(h, p, p->line, what, err);
            free(what);
        }
    }
    if (!bad)
        *formula = ltl_substitute(ltl, *formula, p->symbol_count, names, by);
    free(used);
    free(by);
    free(names);
    return bad;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static bool has_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; at && *at; at += strcspn(at, letters)) {
        size_t here = strspn(at, letters);
        if (here == length && !strncmp(at, word, length))
            return true;
        at += here;
    }
    return false;
}

/* A word in it that the model does not have: Spin would refuse it, in words of its own. Gives; NULL: there is none. */
static char *stranger(const char *meaning, const struct machines *m, const struct model *model)
{
    for (const char *at = meaning; *at; at += strcspn(at, letters)) {
        size_t length = strspn(at, letters);
        char *word = prose_make("%.*s", (int)length, at);
        bool known = !length || (*at >= '0' && *at <= '9') || vocabulary_reserved(word) || has_word(model->text, at, length);
        for (int i = 0; !known && i < m->constant_count; i++)
            known = !strcmp(m->constants[i].name, word);
        if (!known)
            return word;
        free(word);
        at += length;
    }
    return NULL;
}

static int define_symbol(struct prose *out, const struct machines *m, const struct harness *h, const struct model *model, const struct claim *c,
                         const struct symbol *s, struct err *err)
{
    char *meaning = promela_symbol(m, h, s->expression, err), *unknown = meaning && !h->program ? stranger(meaning, m, model) : NULL;
    int bad = meaning ? 0 : -1;
    if (unknown)
        bad = fail(err, "%s:%d: property %s, symbol %s: the model has no %s; a variable of a machine is MACHINE.VARIABLE, and what is not of the source "
                   "is declared in the harness", h->file, s->line, c->property->name, s->name, unknown);
    if (!bad)
        prose_add(out, "#define %s_%s (%s)\n", c->name, s->name, meaning);
    free(unknown);
    free(meaning);
    return bad;
}

static int define_symbols(struct prose *out, const struct machines *m, const struct harness *h, const struct model *model, const struct claim *c,
                          struct err *err)
{
    int bad = 0;
    for (int i = 0; i < c->property->symbol_count && !bad; i++)
        bad = define_symbol(out, m, h, model, c, &c->property->symbols[i], err);
    return bad;
}

/* What must happen for it to be tried, where that is known (properties/vacuity.h). */
static void find_trigger(struct claim *c, const struct harness *h, struct ltl *ltl, uint32_t formula)
{
    const struct property *p = c->property;
    struct err ignored;
    uint32_t idle = formula;
    if (p->violation || (p->idle && (ltl_parse(ltl, p->idle, &idle, &ignored) || rename_symbols(h, p, c->name, ltl, &idle, &ignored))))
        return;
    if (!p->idle)
        idle = vacuity_idle(ltl, formula);
    if (ltl_operator(ltl, idle) == LTL_FALSE)
        return;
    uint32_t trigger = vacuity_trigger(ltl, idle);
    c->next |= ltl_has(ltl, trigger, LTL_NEXT);
    c->trigger = buchi_new(ltl, trigger, &ignored);
}

static int translate(struct claim *c, const struct harness *h, struct err *err)
{
    struct ltl *ltl = ltl_new();
    struct err why;
    uint32_t formula;
    int bad = ltl_parse(ltl, c->property->formula, &formula, &why);
    if (bad)
        bad = wrong(h, c->property, c->property->line, why.text, err);
    else
        bad = rename_symbols(h, c->property, c->name, ltl, &formula, err);
    if (!bad) {
        c->next = ltl_has(ltl, formula, LTL_NEXT);
        c->automaton = buchi_new(ltl, c->property->violation ? formula : ltl_not(ltl, formula), &why);
        bad = c->automaton ? 0 : wrong(h, c->property, c->property->line, why.text, err);
    }
    if (!bad)
        find_trigger(c, h, ltl, formula);
    ltl_free(ltl);
    return bad;
}

static void put_trigger(struct claim *c, struct prose *out)
{
    c->tried = prose_make("%s_tried", c->name);
    char *text = buchi_never(c->trigger, c->tried, NULL, NULL);
    prose_add(out, "%s\n", text);
    free(text);
}

/* What a person reads, or draws, has the names of the harness. */
static void give_own_names(struct buchi *automaton, const char *claim)
{
    size_t before = strlen(claim) + 1;
    for (uint32_t i = 0; i < automaton->symbol_count; i++) {
        char *name = automaton->symbols[i];
        assert(strlen(name) > before && !strncmp(name, claim, before - 1));
        memmove(name, name + before, strlen(name + before) + 1);
    }
}

static int add(struct claims *all, struct prose *out, const struct machines *m, const struct harness *h, const struct property *p,
               const struct model *model, struct err *err)
{
    ARRAY_GROW(all->items, all->count, all->room);
    struct claim *c = &all->items[all->count++];
    *c = (struct claim){ .property = p, .name = prose_make("claim_%d", (int)(p - h->properties.items)) };
    if (!p->formula) {
        const char *idle = h->program ? "(np_ && c_expr { vs_idle })" : "np_";   /* Spin sees no label within what is atomic */
        prose_add(out, "never %s { do :: true :: %s -> break od; accept_np: do :: %s od }\n", c->name, idle, idle);
        return 0;
    }
    int bad = translate(c, h, err);
    if (!bad)
        bad = define_symbols(out, m, h, model, c, err);
    if (bad)
        return bad;
    c->lines = memory_get(((size_t)c->automaton->state_count + 1) * sizeof *c->lines);
    char *text = buchi_never(c->automaton, c->name, NULL, c->lines);
    int before = model->line_count + count_lines(out->text ? out->text : "") - 1;
    for (uint32_t s = 0; s < c->automaton->state_count; s++)
        c->lines[s] += before;
    prose_add(out, "%s\n", text);
    free(text);
    give_own_names(c->automaton, c->name);
    if (c->trigger && h->properties.count <= MOST_TRIGGERS)
        put_trigger(c, out);
    return 0;
}

int claims_make(struct claims *all, const struct machines *m, const struct harness *h, const struct model *model, struct err *err)
{
    struct prose out = { 0 };
    int bad = 0;
    *all = (struct claims){ 0 };
    for (int i = 0; i < h->properties.count && !bad; i++)
        if (h->properties.items[i].formula || !strcmp(h->properties.items[i].name, "progress"))
            bad = add(all, &out, m, h, &h->properties.items[i], model, err);
    all->text = prose_take(&out);
    return bad;
}

void claims_fini(struct claims *all)
{
    for (int i = 0; i < all->count; i++) {
        free(all->items[i].name);
        free(all->items[i].tried);
        free(all->items[i].lines);
        buchi_free(all->items[i].trigger);
        buchi_free(all->items[i].automaton);
    }
    free(all->items);
    free(all->text);
    *all = (struct claims){ 0 };
}

const struct claim *claims_find(const struct claims *all, const struct property *p)
{
    for (int i = 0; i < all->count; i++)
        if (all->items[i].property == p)
            return &all->items[i];
    return NULL;
}

/* ---- what was reached ---- */

/* The line is one of a statement that was not: the state is the last that begins before it. */
static void mark_unreached(const struct claim *c, bool *reached, int line)
{
    uint32_t count = c->automaton->state_count, s = count;
    for (uint32_t i = 0; i < count; i++)
        if (c->lines[i] <= line && (s == count || c->lines[i] > c->lines[s]))
            s = i;
    if (s < count)
        reached[s] = false;
}

static bool *all_reached(const struct claim *c)
{
    bool *reached = memory_get((size_t)c->automaton->state_count + 1);
    memset(reached, true, c->automaton->state_count);
    return reached;
}

bool *claim_reached_live(const struct claim *c, const struct vs_live *live)
{
    bool *reached = all_reached(c);
    for (uint32_t i = 1; i < live->count && i < VS_LIVE_ROOM; i++)
        if (!live->statements[i].reached && !live->statements[i].jump)
            mark_unreached(c, reached, live->statements[i].line);
    return reached;
}

/* "unreached in claim claim_4", and below it a line for each statement of it that was not: "model.pml:45, state 10, ..." */
bool *claim_reached(const struct claim *c, const char *said)
{
    bool *reached = all_reached(c);
    char *head = prose_make("unreached in claim %s\n", c->name);
    const char *at = strstr(said, head);
    at = at ? at + strlen(head) : "";
    free(head);
    for (int line; *at == '\t' && sscanf(at, "\tmodel.pml:%d, state", &line) == 1; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *text = strchr(at, '"');      /* jumps are never stood at, whether or not they were gone through */
        if (text && (!strncmp(text, "\"goto ", 6) || !strncmp(text, "\"break\"", 7) || !strncmp(text, "\"-end-", 6)))
            continue;
        mark_unreached(c, reached, line);
    }
    return reached;
}

bool claim_is_vacuous(const struct claim *c, const bool *reached)
{
    bool between = false;
    for (uint32_t s = 1; s < c->automaton->state_count; s++) {
        if (reached[s])
            return false;
        between |= !buchi_is_final(c->automaton, s);
    }
    return between;
}
