/* Templates: each pattern in each scope, as an automaton of its formula and one of the negation, against what it is to mean, said here in
 * plain loops over the states of an infinite word. And what is wrong with arguments, in words.
 *
 *     build/tests/unit/templates [WORDS [SEED]]         random words for each pattern in each scope, beside all short ones
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"
#include "lasso.h"
#include "properties/templates.h"
#include "properties/vacuity.h"
#include "random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum symbol { P, S, T, Z, Q, R, SYMBOLS };

static const char *const names[SYMBOLS] = { "p", "s", "t", "z", "q", "r" };

/* A stretch of an infinite word: states from, from + 1, ... up to but not including `end`, or for ever. What comes after a state is the same
 * one repetition later, so to ask whether something ever happens it is enough to look at ROUND states from a place on. */
enum { ROUND = LASSO_LONGEST, FOREVER = -1 };

struct stretch { const struct lasso *w; int from, end; };

static bool is(const struct lasso *w, enum symbol s, int at)
{
    if (at >= w->length)
        at = w->again + (at - w->again) % (w->length - w->again);
    return w->letters[at] >> s & 1;
}

/* The place behind the last one that is looked at, from `at` on. */
static int limit(const struct stretch *x, int at)
{
    return x->end != FOREVER && x->end < at + ROUND ? x->end : at + ROUND;
}

/* The first place from `at` on where the symbol is so, or FOREVER. */
static int first(const struct stretch *x, enum symbol s, int at)
{
    for (int i = at; i < limit(x, at); i++)
        if (is(x->w, s, i))
            return i;
    return FOREVER;
}

/* ---- patterns ---- */

static bool absence(const struct stretch *x)      { return first(x, P, x->from) == FOREVER; }
static bool existence(const struct stretch *x)    { return first(x, P, x->from) != FOREVER; }

static bool universality(const struct stretch *x)
{
    for (int i = x->from; i < limit(x, x->from); i++)
        if (!is(x->w, P, i))
            return false;
    return true;
}

/* How often p becomes so: at its first state, if it is so there, and after each state in which it is not. */
static int beginnings(const struct stretch *x)
{
    int count = 0, last = x->end != FOREVER ? x->end : x->from + 4 * ROUND;
    for (int i = x->from; i < last; i++)
        count += is(x->w, P, i) && (i == x->from || !is(x->w, P, i - 1));
    return count;
}

static bool at_most_once(const struct stretch *x)  { return beginnings(x) <= 1; }
static bool at_most_twice(const struct stretch *x) { return beginnings(x) <= 2; }

static bool precedence(const struct stretch *x)
{
    int p = first(x, P, x->from), s = first(x, S, x->from);
    return p == FOREVER || (s != FOREVER && s <= p);
}

static bool response(const struct stretch *x)
{
    for (int i = x->from; i < limit(x, x->from); i++)
        if (is(x->w, P, i) && first(x, S, i) == FOREVER)
            return false;
    return true;
}

/* s, then later t, both before the first p. */
static bool precedence_chain_2_1(const struct stretch *x)
{
    int p = first(x, P, x->from), s = first(x, S, x->from);
    if (p == FOREVER)
        return true;
    int t = s == FOREVER ? FOREVER : first(x, T, s + 1);
    return t != FOREVER && t < p;
}

/* If there is an s with a t after it: p before the first s, or with it. */
static bool precedence_chain_1_2(const struct stretch *x)
{
    int s = first(x, S, x->from), p = first(x, P, x->from);
    if (s == FOREVER || first(x, T, s + 1) == FOREVER)
        return true;
    return p != FOREVER && p <= s;
}

static bool response_chain_2_1(const struct stretch *x)
{
    for (int i = x->from; i < limit(x, x->from); i++) {
        int t = is(x->w, S, i) ? first(x, T, i + 1) : FOREVER;
        if (t != FOREVER && first(x, P, t) == FOREVER)
            return false;
    }
    return true;
}

