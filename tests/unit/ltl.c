/* Temporal logic: random formulas are evaluated on all lassos up to a length, and their automata must accept exactly those of which they are
 * so. Formulas are made, written and evaluated here, and read by the reader under test: evaluator and translation share nothing. The
 * same with the automata of `spin -f`, where it is installed. And what the reader refuses, with which words.
 *
 *     build/tests/unit/ltl [FORMULAS [SEED]]
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"
#include "claim.h"
#include "lasso.h"
#include "properties/vacuity.h"
#include "random.h"
#include "base/prose.h"

#include <assert.h>
#include <jansson.h>
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

/* The same by the product's own walk: what is accepted, and what is accepted whatever follows. */
static bool accepted(const struct lasso *w, const struct buchi *b, int symbols)
{
    uint64_t letters[LASSO_LONGEST] = { 0 };
    for (int at = 0; at < w->length; at++)
        for (uint32_t i = 0; i < b->symbol_count; i++)
            for (int s = 0; s < symbols; s++)
                if (w->letters[at] >> s & 1 && !strcmp(b->symbols[i], names[s]))
                    letters[at] |= 1ull << i;
    bool so = buchi_accepts(b, letters, (uint32_t)w->length, (uint32_t)w->again);
    return so || buchi_decided(b, letters, (uint32_t)w->length);
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
        if (lasso_accepted(&w, b, names, symbols) != so[m->count - 1][0] || accepted(&w, b, symbols) != so[m->count - 1][0]) {
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
    struct err err = { .text = "" };
    uint32_t read = 0;
    CHECK(!ltl_parse(table, text, &read, &err));
    again = ltl_text(table, read);
    CHECK(!strcmp(text, again));
    CHECK(ltl_normal(table, read) == ltl_normal(table, formula));
    free(text);
    free(again);
}

/* Where nothing is tried, the formula is so: no run has the one and not the other; and the trigger is the negation. */
static void check_idle(struct ltl *table, uint32_t formula)
{
    struct err err = { .text = "" };
    uint32_t idle = vacuity_idle(table, formula), trigger = vacuity_trigger(table, idle);
    struct buchi *none = buchi_new(table, ltl_make(table, LTL_AND, idle, ltl_not(table, formula)), &err);
    struct buchi *same = buchi_new(table, ltl_make(table, LTL_EQUIVALENT, idle, trigger), &err);
    CHECK(none && !none->edge_count && same && !same->edge_count);
    buchi_free(none);
    buchi_free(same);
}

static void check_formula(struct random *r, int operators, struct tally *tally)
{
    struct made m = { .count = 0 };
    struct prose text = { 0 };
    struct err err = { .text = "" };
    struct ltl *table = ltl_new();
    uint32_t formula = 0;
    int symbols = random_percent(r, 40) ? 3 : 2;
    make(&m, r, operators, symbols, true);
    write_out(&m, m.count - 1, random_below(r, 3), &text);
    CHECK(!ltl_parse(table, text.text, &formula, &err));
    check_text(table, formula);
    check_idle(table, formula);
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

/* ---- Spin ---- */

static bool have_spin(void)
{
    return system("command -v spin > /dev/null 2>&1") == 0;
}

static char *spin_says(const char *formula)
{
    struct prose text = { 0 };
    char *command = prose_make("spin -f '%s' 2>&1", formula), buffer[512];
    FILE *in = popen(command, "r");
    assert(in);
    while (fgets(buffer, sizeof buffer, in))
        prose_add(&text, "%s", buffer);
    pclose(in);
    free(command);
    return prose_take(&text);
}

static struct buchi *spin_automaton(const char *formula, const char *const *symbols, int count)
{
    struct err err = { .text = "" };
    char *claim = spin_says(formula);
    struct buchi *b = claim_read(claim, symbols, count, NULL, 0, &err);
    if (!b)
        printf("spin -f '%s': %s\n", formula, err.text);
    CHECK(b != NULL);
    free(claim);
    return b;
}

static struct buchi *our_automaton(const char *formula)
{
    struct ltl *table = ltl_new();
    struct err err = { .text = "" };
    uint32_t f = 0;
    CHECK(!ltl_parse(table, formula, &f, &err));
    struct buchi *b = buchi_new(table, f, &err);
    CHECK(b != NULL);
    ltl_free(table);
    return b;
}

/* Spin's own automata pass the same test, which says that the test is right; and they have no fewer states in all. */
static void spin_on_random_formulas(int count, uint64_t seed)
{
    struct tally spins = { 0 }, ours = { 0 };
    struct random r = { seed };
    for (int i = 0; i < count && failures < 10; i++) {
        struct made m = { .count = 0 };
        struct prose text = { 0 };
        make(&m, &r, i % 7, 2, false);
        write_out(&m, m.count - 1, 0, &text);
        if (!strstr(text.text, " W ")) {                         /* which Spin does not have here */
            struct buchi *theirs = spin_automaton(text.text, names, 2), *own = our_automaton(text.text);
            if (theirs && own) {
                check_automaton("spin", &m, text.text, theirs, 2, &spins);
                check_automaton("verisoft", &m, text.text, own, 2, &ours);
            }
            buchi_free(theirs);
            buchi_free(own);
        }
        prose_fini(&text);
    }
    printf("%ld random formulas without X: %ld states, Spin has %ld\n", ours.formulas, ours.states, spins.states);
    CHECK(ours.states <= spins.states);
}

/* Usual formulas. Some are too much for Spin's translation when they are nested deeper than these. */
static const char *const usual[] = {
    "[]p", "<>p", "p U q", "p V q", "[](p -> <>q)", "[](p -> (q U r))", "[]<>p", "<>[]p", "[]<>p && []<>q", "[]<>p -> []<>q",
    "<>[]p || <>[]q", "<>p -> (!p U q)", "<>r -> (!p U r)", "[](q -> []!p)", "[](q && !r && <>r -> (!p U r))",
    "<>r -> (!p U (q || r))", "[]!q || <>(q && <>p)", "[](p && !q -> (r U q))", "p U (q U r)", "(p U q) U r", "p U (q && <>r)",
    "[](p -> <>q) && [](q -> <>r)", "<>(p && <>(q && <>r))", "<>p && <>q", "[](p || <>q)", "p U []q", "[]p || <>q",
    "<>r -> ((p -> (!r U (q && !r))) U r)",
};

static void spin_on_usual_formulas(void)
{
    static const char *const symbols[] = { "p", "q", "r" };
    int count = (int)(sizeof usual / sizeof *usual), sum = 0, theirs_sum = 0;
    for (int i = 0; i < 2 * count; i++) {
        char *formula = prose_make(i % 2 ? "!(%s)" : "%s", usual[i / 2]);
        struct buchi *theirs = spin_automaton(formula, symbols, 3), *own = our_automaton(formula);
        if (theirs && own) {
            if (own->state_count > theirs->state_count)
                printf("%s: %u states, Spin has %u\n", formula, own->state_count, theirs->state_count);
            CHECK(own->state_count <= theirs->state_count);
            sum += (int)own->state_count;
            theirs_sum += (int)theirs->state_count;
        }
        buchi_free(theirs);
        buchi_free(own);
        free(formula);
    }
    printf("%d usual formulas: %d states, Spin has %d\n", 2 * count, sum, theirs_sum);
}

/* ---- never claims, drawings, JSON ---- */

static void check_claim(const struct buchi *b)
{
    struct err err = { .text = "" };
    int lines[64] = { 0 }, read_lines[64] = { 0 };
    assert(b->state_count < 64);
    char *claim = buchi_never(b, "a_name", "what */ it says", lines);
    struct buchi *again = claim_read(claim, names, SYMBOLS, read_lines, 64, &err);
    CHECK(again && again->state_count == b->state_count);
    struct lasso w;
    for (int loop = 1; again && loop <= 2; loop++) {
        lasso_first(&w, 1, loop);
        do
            CHECK(lasso_accepted(&w, again, names, SYMBOLS) == lasso_accepted(&w, b, names, SYMBOLS));
        while (failures < 10 && lasso_step(&w, SYMBOLS));
    }
    for (uint32_t s = 0; again && s < b->state_count; s++)
        CHECK(lines[s] == read_lines[s]);
    buchi_free(again);
    free(claim);
}

struct box { int left, top, right, bottom; };

static bool apart(const struct box *a, const struct box *b)
{
    return a->right <= b->left || b->right <= a->left || a->bottom <= b->top || b->bottom <= a->top;
}

/* Texts of guards and names of states, and the frames around these. */
static int read_boxes(const char *svg, struct box *boxes, int room)
{
    int count = 0, x, y, width, height, end;
    for (const char *at = svg; (at = strchr(at, '<')); at++) {
        struct box box;
        if (sscanf(at, "<text class=\"guard\" x=\"%d\" y=\"%d\">%n", &x, &y, &end) == 2) {
            int letters = 0;
            for (const char *c = at + end; *c != '<'; c += *c == '&' ? strcspn(c, ";") + 1 : 1)
                letters++;
            box = (struct box){ x - letters * 33 / 10, y - 9, x + letters * 33 / 10, y + 2 };    /* 6.6 wide at 11 pixels */
        } else if (sscanf(at, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"12\"/>", &x, &y, &width, &height) == 4) {
            box = (struct box){ x, y, x + width, y + height };
        } else {
            continue;
        }
        assert(count < room);
        boxes[count++] = box;
    }
    return count;
}

/* Every state and guard is there, nothing lies on something else, and all is inside the drawing. */
static void check_drawing(const struct buchi *b, const char *formula)
{
    static struct box boxes[2000];
    bool reached[64] = { true };
    struct err err = { .text = "" };
    char *svg = buchi_svg(b, formula, reached, &err);
    int width = 0, height = 0, count;
    CHECK(svg != NULL);
    if (!svg)
        return;
    CHECK(sscanf(strstr(svg, "<svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\"", &width, &height) == 2);
    count = read_boxes(svg, boxes, 2000);
    CHECK(count == (int)(b->state_count + b->cube_count));
    for (int i = 0; i < count; i++) {
        CHECK(boxes[i].left >= 0 && boxes[i].top >= 0 && boxes[i].right <= width && boxes[i].bottom <= height);
        for (int j = 0; j < i; j++)
            if (!apart(&boxes[i], &boxes[j])) {
                printf("%s: two things of its drawing lie on each other\n", formula);
                failures++;
            }
    }
    CHECK((strstr(svg, "class=\"state unreached\"") != NULL) == (b->state_count > 1));
    free(svg);
}

static void check_json(const struct buchi *b, const char *formula)
{
    bool reached[64] = { true };
    json_t *o = buchi_json(b, formula, reached);
    CHECK(!strcmp(json_string_value(json_object_get(o, "formula")), formula));
    CHECK(json_array_size(json_object_get(o, "symbols")) == b->symbol_count);
    CHECK(json_array_size(json_object_get(o, "states")) == b->state_count);
    CHECK(json_array_size(json_object_get(o, "edges")) == b->edge_count);
    CHECK(json_is_true(json_object_get(json_array_get(json_object_get(o, "states"), 0), "reached")));
    json_decref(o);
}

static void outputs(int count, uint64_t seed)
{
    struct random r = { seed };
    for (int i = 0; i < count && failures < 10; i++) {
        struct made m = { .count = 0 };
        struct prose text = { 0 };
        make(&m, &r, i % 11, SYMBOLS, true);
        write_out(&m, m.count - 1, 0, &text);
        struct buchi *b = our_automaton(text.text);
        if (b->state_count < 64 && b->edge_count <= 300) {
            check_claim(b);
            check_drawing(b, text.text);
            check_json(b, text.text);
        }
        buchi_free(b);
        prose_fini(&text);
    }
}

static void drawings_have_a_limit(void)
{
    struct err err = { .text = "" };
    struct buchi *b = our_automaton("<>a && <>b && <>c && <>d && <>e && <>f");
    CHECK(!buchi_svg(b, "", NULL, &err) && strstr(err.text, "edges cannot be drawn so that one could read it: 300 is the most"));
    buchi_free(b);
}

/* ---- what is refused ---- */

static bool refuses(const char *text, const char *message)
{
    struct ltl *table = ltl_new();
    struct err err = { .text = "" };
    uint32_t formula = 12345;
    bool so = ltl_parse(table, text, &formula, &err) < 0 && strstr(err.text, message) && formula == 12345;
    if (!so)
        printf("'%.80s' gives: %s\n", text, err.text);
    ltl_free(table);
    return so;
}

static char *repeated(const char *before, const char *middle, const char *behind, int times)
{
    struct prose text = { 0 };
    for (int i = 0; i < times; i++)
        prose_add(&text, "%s", before);
    prose_add(&text, "%s", middle);
    for (int i = 0; i < times; i++)
        prose_add(&text, "%s", behind);
    return prose_take(&text);
}

static void mistakes_have_their_place(void)
{
    CHECK(refuses("", "column 1: expected a symbol, true, false, ( or one of ! X [] <>, found the end"));
    CHECK(refuses("p &&", "column 5: expected a symbol, true, false, ( or one of ! X [] <>, found the end"));
    CHECK(refuses("p & q", "column 3: expected an operator or the end, found '&'; write &&"));
    CHECK(refuses("(p | q)", "column 4: expected an operator or ), found '|'; write ||"));
    CHECK(refuses("(p || q", "column 8: expected ), found the end: the ( at column 1 is not closed"));
    CHECK(refuses("p\n  && ((q)\n", "line 3, column 1: expected ), found the end: the ( at line 2, column 6 is not closed"));
    CHECK(refuses("p)", "column 2: expected an operator or the end, found ')'"));
    CHECK(refuses("p q", "column 3: expected an operator or the end, found 'q'"));
    CHECK(refuses("<> U", "column 4: expected a symbol, true, false, ( or one of ! X [] <>, found 'U' (U, V, R, W are operators"));
    CHECK(refuses("p -> && q", "column 6: expected a symbol, true, false, ( or one of ! X [] <>, found '&&' (this operator stands between"));
    CHECK(refuses("p U q U r", "column 7: this can be read in two ways: put parentheses"));
    CHECK(refuses("p -> q -> r", "column 8: this can be read in two ways"));
    CHECK(refuses("p <-> q -> r", "column 9: this can be read in two ways"));
    CHECK(refuses("p U q V r", "column 7: this can be read in two ways"));
    CHECK(refuses("p /* and", "column 3: the comment that begins here has no end"));
    CHECK(refuses("p == 1", "column 3: expected an operator or the end, found '='"));
    CHECK(refuses("1", "column 1: expected a symbol"));
    CHECK(refuses("p && \xc3\xa9", "column 6: expected a symbol, true, false, ( or one of ! X [] <>, found the byte 0xc3"));
    CHECK(refuses("p && \x1b[1m", "found the byte 0x1b"));
}

static void limits_are_said(void)
{
    char *deep = repeated("(", "p", ")", 1000), *many = repeated("", "p", " && p", 1000), *most = repeated("", "p", " && p", LTL_LARGEST);
    char *high = repeated("X ", "p", "", LTL_DEEPEST - 1), *long_name = repeated("n", "n", "", 300);
    struct buchi *b = our_automaton(most);
    CHECK(b && b->state_count == 2);
    buchi_free(b);
    b = our_automaton(high);
    CHECK(b && b->state_count == LTL_DEEPEST + 1);
    buchi_free(b);
    CHECK(refuses(deep, "column 201: nested more than 200 deep"));
    CHECK(refuses(many, "more than 500 operators in one formula"));
    CHECK(refuses(long_name, "column 1: a name of more than 255 letters"));
    free(deep);
    free(many);
    free(most);
    free(high);
    free(long_name);
}

static bool too_large(const char *text, const char *message)
{
    struct ltl *table = ltl_new();
    struct err err = { .text = "" };
    uint32_t formula = 0;
    CHECK(!ltl_parse(table, text, &formula, &err));
    bool so = !buchi_new(table, formula, &err) && strstr(err.text, message);
    if (!so)
        printf("%s\n", err.text);
    ltl_free(table);
    return so;
}

static void large_automata_are_refused(void)
{
    struct prose symbols = { 0 }, promises = { 0 }, pairs = { 0 };
    for (int i = 0; i < 65; i++)
        prose_add(&symbols, "%ss%d", i ? " && " : "", i);
    for (int i = 0; i < 20; i++)
        prose_add(&promises, "%s<>s%d", i ? " && " : "", i);
    for (int i = 0; i < 65; i++)
        prose_add(&pairs, "%s<>(s%d && X s%d)", i ? " && " : "", i / 9, i % 9 + 1);
    CHECK(too_large(symbols.text, "65 different symbols in one formula, and 64 is the most"));
    CHECK(too_large(promises.text, "the automaton of this formula is too large: after "));
    CHECK(too_large(pairs.text, "more than 64 different U and <> in one formula"));
    prose_fini(&symbols);
    prose_fini(&promises);
    prose_fini(&pairs);
}

/* ---- the paper's formula ---- */

static void call_forwarding(void)
{
    struct buchi *b = our_automaton("<>(so /\\ X(!eo U (ni /\\ (np U ne))))");
    CHECK(b->state_count == 4);                                  /* as the one made by hand in the paper's figure 5 */
    CHECK(buchi_is_final(b, 3) && !buchi_is_final(b, 0));
    buchi_free(b);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1500;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    random_formulas(count, seed);
    outputs(300, seed);
    drawings_have_a_limit();
    mistakes_have_their_place();
    limits_are_said();
    large_automata_are_refused();
    call_forwarding();
    if (!have_spin()) {
        printf("not compared with Spin, which is not installed\n");
        return failures != 0;
    }
    spin_on_usual_formulas();
    spin_on_random_formulas(150, seed);
    return failures != 0;
}
