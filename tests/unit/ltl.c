/* Temporal logic: random formulas are evaluated on all lassos up to a length, and their automata must accept exactly those of which they are
 * so. Formulas are made, written and evaluated here, and read by the reader under test: evaluator and translation share nothing. The
 * same with the automata of `spin -f`, where it is installed. And what the reader refuses, with which words.
 *
 *     build/tests/unit/ltl [FORMULAS [SEED]]
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"
#include "lasso.h"
#include "random.h"
#include "report/prose.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 64, SYMBOLS = 3 };

static const char *const names[SYMBOLS] = { "a", "b", "c" };

/* ---- formulas of our own ---- */

enum kind { K_TRUE, K_FALSE, K_SYMBOL, K_NOT, K_NEXT, K_ALWAYS, K_EVENTUALLY, K_UNTIL, K_WEAK, K_RELEASE, K_AND, K_OR, K_IMPLIES, K_SAME, KINDS };

static const char *const written[KINDS][3] = {
    [K_TRUE] = { "true", "true", "true" }, [K_FALSE] = { "false", "false", "false" }, [K_NOT] = { "!", "!", "! /* not */" },
    [K_NEXT] = { "X", "next", "X" }, [K_ALWAYS] = { "[]", "G", "always" }, [K_EVENTUALLY] = { "<>", "F", "eventually" },
    [K_UNTIL] = { "U", "until", "stronguntil" }, [K_WEAK] = { "W", "weakuntil", "W" }, [K_RELEASE] = { "V", "R", "release" },
    [K_AND] = { "&&", "/\\", "&&" }, [K_OR] = { "||", "\\/", "||" }, [K_IMPLIES] = { "->", "implies", "->// so\n" },
    [K_SAME] = { "<->", "equivalent", "<->" },
};

struct made { struct one { enum kind kind; int symbol, left, right; } nodes[MOST_NODES]; int count; };

static bool unary(enum kind k)  { return k >= K_NOT && k <= K_EVENTUALLY; }
static bool binary(enum kind k) { return k >= K_UNTIL; }

static int make(struct made *m, struct random *r, int operators, int symbols, bool with_next)
{
    struct one n = { .kind = random_percent(r, 8) ? (enum kind)random_below(r, 2) : K_SYMBOL, .symbol = random_below(r, symbols) };
    if (operators > 0) {
        do
            n.kind = random_between(r, K_NOT, KINDS - 1);
        while (n.kind == K_NEXT && !with_next);
        int left = binary(n.kind) ? random_below(r, operators) : operators - 1;
        n.left = make(m, r, left, symbols, with_next);
        if (binary(n.kind))
            n.right = make(m, r, operators - 1 - left, symbols, with_next);
    }
    assert(m->count < MOST_NODES);
    m->nodes[m->count] = n;
    return m->count++;
}

static void write_out(const struct made *m, int at, int style, struct prose *out)
{
    const struct one *n = &m->nodes[at];
    const char *sign = written[n->kind][style];
    if (n->kind == K_SYMBOL) {
        prose_add(out, "%s", names[n->symbol]);
        return;
    }
    if (binary(n->kind)) {
        prose_add(out, "(");
        write_out(m, n->left, style, out);
    }
    prose_add(out, " %s ", sign);
    if (unary(n->kind))
        write_out(m, n->left, style, out);
    if (binary(n->kind)) {
        write_out(m, n->right, style, out);
        prose_add(out, ")");
    }
}

/* ---- what is so ---- */

/* Of each position: is the formula so there? An until is the least solution of its equation, a release the greatest: begin with nothing,
 * or with everything, and go round until nothing changes. */
static void solve(const struct lasso *w, const bool *left, const bool *right, bool strong, bool *here)
{
    for (int i = 0; i < w->length; i++)
        here[i] = !strong;
    for (int round = 0; round <= w->length; round++)
        for (int i = w->length; i-- > 0;)
            here[i] = right[i] || (left[i] && here[lasso_next(w, i)]);
}

static bool combine(enum kind k, bool l, bool r)
{
    switch (k) {
    case K_TRUE:    return true;
    case K_NOT:     return !l;
    case K_AND:     return l && r;
    case K_OR:      return l || r;
    case K_IMPLIES: return !l || r;
    case K_SAME:    return l == r;
    default:        return false;
    }
}