/* From `at` on: s, and after it t; with `guarded`, no z with s nor between them. */
static bool answered(const struct stretch *x, int at, bool guarded)
{
    for (int s = at; s < limit(x, at); s++) {
        int t = is(x->w, S, s) ? first(x, T, s + 1) : FOREVER;
        bool ok = t != FOREVER;
        for (int i = s; ok && guarded && i < t; i++)
            ok = !is(x->w, Z, i);
        if (ok)
            return true;
    }
    return false;
}

static bool all_answered(const struct stretch *x, bool guarded)
{
    for (int i = x->from; i < limit(x, x->from); i++)
        if (is(x->w, P, i) && !answered(x, i, guarded))
            return false;
    return true;
}

static bool response_chain_1_2(const struct stretch *x) { return all_answered(x, false); }
static bool constrained_chain(const struct stretch *x)  { return all_answered(x, true); }

/* ---- is there nothing to try a pattern on? ---- */

static bool never(const struct stretch *x) { (void)x; return false; }

static bool no_chain(const struct stretch *x)
{
    int s = first(x, S, x->from);
    return s == FOREVER || first(x, T, s + 1) == FOREVER;
}

static const struct { const char *name; bool (*holds)(const struct stretch *), (*idle)(const struct stretch *); } meanings[] = {
    { "absence", absence, never }, { "existence", existence, never }, { "bounded-existence-1", at_most_once, absence },
    { "bounded-existence-2", at_most_twice, absence }, { "universality", universality, never }, { "precedence", precedence, absence },
    { "response", response, absence }, { "precedence-chain-2-1", precedence_chain_2_1, absence },
    { "precedence-chain-1-2", precedence_chain_1_2, no_chain }, { "response-chain-2-1", response_chain_2_1, no_chain },
    { "response-chain-1-2", response_chain_1_2, absence }, { "constrained-chain", constrained_chain, absence },
};

/* ---- scopes ---- */

static bool from_each_q(const struct lasso *w, bool (*holds)(const struct stretch *), bool r_must_come)
{
    const struct stretch whole = { w, 0, FOREVER };
    for (int i = 0; i < ROUND; i++) {
        int end = first(&whole, R, i);
        const struct stretch x = { w, i, end };
        if (is(w, Q, i) && end != i && (end != FOREVER || !r_must_come) && !holds(&x))
            return false;
    }
    return true;
}

static bool meant(const struct lasso *w, bool (*holds)(const struct stretch *), const char *scope)
{
    struct stretch x = { w, 0, FOREVER };
    if (!strcmp(scope, "globally"))
        return holds(&x);
    if (!strcmp(scope, "before")) {
        x.end = first(&x, R, 0);
        return x.end == FOREVER || holds(&x);
    }
    if (!strcmp(scope, "after")) {
        x.from = first(&x, Q, 0);
        return x.from == FOREVER || holds(&x);
    }
    assert(!strcmp(scope, "between") || !strcmp(scope, "after-until"));
    return from_each_q(w, holds, !strcmp(scope, "between"));
}

/* ---- formula and meaning side by side ---- */

struct both {
    const struct template *pattern;
    const struct scope *scope;
    bool (*holds)(const struct stretch *), (*idle)(const struct stretch *);
    struct buchi *yes, *no, *untried, *tried;
    long words;
};

static void compare(struct both *b, const struct lasso *w)
{
    bool so = meant(w, b->holds, b->scope->name), untried = meant(w, b->idle, b->scope->name);
    b->words++;
    CHECK(so || !untried);
    if (lasso_accepted(w, b->yes, names, SYMBOLS) == so && lasso_accepted(w, b->no, names, SYMBOLS) != so
        && lasso_accepted(w, b->untried, names, SYMBOLS) == untried && lasso_accepted(w, b->tried, names, SYMBOLS) != untried)
        return;
    char *text = lasso_text(w, SYMBOLS);
    printf("%s %s is to be %s, and %s, on%s (a to f are p, s, t, z, q, r)\n", b->pattern->name, b->scope->name, so ? "so" : "not so",
           untried ? "not tried" : "tried", text);
    free(text);
    failures++;
}

static uint64_t spread(uint64_t letter, uint64_t used)
{
    uint64_t result = 0;
    for (int i = 0; i < SYMBOLS; i++)
        if (used >> i & 1) {
            result |= (letter & 1) << i;
            letter >>= 1;
        }
    return result;
}

