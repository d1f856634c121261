/* SPDX-License-Identifier: MIT */
#include "claim.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LABELS = 400 };

struct reader {
    const char *const *names;
    int         symbols;
    char        labels[MOST_LABELS][40];
    int         state[MOST_LABELS];              /* that the label is of */
    int         count, states;
    struct buchi *b;
    uint32_t    edge_room, cube_room;
    bool        bad;
};

/* ---- conditions: || of && of ! of names, numbers and parentheses ---- */

struct expression { const char *at; uint64_t letter; struct reader *r; };

static bool any(struct expression *);

static void skip_blanks(struct expression *e) { e->at += strspn(e->at, " \t"); }

static bool eat(struct expression *e, const char *sign)
{
    skip_blanks(e);
    if (strncmp(e->at, sign, strlen(sign)))
        return false;
    e->at += strlen(sign);
    return true;
}

static bool value_of(struct expression *e)
{
    skip_blanks(e);
    size_t length = 0;
    while (isalnum((unsigned char)e->at[length]) || e->at[length] == '_')
        length++;
    const char *word = e->at;
    e->at += length;
    for (int i = 0; i < e->r->symbols; i++)
        if (strlen(e->r->names[i]) == length && !strncmp(word, e->r->names[i], length))
            return e->letter >> i & 1;
    bool yes = !strncmp(word, "1", length) || !strncmp(word, "true", length);
    if (!length || !(yes || !strncmp(word, "0", length) || !strncmp(word, "false", length)))
        e->r->bad = true;
    return yes;
}

static bool one(struct expression *e)
{
    if (eat(e, "!"))
        return !one(e);
    if (!eat(e, "("))
        return value_of(e);
    bool inside = any(e);
    if (!eat(e, ")"))
        e->r->bad = true;
    return inside;
}

static bool every(struct expression *e)
{
    bool yes = one(e);
    while (!e->r->bad && eat(e, "&&"))
        yes &= one(e);
    return yes;
}

static bool any(struct expression *e)
{
    bool yes = every(e);
    while (!e->r->bad && eat(e, "||"))
        yes |= every(e);
    return yes;
}

/* ---- states and edges ---- */

static int state_named(struct reader *r, const char *label, size_t length)
{
    for (int i = 0; i < r->count; i++)
        if (strlen(r->labels[i]) == length && !strncmp(r->labels[i], label, length))
            return r->state[i];
    r->bad = true;
    return 0;
}

static void add_edge(struct reader *r, int from, int to, const char *guard)
{
    struct buchi *b = r->b;
    struct buchi_edge e = { (uint32_t)from, (uint32_t)to, b->cube_count, 0 };
    for (uint64_t letter = 0; letter < UINT64_C(1) << r->symbols; letter++) {
        struct expression condition = { guard, letter, r };
        if (!any(&condition))
            continue;
        ARRAY_GROW(b->cubes, b->cube_count, r->cube_room);
        b->cubes[b->cube_count++] = (struct cube){ letter, ~letter & ((UINT64_C(1) << r->symbols) - 1) };
        e.count++;
    }
    ARRAY_GROW(b->edges, b->edge_count, r->edge_room);
    b->edges[b->edge_count++] = e;
}

static void read_edge(struct reader *r, int from, const char *text)
{
    char *line = strndup(text, strcspn(text, "\n"));
    const char *guard = strchr(line, '('), *to = strstr(line, "goto ");
    bool ends = strstr(line, "assert(") != NULL;                 /* Spin's way to say: and that is a violation */
    if (!guard)
        r->bad |= !strstr(line, ":: false");             /* Spin's way to say: nothing is accepted */
    else if (ends)
        add_edge(r, from, state_named(r, "accept_all", 10), guard);
    else if (to)
        add_edge(r, from, state_named(r, to + 5, strcspn(to + 5, " ")), guard);
    free(line);
}

static bool is_label(const char *line) { return isalpha((unsigned char)*line) && line[strcspn(line, ":\n")] == ':'; }

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* Labels that stand one behind the other are of one state. */
static void read_labels(struct reader *r, const char *text, int *lines, int room)
{
    bool fresh = true;
    int number = 1;
    for (const char *line = text; *line; line = next_line(line), number++) {
        if (!is_label(line)) {
            fresh = true;
            continue;
        }
        if (r->count == MOST_LABELS || strcspn(line, ":") >= sizeof r->labels[0]) {
            r->bad = true;
            return;
        }
        if (fresh && lines && r->states < room)
            lines[r->states] = number;
        r->states += fresh;
        fresh = false;
        memcpy(r->labels[r->count], line, strcspn(line, ":"));
        r->state[r->count++] = r->states - 1;
    }
}

static void read_states(struct reader *r, const char *text)
{
    int state = -1;
    for (const char *line = text; *line && !r->bad; line = next_line(line)) {
        if (is_label(line)) {
            state = state_named(r, line, strcspn(line, ":"));
            if (!strncmp(line, "accept", 6))
                r->b->accepting[state] = true;
        } else if (!strncmp(line, "\t::", 3)) {
            read_edge(r, state, line);
        } else if (!strncmp(line, "\tskip", 5)) {
            add_edge(r, state, state, "(1)");
        }
    }
}

struct buchi *claim_read(const char *text, const char *const *names, int symbols, int *lines, int room, struct err *err)
{
    static const struct reader none;
    struct reader r = none;
    r.names = names;
    r.symbols = symbols;
    read_labels(&r, text, lines, room);
    r.b = memory_get(sizeof *r.b);
    r.b->state_count = (uint32_t)r.states;
    r.b->accepting = memory_get((size_t)r.states);
    r.b->symbols = memory_get((size_t)symbols * sizeof *r.b->symbols);
    r.b->symbol_count = (uint32_t)symbols;
    for (int i = 0; i < symbols; i++)
        r.b->symbols[i] = strdup(names[i]);
    read_states(&r, text);
    if (!r.bad && r.states)
        return r.b;
    fail(err, "this is no never claim that the test can read:\n%.800s", text);
    buchi_free(r.b);
    return NULL;
}