static void evaluate(const struct made *m, const struct lasso *w, bool so[][LASSO_LONGEST])
{
    static const bool all[LASSO_LONGEST] = { [0 ... LASSO_LONGEST - 1] = true }, none[LASSO_LONGEST];
    for (int at = 0; at < m->count; at++) {
        const struct one *n = &m->nodes[at];
        const bool *l = so[n->left], *r = so[n->right];
        bool both[LASSO_LONGEST];
        for (int i = 0; i < w->length; i++) {
            both[i] = l[i] && r[i];
            so[at][i] = n->kind == K_SYMBOL ? w->letters[i] >> n->symbol & 1
                      : n->kind == K_NEXT   ? l[lasso_next(w, i)] : combine(n->kind, l[i], r[i]);
        }
        switch (n->kind) {
        case K_ALWAYS:     solve(w, l, none, false, so[at]); break;
        case K_EVENTUALLY: solve(w, all, l, true, so[at]); break;
        case K_UNTIL:      solve(w, l, r, true, so[at]); break;
        case K_WEAK:       solve(w, l, r, false, so[at]); break;
        case K_RELEASE:    solve(w, r, both, false, so[at]); break;
        default:           break;
        }
    }
}

/* ---- one formula on all lassos ---- */

struct tally { long formulas, words, states, longest; };

static void report(const char *what, const char *text, const struct lasso *w, bool so)
{
    char *word = lasso_text(w, SYMBOLS);
    printf("%s: %s\n  is %s on%s, but its automaton says otherwise\n", what, text, so ? "so" : "not so", word);
    free(word);
    failures++;
}

static bool agrees(const char *what, const struct made *m, const char *text, const struct buchi *b, int symbols, int start, int loop,
                   struct tally *tally)
{
    static bool so[MOST_NODES][LASSO_LONGEST];
    struct lasso w;
    lasso_first(&w, start, loop);
    do {
        evaluate(m, &w, so);
        tally->words++;
        if (lasso_accepted(&w, b, names, symbols) != so[m->count - 1][0]) {
            report(what, text, &w, so[m->count - 1][0]);
            return false;
        }
    } while (lasso_step(&w, symbols));
    return true;
}

static void check_automaton(const char *what, const struct made *m, const char *text, const struct buchi *b, int symbols, struct tally *tally)
{
    int letters = symbols == 3 ? 3 : 4;                          /* of a lasso; 8 or 4 letters to choose from */
    tally->formulas++;
    tally->states += b->state_count;
    if (b->state_count > tally->longest)
        tally->longest = b->state_count;
    for (int start = 0; start < letters; start++)
        for (int loop = 1; start + loop <= letters && loop <= 3; loop++)
            if (!agrees(what, m, text, b, symbols, start, loop, tally))
                return;
}

/* What is read must be written as it can be read again, as the same formula or one that differs in parentheses of && and || alone. */
static void check_text(struct ltl *table, uint32_t formula)
{
    char *text = ltl_text(table, formula), *again = NULL;
    struct err err = { "" };
    uint32_t read = 0;
    CHECK(!ltl_parse(table, text, &read, &err));
    again = ltl_text(table, read);
    CHECK(!strcmp(text, again));
    CHECK(ltl_normal(table, read) == ltl_normal(table, formula));
    free(text);
    free(again);
}

static void check_formula(struct random *r, int operators, struct tally *tally)
{
    struct made m = { .count = 0 };
    struct prose text = { 0 };
    struct err err = { "" };
    struct ltl *table = ltl_new();
    uint32_t formula = 0;
    int symbols = random_percent(r, 40) ? 3 : 2;
    make(&m, r, operators, symbols, true);
    write_out(&m, m.count - 1, random_below(r, 3), &text);
    CHECK(!ltl_parse(table, text.text, &formula, &err));
    check_text(table, formula);
    struct buchi *b = buchi_new(table, formula, &err);
    if (b)
        check_automaton("verisoft", &m, text.text, b, symbols, tally);
    else
        printf("%s: %s\n", text.text, err.text), failures++;
    buchi_free(b);
    ltl_free(table);
    prose_fini(&text);
}

static void random_formulas(long count, uint64_t seed)
{
    struct tally tally = { 0 };
    struct random r = { seed };
    for (long i = 0; i < count && failures < 10; i++)
        check_formula(&r, (int)(i % 11), &tally);
    printf("%ld random formulas on %ld words: %ld states in all, %ld at most\n", tally.formulas, tally.words, tally.states, tally.longest);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 3000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    random_formulas(count, seed);
    return failures != 0;
}
