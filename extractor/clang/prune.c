/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "extractor/clang/prune.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* "extern int puts (const char *__s);", from its first letter to behind its semicolon. */
struct declaration { const char *begin, *end; uint16_t name; bool stays; };

struct pruning {
    struct declaration *items;
    int                 count, room;
    bool               *used;        /* by a hash of the word: of two words with one hash both are used */
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static uint16_t hash(const char *word, size_t length)
{
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < length; i++)
        sum = (sum ^ (unsigned char)word[i]) * 16777619u;
    return (uint16_t)(sum ^ sum >> 16);
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (is_word(at[length]))
        length++;
    return length;
}

static void use(struct pruning *p, const char *from, const char *to)
{
    for (size_t length; from < to; from += length ? length : 1)
        if ((length = word_length(from)))
            p->used[hash(from, length)] = true;
}

/* ---- declarations ---- */

static const char *behind_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return at + (*at != '\0');
}

static const char *behind_brackets(const char *at)
{
    int depth = 0;
    do {
        depth += (*at == '(') - (*at == ')');
        at = *at == '"' ? behind_string(at) : at + 1;
    } while (*at && depth);
    return at;
}

static bool is_of_compiler(const char *word, size_t length)
{
    static const char *const all[] = { "__attribute__", "__asm__", "__asm", "__typeof__", "__typeof", "typeof", "__declspec", "_Alignas" };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i]) == length && !strncmp(all[i], word, length))
            return true;
    return false;
}

/* The one that begins here, with `extern`, if it is of one function and nothing else: its name stands before the first bracket. */
static bool read_declaration(const char *at, struct declaration *d)
{
    const char *word = at;
    size_t length = 0;
    bool named = false;
    d->begin = at;
    while (*at && *at != ';') {
        if (is_word(*at)) {
            word = at;
            at += length = word_length(at);
        } else if (*at == '(') {
            bool name = !is_of_compiler(word, length);
            if (name && (named || !length || at[1 + strspn(at + 1, " \n")] == '*'))
                return false;
            if (name)
                d->name = hash(word, length);
            named |= name;
            at = behind_brackets(at);
            length = 0;
        } else if (strchr(" \n*", *at))
            length = *at == '*' ? 0 : length, at++;
        else
            return false;            /* an initialiser, a second one, a string, a line mark: it is not looked into */
    }
    d->end = at + (*at == ';');
    return named && *at;
}

/* "# 12 "/usr/include/stdio.h" 2 3 4": is what follows the system's? */
static bool is_systems(const char *mark, const char *end)
{
    const char *quote = memrchr(mark, '"', (size_t)(end - mark));
    return quote && memchr(quote, '3', (size_t)(end - quote));
}

static const char *end_of_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end : strchr(at, '\0');
}

static void find(struct pruning *p, const char *text)
{
    bool systems = false;
    for (const char *at = text, *end; *at; at = *end == '\n' ? end + 1 : end) {
        struct declaration d = { 0 };
        end = end_of_line(at);
        if (at[0] == '#') {
            systems = is_systems(at, end);
        } else if (systems && !strncmp(at, "extern ", 7) && read_declaration(at, &d)) {
            ARRAY_GROW(p->items, p->count, p->room);
            p->items[p->count++] = d;
            end = end_of_line(d.end);
            use(p, d.end, end);
        } else
            use(p, at, end);
    }
}

/* What stays may name others, in an attribute. */
static void let_stay(struct pruning *p)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < p->count; i++)
            if (!p->items[i].stays && p->used[p->items[i].name]) {
                p->items[i].stays = more = true;
                use(p, p->items[i].begin, p->items[i].end);
            }
    }
}

/* ---- all ---- */

static void take_out(const struct pruning *p, char *text)
{
    char *to = text;
    const char *from = text;
    for (int i = 0; i < p->count; i++) {
        const struct declaration *d = &p->items[i];
        if (d->stays)
            continue;
        memmove(to, from, (size_t)(d->begin - from));
        to += d->begin - from;
        for (from = d->begin; from < d->end; from++)
            if (*from == '\n')
                *to++ = '\n';
    }
    memmove(to, from, strlen(from) + 1);
}

void prune(char *text)
{
    struct pruning p = { .used = memory_get(UINT16_MAX + 1) };
    find(&p, text);
    let_stay(&p);
    take_out(&p, text);
    free(p.items);
    free(p.used);
}
