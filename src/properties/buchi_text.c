/* Automata in words: never claims, and a list for a person.
 * SPDX-License-Identifier: MIT */
#include "properties/buchi.h"

#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

/* ---- guards ---- */

/* How a symbol is written: bare for a person, in parentheses for a macro that may be any expression. */
enum symbols { BARE, ENCLOSED };

static int literals(struct cube c) { return __builtin_popcountll(c.yes) + __builtin_popcountll(c.no); }

static void put_cube(struct prose *out, const struct buchi *b, struct cube c, enum symbols how)
{
    const char *and = "";
    for (uint32_t i = 0; i < b->symbol_count; i++) {
        if (!((c.yes | c.no) >> i & 1))
            continue;
        const char *not = c.no >> i & 1 ? "!" : "";
        prose_add(out, how == ENCLOSED ? "%s%s(%s)" : "%s%s%s", and, not, b->symbols[i]);
        and = " && ";
    }
}

static void put_guard(struct prose *out, const struct buchi *b, const struct buchi_edge *e, enum symbols how)
{
    for (uint32_t i = 0; i < e->count; i++) {
        struct cube c = b->cubes[e->first + i];
        bool enclosed = e->count > 1 && literals(c) > 1;
        prose_add(out, "%s%s", i ? " || " : "", enclosed ? "(" : "");
        if (literals(c))
            put_cube(out, b, c, how);
        else
            prose_add(out, "true");
        prose_add(out, "%s", enclosed ? ")" : "");
    }
}

char *buchi_guard(const struct buchi *b, const struct buchi_edge *e)
{
    struct prose text = { 0 };
    put_guard(&text, b, e, BARE);
    return prose_take(&text);
}

/* ---- never claims ---- */

char *buchi_state(const struct buchi *b, uint32_t state)
{
    if (!state)
        return prose_make("%s_init", b->accepting[0] ? "accept" : "T0");
    if (buchi_is_final(b, state))
        return prose_make("accept_all");
    return prose_make("%s_S%u", b->accepting[state] ? "accept" : "T0", state);
}

static int lines_in(const struct prose *out)
{
    int lines = 0;
    for (size_t i = 0; i < out->length; i++)
        lines += out->text[i] == '\n';
    return lines;
}

static void put_label(struct prose *out, const struct buchi *b, uint32_t state, int *lines)
{
    char *label = buchi_state(b, state);
    if (lines)
        lines[state] = lines_in(out) + 1;
    prose_add(out, "%s:\n", label);
    free(label);
}

static void put_state(struct prose *out, const struct buchi *b, uint32_t state, int *lines)
{
    uint32_t options = 0;
    put_label(out, b, state, lines);
    prose_add(out, "\tdo\n");
    for (uint32_t i = 0; i < b->edge_count; i++) {
        const struct buchi_edge *e = &b->edges[i];
        if (e->from != state)
            continue;
        char *to = buchi_state(b, e->to);
        prose_add(out, "\t:: (");
        put_guard(out, b, e, ENCLOSED);
        prose_add(out, ") -> goto %s\n", to);
        free(to);
        options++;
    }
    prose_add(out, "%s\tod;\n", options ? "" : "\t:: (false)\n");
}

/* Spin ends a search where a claim comes to its end: a state that accepts whatever follows is that end, and stands last. */
static void put_final(struct prose *out, const struct buchi *b, int *lines)
{
    for (uint32_t s = 0; s < b->state_count; s++)
        if (buchi_is_final(b, s)) {
            put_label(out, b, s, lines);
            prose_add(out, "\tskip\n");
        }
}

/* No comment ends in the middle. */
static void put_comment(struct prose *out, const char *comment)
{
    prose_add(out, "\t/* ");
    for (const char *c = comment; *c; c++)
        prose_add(out, "%c%s", *c == '\n' ? ' ' : *c, c[0] == '*' && c[1] == '/' ? " " : "");
    prose_add(out, " */");
}

char *buchi_never(const struct buchi *b, const char *name, const char *comment, int *lines)
{
    struct prose out = { 0 };
    prose_add(&out, "never %s%s{", name ? name : "", name ? " " : "");
    if (comment)
        put_comment(&out, comment);
    prose_add(&out, "\n");
    for (uint32_t s = 0; s < b->state_count; s++)
        if (!buchi_is_final(b, s))
            put_state(&out, b, s, lines);
    put_final(&out, b, lines);
    prose_add(&out, "}\n");
    return prose_take(&out);
}

/* ---- for a person ---- */

static void put_edges(struct prose *out, const struct buchi *b, uint32_t state)
{
    for (uint32_t i = 0; i < b->edge_count; i++) {
        if (b->edges[i].from != state)
            continue;
        char *to = buchi_state(b, b->edges[i].to);
        prose_add(out, "    to %s when ", to);
        put_guard(out, b, &b->edges[i], BARE);
        prose_add(out, "\n");
        free(to);
    }
}

char *buchi_text(const struct buchi *b)
{
    struct prose out = { 0 };
    prose_add(&out, "%u state%s, %u edge%s\n", b->state_count, b->state_count == 1 ? "" : "s", b->edge_count,
              b->edge_count == 1 ? "" : "s");
    for (uint32_t s = 0; s < b->state_count; s++) {
        char *name = buchi_state(b, s);
        prose_add(&out, "%s%s%s%s\n", name, s ? "" : ", initial", b->accepting[s] ? ", accepting" : "",
                  buchi_is_final(b, s) ? " whatever follows" : "");
        put_edges(&out, b, s);
        free(name);
    }
    return prose_take(&out);
}
