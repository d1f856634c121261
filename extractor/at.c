/* SPDX-License-Identifier: MIT */
#include "extractor/at.h"

#include "base/memory.h"
#include "extractor/at_flow.h"
#include "extractor/token.h"
#include "base/prose.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A function with marks in it. */
struct body {
    int   name, open, close;         /* tokens: its name, its braces */
    int   first, count;              /* of at->states */
    int   table;                     /* the token of the @@, or -1 */
    int   over;                      /* the token ( of the switch around it */
    bool  has_default;               /* that switch has one */
};

struct expander {
    struct at    *at;
    struct tokens tokens;
    struct token *t;                 /* its items */
    int          *marks;             /* the token of each state's @ */
    int           mark_room;
    bool         *used;              /* of each state: does somebody jump to B_? */
};

static void mistake(struct expander *e, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void mistake(struct expander *e, int line, const char *format, ...)
{
    struct at *at = e->at;
    struct prose text = { 0 };
    va_list args;
    va_start(args, format);
    prose_add_list(&text, format, args);
    va_end(args);
    ARRAY_GROW(at->mistakes, at->mistake_count, at->mistake_room);
    at->mistakes[at->mistake_count++] = (struct at_mistake){ line, prose_take(&text) };
}

/* ---- finding ---- */

static int matching(const struct expander *e, int open)
{
    int depth = 0;
    for (int i = open; e->t[i].kind != TOKEN_END; i++) {
        depth += token_is(&e->t[i], "{");
        depth -= token_is(&e->t[i], "}");
        if (!depth)
            return i;
    }
    return e->tokens.count - 1;
}

static int matching_back(const struct expander *e, int close)
{
    int depth = 0;
    for (int i = close; i >= 0; i--) {
        depth += token_is(&e->t[i], ")");
        depth -= token_is(&e->t[i], "(");
        if (!depth)
            return i;
    }
    return -1;
}

/* The name in front of the parameters, for a brace at file level: of an old definition, too; -1: it opens no function. */
static int function_name(const struct expander *e, int brace)
{
    int i = brace - 1;
    while (i >= 0 && !token_is(&e->t[i], ")") && !token_is(&e->t[i], "=") && !token_is(&e->t[i], "}"))
        i--;
    if (i < 0 || !token_is(&e->t[i], ")") || (i != brace - 1 && !token_is(&e->t[brace - 1], ";")))
        return -1;
    int open = matching_back(e, i);
    return open > 0 && e->t[open - 1].kind == TOKEN_WORD ? open - 1 : -1;
}

static bool is_state(const struct at *at, const struct body *b, const char *name, int length)
{
    for (int i = b->first; i < b->first + b->count; i++)
        if ((int)strlen(at->states[i].name) == length && !strncmp(at->states[i].name, name, (size_t)length))
            return true;
    return false;
}

static void add_state(struct expander *e, struct body *b, int mark, char *name)
{
    struct at *at = e->at;
    if (at->count == e->mark_room) {
        e->mark_room = e->mark_room ? 2 * e->mark_room : 16;
        e->marks = memory_resize(e->marks, (size_t)e->mark_room * sizeof *e->marks);
    }
    e->marks[at->count] = mark;
    ARRAY_GROW(at->states, at->count, at->room);
    at->states[at->count++] = (struct at_state){ .name = name, .number = ++b->count, .line = e->t[mark].line,
        .function = prose_make("%.*s", e->t[b->name].length, e->t[b->name].at) };
}

/* Names of states are looked for in the whole function, so that none is given to one without. */
static bool named_somewhere(const struct expander *e, const struct body *b, const char *name)
{
    for (int i = b->open; i < b->close; i++)
        if (token_is(&e->t[i], "@") && token_is(&e->t[i + 1], name))
            return true;
    return is_state(e->at, b, name, (int)strlen(name));
}

static void add_unnamed(struct expander *e, struct body *b, int mark)
{
    const char *above = "state";
    for (int i = mark - 1; i > b->open; i--)
        if (token_is(&e->t[i], "@") && e->t[i + 1].kind == TOKEN_WORD) {
            above = e->t[i + 1].at;
            break;
        }
    int length = (int)strspn(above, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    for (int n = 1;; n++) {
        char *name = prose_make("%.*s_%d", length, above, n);
        if (!named_somewhere(e, b, name)) {
            add_state(e, b, mark, name);
            return;
        }
        free(name);
    }
}

static void add_named(struct expander *e, struct body *b, int mark)
{
    const struct token *name = &e->t[mark + 1];
    for (int i = b->first; i < b->first + b->count; i++)
        if (token_is(name, e->at->states[i].name)) {
            mistake(e, name->line, "the state %s is defined twice, first in line %d; give one of them another name",
                    e->at->states[i].name, e->at->states[i].line);
            return;
        }
    add_state(e, b, mark, prose_make("%.*s", name->length, name->at));
}

/* The @@ stands right in the braces of a switch. */
static void add_table(struct expander *e, struct body *b, int mark)
{
    if (b->table >= 0) {
        mistake(e, e->t[mark].line, "a second jump table: the first is in line %d, and a function has one", e->t[b->table].line);
        return;
    }
    int depth = 1, brace = mark;
    while (depth > 0 && --brace > b->open)
        depth += token_is(&e->t[brace], "}") - token_is(&e->t[brace], "{");
    int over = brace > b->open && token_is(&e->t[brace - 1], ")") ? matching_back(e, brace - 1) : -1;
    b->table = mark;
    if (over < 1 || !token_is(&e->t[over - 1], "switch")) {
        mistake(e, e->t[mark].line, "the jump table @@ stands in no switch; write switch (state) { @@ }");
        return;
    }
    b->over = over;
    for (int i = brace, close = matching(e, brace); i < close; i++)
        b->has_default |= token_is(&e->t[i], "default");
}

static int one_mark(struct expander *e, struct body *b, int i)
{
    if (token_is(&e->t[i + 1], "@")) {
        add_table(e, b, i);
        return i + 1;
    }
    if (token_is(&e->t[i + 1], ":")) {
        add_unnamed(e, b, i);
        return i + 1;
    }
    if (e->t[i + 1].kind == TOKEN_WORD && token_is(&e->t[i + 2], ":")) {
        add_named(e, b, i);
        return i + 2;
    }
    mistake(e, e->t[i].line, "behind @ stands neither a name and a colon (@name:), nor a colon (@:), nor a second @ (the jump table)");
    return i;
}

/* ---- what must be so ---- */

static bool is_label(const struct expander *e, const struct body *b, int i)
{
    const struct token *t = e->t;
    if (t[i].kind != TOKEN_WORD || !token_is(&t[i + 1], ":") || token_is(&t[i], "default") || token_is(&t[i], "case"))
        return false;
    const char *before[] = { ";", "{", "}", ":", ")", "else", "do" };
    for (size_t k = 0; i > b->open && k < sizeof before / sizeof *before; k++)
        if (token_is(&t[i - 1], before[k]))
            return true;
    return false;
}

static int find_label(const struct expander *e, const struct body *b, const char *name, int length)
{
    for (int i = b->open + 1; i < b->close; i++)
        if (e->t[i].length == length && !strncmp(e->t[i].at, name, (size_t)length) && is_label(e, b, i))
            return i;
    return -1;
}

static void check_jump(struct expander *e, const struct body *b, int i)
{
    const struct token *to = &e->t[i + 1];
    bool ours = to->length > 2 && (to->at[0] == 'A' || to->at[0] == 'B') && to->at[1] == '_';
    if (!ours || find_label(e, b, to->at, to->length) >= 0)
        return;
    if (!is_state(e->at, b, to->at + 2, to->length - 2)) {
        mistake(e, to->line, "goto %.*s: there is no state %.*s in this function; write @%.*s: where it waits",
                to->length, to->at, to->length - 2, to->at + 2, to->length - 2, to->at + 2);
        return;
    }
    for (int s = b->first; s < b->first + b->count; s++)
        e->used[s] |= to->at[0] == 'B' && (int)strlen(e->at->states[s].name) == to->length - 2
                      && !strncmp(e->at->states[s].name, to->at + 2, (size_t)to->length - 2);
}

static void check_own_labels(struct expander *e, const struct body *b)
{
    for (int s = b->first; s < b->first + b->count; s++)
        for (int side = 0; side < 2; side++) {
            char *name = prose_make("%c_%s", "AB"[side], e->at->states[s].name);
            int at = find_label(e, b, name, (int)strlen(name));
            if (at >= 0)
                mistake(e, e->t[at].line, "the label %s is that of the state %s in line %d; give it another name", name,
                        e->at->states[s].name, e->at->states[s].line);
            free(name);
        }
}

static void check_parts(struct expander *e, const struct body *b)
{
    int line = b->count ? e->at->states[b->first].line : e->t[b->table].line;
    int length = e->t[b->name].length;
    const char *name = e->t[b->name].at;
    if (!b->count)
        mistake(e, line, "the jump table of %.*s is empty: no state @name: stands in this function", length, name);
    if (b->table < 0)
        mistake(e, line, "%.*s has control states but no jump table; write switch (state) { @@ } where it begins", length, name);
    if (b->count && find_label(e, b, "out", 3) < 0)
        mistake(e, line, "%.*s has no exit label; write out: where it returns to wait for the next event", length, name);
    if (b->table >= 0 && !b->has_default && find_label(e, b, "error", 5) < 0)
        mistake(e, e->t[b->table].line, "the jump table goes to error for a state that is none; write a label error:, or a default");
}

/* ---- who is reached ---- */

/* A number that the file gives to the state variable: its first value, mostly. */
static bool is_given(const struct expander *e, const struct body *b, int number, bool *any)
{
    const struct token *variable = &e->t[b->over + 1];
    bool found = false;
    while (variable[1].kind == TOKEN_WORD || (!token_is(&variable[1], ")") && variable + 1 < &e->t[b->close]))
        variable++;                  /* x->state: a field is known by its name alone */
    for (int i = 1; e->t[i + 1].kind != TOKEN_END && e->t[i + 2].kind != TOKEN_END; i++) {
        bool same = e->t[i].length == variable->length && !strncmp(e->t[i].at, variable->at, (size_t)variable->length);
        if (!same || !token_is(&e->t[i + 1], "=") || e->t[i + 2].kind != TOKEN_LITERAL)
            continue;
        *any = true;
        found |= strtol(e->t[i + 2].at, NULL, 0) == number;
    }
    return found;
}

static bool starts_here(const struct expander *e, const struct body *b, int number)
{
    bool any = false, given = is_given(e, b, number, &any);
    return given || (!any && number == 1);       /* set from elsewhere: then the first one */
}

static void check_reached(struct expander *e, const struct body *b)
{
    struct flow_label *labels = NULL;
    int count = 0, room = 0;
    for (int s = b->first; s < b->first + b->count; s++) {
        const char *name = e->at->states[s].name;
        ARRAY_GROW(labels, count, room);
        labels[count++] = (struct flow_label){ name, (int)strlen(name), e->marks[s], starts_here(e, b, e->at->states[s].number) };
    }
    for (int i = b->open + 1; i < b->close; i++) {
        if (!is_label(e, b, i))
            continue;
        ARRAY_GROW(labels, count, room);
        labels[count++] = (struct flow_label){ e->t[i].at, e->t[i].length, -1, false };
    }
    flow_follow(&e->tokens, b->open, b->close, labels, count);
    for (int s = 0; s < b->count; s++)
        if (!labels[s].reached)
            mistake(e, e->at->states[b->first + s].line, "nobody reaches the state %s: no way through %s leads to it and no goto B_%s",
                    labels[s].name, e->at->states[b->first].function, labels[s].name);
    free(labels);
}

static void check(struct expander *e, const struct body *b)
{
    int mistakes = e->at->mistake_count;
    e->used = memory_resize(e->used, ((size_t)e->at->count + 1) * sizeof *e->used);
    memset(e->used + b->first, 0, (size_t)b->count * sizeof *e->used);
    check_parts(e, b);
    check_own_labels(e, b);
    for (int i = b->open; i < b->close; i++)
        if (token_is(&e->t[i], "goto"))
            check_jump(e, b, i);
    if (mistakes == e->at->mistake_count && b->over)
        check_reached(e, b);
}

/* ---- writing ---- */

struct writer { struct prose out; const char *from; };           /* the text from `from` on is not copied yet */

static void replace(struct writer *w, const struct token *first, const struct token *last)
{
    prose_bytes(&w->out, w->from, (size_t)(first->at - w->from));
    w->from = last->at + last->length;
}

static void put_variable(struct writer *w, const struct expander *e, const struct body *b)
{
    int close = b->over, depth = 0;
    do {
        depth += token_is(&e->t[close], "(") - token_is(&e->t[close], ")");
    } while (depth && close++ < b->close);
    for (int i = b->over + 1; i < close; i++)
        prose_add(&w->out, "%s%.*s", i > b->over + 1 && e->t[i].kind == TOKEN_WORD && e->t[i - 1].kind == TOKEN_WORD ? " " : "",
                  e->t[i].length, e->t[i].at);
}

static void put_state(struct writer *w, const struct expander *e, const struct body *b, int s)
{
    const struct at_state *state = &e->at->states[s];
    int last = e->marks[s] + (token_is(&e->t[e->marks[s] + 1], ":") ? 1 : 2);
    replace(w, &e->t[e->marks[s]], &e->t[last]);
    if (e->used[s])
        prose_add(&w->out, "B_%s: ", state->name);
    put_variable(w, e, b);
    prose_add(&w->out, " = %d; goto out; A_%s: ;", state->number, state->name);
}

static void put_table(struct writer *w, const struct expander *e, const struct body *b)
{
    replace(w, &e->t[b->table], &e->t[b->table + 1]);
    if (!b->has_default)
        prose_add(&w->out, "default: goto error;");
    for (int s = b->first; s < b->first + b->count; s++)
        prose_add(&w->out, " case %d: goto A_%s;", e->at->states[s].number, e->at->states[s].name);
}

static void put(struct writer *w, const struct expander *e, const struct body *b)
{
    bool tabled = false;
    for (int s = b->first; s < b->first + b->count; s++) {
        if (!tabled && b->table < e->marks[s]) {
            put_table(w, e, b);
            tabled = true;
        }
        put_state(w, e, b, s);
    }
    if (!tabled)
        put_table(w, e, b);
}

static void put_name(struct prose *out, const char *file)
{
    prose_add(out, "#line 1 \"");
    for (; *file; file++)
        prose_add(out, "%s%c", *file == '"' || *file == '\\' ? "\\" : "", *file);
    prose_add(out, "\"\n");
}

/* ---- all ---- */

static struct body read_body(struct expander *e, int name, int open)
{
    struct body b = { .name = name, .open = open, .close = matching(e, open), .first = e->at->count, .table = -1 };
    for (int i = open; i < b.close; i++)
        if (e->t[i].kind == TOKEN_MARK)
            i = one_mark(e, &b, i);
    if (b.count || b.table >= 0)
        check(e, &b);
    return b;
}

static void read_all(struct expander *e, struct writer *w)
{
    for (int i = 0; e->t[i].kind != TOKEN_END; i++) {
        if (e->t[i].kind == TOKEN_MARK)
            mistake(e, e->t[i].line, "an @ outside of every function; control states stand in the body of one");
        if (!token_is(&e->t[i], "{"))
            continue;
        int name = function_name(e, i);
        if (name >= 0) {
            struct body b = read_body(e, name, i);
            if (!e->at->mistake_count && b.count)
                put(w, e, &b);
        }
        for (int close = matching(e, i), marked = i; name < 0 && marked < close; marked++)
            if (e->t[marked].kind == TOKEN_MARK)
                mistake(e, e->t[marked].line, "an @ outside of every function; control states stand in the body of one");
        i = matching(e, i);
        if (e->t[i].kind == TOKEN_END)
            break;
    }
}

static int by_line(const void *a, const void *b)
{
    const struct at_mistake *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line) : strcmp(x->text, y->text);
}

void at_expand(struct at *at, const char *file, const char *text)
{
    struct expander e = { .at = at };
    struct writer w = { .from = text };
    *at = (struct at){ 0 };
    tokens_read(&e.tokens, text);
    e.t = e.tokens.items;
    put_name(&w.out, file);
    read_all(&e, &w);
    if (at->mistake_count) {
        qsort(at->mistakes, (size_t)at->mistake_count, sizeof *at->mistakes, by_line);
        prose_fini(&w.out);
    } else {
        prose_bytes(&w.out, w.from, strlen(w.from));
        at->c = prose_take(&w.out);
    }
    tokens_fini(&e.tokens);
    free(e.marks);
    free(e.used);
}

void at_fini(struct at *at)
{
    for (int i = 0; i < at->count; i++) {
        free(at->states[i].name);
        free(at->states[i].function);
    }
    for (int i = 0; i < at->mistake_count; i++)
        free(at->mistakes[i].text);
    free(at->states);
    free(at->mistakes);
    free(at->c);
    *at = (struct at){ 0 };
}

bool at_has_marks(const char *text)
{
    struct tokens t;
    bool found = false;
    tokens_read(&t, text);
    for (int i = 0; i < t.count; i++)
        found |= t.items[i].kind == TOKEN_MARK;
    tokens_fini(&t);
    return found;
}