/* All words of up to `letters` letters over the symbols that the template uses. */
static void all_words(struct both *b, uint64_t used, int letters)
{
    int symbols = __builtin_popcountll(used);
    for (int start = 0; start < letters; start++)
        for (int loop = 1; start + loop <= letters; loop++) {
            struct lasso w;
            lasso_first(&w, start, loop);
            do {
                struct lasso shown = w;
                for (int i = 0; i < w.length; i++)
                    shown.letters[i] = spread(w.letters[i], used);
                compare(b, &shown);
            } while (failures < 5 && lasso_step(&w, symbols));
        }
}

static void random_words(struct both *b, struct random *r, long count)
{
    for (long i = 0; i < count && failures < 5; i++) {
        struct lasso w;
        int percent = random_between(r, 10, 60);
        lasso_first(&w, random_between(r, 0, 6), random_between(r, 1, 4));
        for (int at = 0; at < w.length; at++)
            for (int s = 0; s < SYMBOLS; s++)
                w.letters[at] |= (uint64_t)random_percent(r, percent) << s;
        compare(b, &w);
    }
}

static uint64_t used_by(const struct both *b)
{
    uint64_t used = 0;
    for (int i = 0; i < SYMBOLS; i++)
        if (strstr(b->pattern->parameters, names[i]) || strstr(b->scope->parameters, names[i]))
            used |= UINT64_C(1) << i;
    return used;
}

static void check_template(struct both *b, struct random *r, long words)
{
    struct ltl *table = ltl_new();
    struct err err = { .text = "" };
    uint32_t formula = template_formula(table, b->pattern, b->scope), idle = template_idle(table, b->pattern, b->scope);
    uint64_t used = used_by(b);
    int symbols = __builtin_popcountll(used);
    b->yes = buchi_new(table, formula, &err);
    b->no = buchi_new(table, ltl_not(table, formula), &err);
    b->untried = buchi_new(table, idle, &err);
    b->tried = buchi_new(table, vacuity_trigger(table, idle), &err);
    CHECK(b->yes && b->no && b->untried && b->tried);
    if (b->yes && b->no && b->untried && b->tried) {
        all_words(b, used, symbols <= 2 ? 5 : symbols == 3 ? 4 : symbols == 4 ? 3 : 2);
        random_words(b, r, words);
    }
    buchi_free(b->yes);
    buchi_free(b->no);
    buchi_free(b->untried);
    buchi_free(b->tried);
    ltl_free(table);
}

static void all_templates(long words, uint64_t seed)
{
    struct random r = { seed };
    long count = 0, compared = 0;
    CHECK(sizeof meanings / sizeof *meanings == TEMPLATE_COUNT);
    for (int i = 0; i < TEMPLATE_COUNT; i++)
        for (int j = 0; j < SCOPE_COUNT && failures < 5; j++) {
            struct both b = { .pattern = &templates[i], .scope = &scopes[j], .holds = meanings[i].holds, .idle = meanings[i].idle };
            CHECK(!strcmp(meanings[i].name, templates[i].name));
            check_template(&b, &r, words);
            count++;
            compared += b.words;
        }
    printf("%ld patterns in scopes on %ld words\n", count, compared);
}

/* ---- arguments ---- */

static bool refuses(const char *pattern, const char *scope, const struct template_argument *arguments, int count, const char *message)
{
    struct ltl *table = ltl_new();
    struct err err = { .text = "" };
    uint32_t formula = 12345;
    const struct template *t = template_find(pattern, &err);
    const struct scope *s = t ? scope_find(scope, &err) : NULL;
    bool bad = !s || template_make(table, t, s, arguments, count, &formula, &err) < 0;
    bool so = bad && strstr(err.text, message) && formula == 12345;
    if (!so)
        printf("%s %s: %s\n", pattern, scope, err.text);
    ltl_free(table);
    return so;
}

