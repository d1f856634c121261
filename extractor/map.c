/* SPDX-License-Identifier: MIT */
#include "extractor/map.h"

#include "base/memory.h"
#include "base/prose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- forms ---- */

char *map_canonical(const char *text)
{
    struct prose out = { 0 };
    char quote = 0;
    for (; *text; text++) {
        if (quote) {
            if (*text == '\\' && text[1])
                prose_bytes(&out, text++, 1);
            else if (*text == quote)
                quote = 0;
        } else if (isspace((unsigned char)*text)) {
            continue;
        } else if (*text == '"' || *text == '\'') {
            quote = *text;
        }
        prose_bytes(&out, text, 1);
    }
    while (out.length && out.text[out.length - 1] == ';')
        out.text[--out.length] = '\0';
    return prose_take(&out);
}

/* Is all of text[0..length) in its first bracket? */
static bool bracketed(const char *text, size_t length)
{
    int depth = 0;
    if (length < 2 || text[0] != '(')
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\'')
            for (char quote = text[i]; i + 1 < length && text[++i] != quote;)
                i += text[i] == '\\';
        depth += text[i] == '(';
        depth -= text[i] == ')';
        if (!depth)
            return i == length - 1;
    }
    return false;
}

/* Does a ! in front of this bind all of it? */
static bool one_operand(const char *text, size_t length)
{
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        depth += text[i] == '(' || text[i] == '[';
        depth -= text[i] == ')' || text[i] == ']';
        if (text[i] == '-' && i + 1 < length && text[i + 1] == '>')
            i++;
        else if (!depth && strchr("=<>&|^+-*/%?:,", text[i]))
            return false;
    }
    return true;
}

char *map_literal(const char *text, bool *holds)
{
    char *canonical = map_canonical(text), *at = canonical;
    size_t length = strlen(canonical);
    *holds = true;
    for (;;) {
        if (bracketed(at, length)) {
            at++;
            length -= 2;
        } else if (*at == '!' && one_operand(at + 1, length - 1)) {
            at++;
            length--;
            *holds = !*holds;
        } else {
            break;
        }
    }
    char *literal = prose_make("%.*s", (int)length, at);
    free(canonical);
    return literal;
}

size_t map_split(const char *text, const char *op)
{
    size_t found = 0;
    int depth = 0;
    char quote = 0;
    for (size_t i = 0; text[i]; i++) {
        if (quote)
            quote = text[i] == quote ? 0 : quote, i += text[i] == '\\' && text[i + 1];
        else if (text[i] == '"' || text[i] == '\'')
            quote = text[i];
        else if (!depth && text[i] == op[0] && text[i + 1] == op[0])
            found = i++;
        depth += !quote && strchr("([", text[i]);
        depth -= !quote && strchr(")]", text[i]);
    }
    return found;
}

/* ---- reading ---- */

struct columns { struct prose left, right; int line; size_t column; };

static void finish(struct map *m, struct columns *c, struct err *err, const char *file, int *bad)
{
    if (!c->line)
        return;
    if (!c->right.length && !*bad)
        *bad = fail(err, "%s:%d: the map has no right column here; write two blanks and skip, true, false, keep or Promela behind %s",
                    file, c->line, c->left.text);
    ARRAY_GROW(m->items, m->count, m->room);
    struct map_entry *e = &m->items[m->count++];
    *e = (struct map_entry){ .file = prose_make("%s", file), .line = c->line, .left = prose_take(&c->left), .right = prose_take(&c->right) };
    e->statement = map_canonical(e->left);
    e->condition = map_literal(e->left, &e->holds);
    c->line = 0;
}

static size_t gap(const char *line, size_t length)
{
    for (size_t i = 1; i + 1 < length; i++)
        if (line[i] == '\t' || (line[i] == ' ' && line[i + 1] == ' '))
            return i;
    return length;
}

static void split(struct columns *c, const char *line, size_t length, size_t indent)
{
    size_t left = gap(line, length), right = left + strspn(line + left, " \t");
    prose_add(&c->left, "%.*s", (int)left, line);
    prose_add(&c->right, "%.*s", (int)(length > right ? length - right : 0), line + right);
    c->column = indent + right;
}

/* A line that goes on: below which column does it stand? */
static void go_on(struct columns *c, const char *line, size_t length, size_t indent)
{
    struct prose *to = 2 * indent >= c->column ? &c->right : &c->left;
    size_t left = to == &c->left ? gap(line, length) : length, right = left + strspn(line + left, " \t");
    prose_add(to, " %.*s", (int)left, line);
    if (right < length)
        prose_add(&c->right, " %.*s", (int)(length - right), line + right);
}

/* How far the text as a whole is moved in. */
static size_t common_indent(const char *text)
{
    size_t least = (size_t)-1;
    while (*text) {
        size_t indent = strspn(text, " \t"), length = strcspn(text, "\n");
        if (indent < length && indent < least)
            least = indent;
        text += length + (text[length] == '\n');
    }
    return least == (size_t)-1 ? 0 : least;
}

/* A condition may be a number, too: then there are but two columns. */
static size_t number_in_front(const char *line, size_t length, int number)
{
    size_t digits = strspn(line, "0123456789"), rest = digits + strspn(line + digits, " \t");
    return digits && rest > digits && rest < length && atoi(line) == number && gap(line + rest, length - rest) < length - rest ? rest : 0;
}