static bool gives(const char *pattern, const char *scope, const struct template_argument *arguments, int count, const char *expected)
{
    struct ltl *table = ltl_new();
    struct err err = { .text = "" };
    uint32_t formula;
    bool so = false;
    if (!template_make(table, template_find(pattern, NULL), scope_find(scope, NULL), arguments, count, &formula, &err)) {
        char *text = ltl_text(table, formula);
        so = !strcmp(text, expected);
        if (!so)
            printf("%s\n", text);
        free(text);
    }
    ltl_free(table);
    return so;
}

static void arguments_are_checked(void)
{
    const struct template_argument p = { 'p', "a && b" }, s = { 's', "!c" }, q = { 'q', "q0" }, r = { 'r', "!on" }, bad = { 's', "c &&" };
    CHECK(gives("response", "globally", (struct template_argument[]){ p, s }, 2, "[](a && b -> <>!c)"));
    CHECK(gives("response", "globally", (struct template_argument[]){ s, p }, 2, "[](a && b -> <>!c)"));
    CHECK(gives("absence", "between", (struct template_argument[]){ p, q, r }, 3, "[](q0 && on && <>!on -> (!(a && b) W !on))"));
    CHECK(gives("existence", "globally", (struct template_argument[]){ { 'p', "s" } }, 1, "<>s"));
    CHECK(gives("response", "globally", (struct template_argument[]){ { 'p', "s" }, { 's', "p" } }, 2, "[](s -> <>p)"));
    CHECK(refuses("respond", "globally", NULL, 0, "no template 'respond'; those that there are: absence, existence, "));
    CHECK(refuses("response", "during", NULL, 0, "no scope 'during'; those that there are: globally, before, after, between, after-until"));
    CHECK(refuses("response", "globally", &p, 1, "response globally needs the argument s: write s=FORMULA"));
    CHECK(refuses("response", "after", (struct template_argument[]){ p, s }, 2, "response after needs the argument q"));
    CHECK(refuses("response", "globally", (struct template_argument[]){ p, s, q }, 3, "has no parameter 'q'; it has p, s"));
    CHECK(refuses("response", "globally", (struct template_argument[]){ p, s, p }, 3, "the argument p is given twice"));
    CHECK(refuses("response", "globally", (struct template_argument[]){ p, bad }, 2, "the argument s: column 5: expected a symbol"));
}

/* ---- formulas that are no templates ---- */

static bool untried_when(const char *text, const char *idle, const char *trigger)
{
    struct ltl *table = ltl_new();
    uint32_t f = 0;
    CHECK(!ltl_parse(table, text, &f, NULL));
    uint32_t i = vacuity_idle(table, f), t = vacuity_trigger(table, i);
    char *idle_text = ltl_text(table, i), *trigger_text = ltl_text(table, t);
    bool so = !strcmp(idle, idle_text) && !strcmp(trigger, trigger_text);
    if (!so)
        printf("%s: untried when %s, tried when %s\n", text, idle_text, trigger_text);
    free(idle_text);
    free(trigger_text);
    ltl_free(table);
    return so;
}

static void implications_have_triggers(void)
{
    CHECK(untried_when("[](p -> <>q)", "[]!p", "<>p"));
    CHECK(untried_when("p -> q", "!p", "p"));
    CHECK(untried_when("[](!p -> q)", "[]p", "<>!p"));
    CHECK(untried_when("[](p -> [](q -> r))", "[](p -> []!q)", "<>(p && <>q)"));
    CHECK(untried_when("[](p -> X (q -> r))", "[](p -> X !q)", "<>(p && X q)"));
    CHECK(untried_when("[](a -> b) && [](c -> d)", "[]!a && []!c", "<>a || <>c"));
    CHECK(untried_when("(p -> q) W r", "!p W r", "!r U (p && !r)"));
    CHECK(untried_when("!q W (q && [](p -> s))", "false", "true"));
    CHECK(untried_when("[]p", "false", "true"));
    CHECK(untried_when("[](a -> b) && []c", "false", "true"));
    CHECK(untried_when("<>p", "false", "true"));
}

int main(int argc, char **argv)
{
    long words = argc > 1 ? atol(argv[1]) : 1000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    all_templates(words, seed);
    arguments_are_checked();
    implications_have_triggers();
    return failures != 0;
}