int map_read(struct map *m, const char *file, int line, const char *text, struct err *err)
{
    struct columns c = { 0 };
    size_t common = common_indent(text);
    int next = 1, bad = 0;
    for (; *text; line++) {
        size_t length = strcspn(text, "\n"), indent = strspn(text, " \t"), end = length;
        while (end > indent && isspace((unsigned char)text[end - 1]))
            end--;
        if (indent < end && text[indent] != '#') {
            size_t numbered = indent == common || (next > 1 && indent < common + 4) ? number_in_front(text + indent, end - indent, next) : 0;
            bool more = c.line && !numbered && (next > 1 || indent > common);
            if (more) {
                go_on(&c, text + indent, end - indent, indent - common);
            } else {
                finish(m, &c, err, file, &bad);
                next += numbered > 0;
                c.line = line;
                split(&c, text + indent + numbered, end - indent - numbered, indent - common + numbered);
            }
        }
        text += length + (text[length] == '\n');
    }
    finish(m, &c, err, file, &bad);
    return bad;
}

void map_fini(struct map *m)
{
    for (int i = 0; i < m->count; i++) {
        free(m->items[i].left);
        free(m->items[i].statement);
        free(m->items[i].condition);
        free(m->items[i].right);
        free(m->items[i].file);
    }
    free(m->items);
    *m = (struct map){ 0 };
}

/* ---- looking up ---- */

#define WHOLE ((size_t)-1)           /* the best match */

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* How long the argument is that begins here: up to a comma or a bracket that closes more than it opens. */
static size_t argument(const char *text)
{
    int depth = 0;
    char quote = 0;
    size_t i = 0;
    for (; text[i]; i++) {
        if (quote) {
            quote = text[i] == quote ? 0 : quote;
            i += text[i] == '\\' && text[i + 1];
            continue;
        }
        if (!depth && strchr(",)]", text[i]))
            break;
        quote = text[i] == '"' || text[i] == '\'' ? text[i] : 0;
        depth += text[i] == '(' || text[i] == '[';
        depth -= text[i] == ')' || text[i] == ']';
    }
    return i;
}

static bool is_hole(const char *text)
{
    return text[0] == '$' && text[1] >= '1' && text[1] <= '9';
}

struct holes { const char *at[10]; size_t length[10]; };

/* Does an entry with $1 match all of this? Gives how many letters of it are no hole, or 0. The same hole is the same text. */
static size_t fill(const char *entry, const char *text, struct holes *h)
{
    size_t letters = 0;
    *h = (struct holes){ 0 };
    while (*entry) {
        if (!is_hole(entry)) {
            if (*entry++ != *text++)
                return 0;
            letters++;
            continue;
        }
        int n = entry[1] - '0';
        size_t length = argument(text);
        if (!length || (h->at[n] && (h->length[n] != length || strncmp(h->at[n], text, length))))
            return 0;
        h->at[n] = text;
        h->length[n] = length;
        text += length;
        entry += 2;
    }
    return *text ? 0 : letters;
}

/* 0: no match; else the better the more of it is named: as it stands, with holes, as a beginning. */
static size_t match(const char *entry, const char *text)
{
    struct holes holes;
    size_t length = strlen(entry);
    if (strchr(entry, '$'))
        return fill(entry, text, &holes) ? WHOLE - 1 - length + fill(entry, text, &holes) : 0;
    if (!length || strncmp(entry, text, length))
        return 0;
    if (!text[length])
        return WHOLE;
    return in_word(entry[length - 1]) && in_word(text[length]) ? 0 : length;
}

static char *fill_right(const struct map_entry *e, const char *left, const char *text)
{
    struct holes holes = { 0 };
    struct prose out = { 0 };
    if (strchr(left, '$'))
        fill(left, text, &holes);
    for (const char *at = e->right; *at;) {
        bool hole = is_hole(at) && holes.at[at[1] - '0'];
        if (hole)
            prose_add(&out, "%.*s", (int)holes.length[at[1] - '0'], holes.at[at[1] - '0']);
        else
            prose_bytes(&out, at, 1);
        at += hole ? 2 : 1;
    }
    return prose_take(&out);
}

char *map_right(const struct map_entry *e, const char *text, bool condition)
{
    bool holds;
    char *form = condition ? map_literal(text, &holds) : map_canonical(text);
    char *right = fill_right(e, condition ? e->condition : e->statement, form);
    free(form);
    return right;
}

struct map_entry *map_statement(struct map *m, const char *text)
{
    struct map_entry *best = NULL;
    size_t most = 0;
    char *canonical = map_canonical(text);
    for (int i = 0; i < m->count; i++) {
        size_t matched = match(m->items[i].statement, canonical);
        if (matched > most) {
            most = matched;
            best = &m->items[i];
        }
    }
    free(canonical);
    return best;
}

struct map_entry *map_condition(struct map *m, const char *text, bool holds)
{
    struct map_entry *best = NULL;
    size_t most = 0;
    bool positive;
    char *literal = map_literal(text, &positive);
    bool joined = map_split(literal, "&&") || map_split(literal, "||");
    for (int i = 0; i < m->count; i++) {
        size_t matched = m->items[i].holds == (positive == holds) ? match(m->items[i].condition, literal) : 0;
        if (joined && matched < WHOLE / 2)       /* the beginning of a && b is not the whole of it */
            continue;
        if (matched > most) {
            most = matched;
            best = &m->items[i];
        }
    }
    free(literal);
    return best;
}
