/* SPDX-License-Identifier: MIT */
#include "cli/assembly.h"

#include "base/ask.h"
#include "base/prose.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 5, LONGEST_NAME = 200, LONGEST_TEXT = 4096 };

struct reader {
    const char  *at;
    unsigned     line;
    char         file[LONGEST_NAME];         /* without its folders */
    struct prose found;
    int          count;
};

/* ---- reading ---- */

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* # 12 "folder/file.c" 1 */
static void read_marker(struct reader *r)
{
    char *end;
    assert(*r->at == '#');
    unsigned long line = strtoul(r->at + 1, &end, 10);
    const char *open = end > r->at + 1 && *end == ' ' && end[1] == '"' ? end + 2 : NULL, *next = strchr(r->at, '\n');
    size_t length = open ? strcspn(open, "\"\n") : 0;
    if (open) {
        const char *name = open + length;
        while (name > open && name[-1] != '/')
            name--;
        snprintf(r->file, sizeof r->file, "%.*s", (int)(open + length - name), name);
        r->line = (unsigned)line;
    }
    r->at = next ? next + 1 : r->at + strlen(r->at);
}

/* What is between the quotes; `to` may be NULL. */
static void read_quoted(struct reader *r, char *to, size_t room)
{
    char quote = *r->at++;
    size_t length = to ? strlen(to) : 0;
    assert((quote == '"' || quote == '\'') && (!to || length < room));
    for (; *r->at && *r->at != quote; r->at++) {
        if (*r->at == '\\' && r->at[1])
            r->at++;
        if (to && length + 2 < room)
            to[length++] = r->at[-1] == '\\' && (*r->at == 'n' || *r->at == 't') ? '\n' : *r->at;
    }
    if (to)
        to[length] = '\0';
    if (*r->at)
        r->at++;
}

static void skip_space(struct reader *r)
{
    while (isspace((unsigned char)*r->at)) {
        bool ends = *r->at++ == '\n';
        r->line += ends;
        while (ends && *r->at == '#')
            read_marker(r);
    }
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (in_word(at[length]))
        length++;
    return length;
}

static bool is_word(const char *at, size_t length, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == length && !memcmp(at, *list, length))
            return true;
    return false;
}

/* ---- one statement ---- */

/* Its text, what stands in the quotes of its operands, and what it changes. */
struct statement { char text[LONGEST_TEXT], operands[LONGEST_TEXT], changes[LONGEST_TEXT]; int colons; };

static void read_statement(struct reader *r, struct statement *s)
{
    int depth = 0;
    assert(*r->at == '(');
    *s = (struct statement){ .colons = 0 };
    do {
        skip_space(r);
        char *part = depth > 1 ? NULL : s->colons == 0 ? s->text : s->colons < 3 ? s->operands : s->changes;
        if (*r->at == '"' || *r->at == '\'') {
            read_quoted(r, part, LONGEST_TEXT);
            continue;
        }
        depth += *r->at == '(' ? 1 : *r->at == ')' ? -1 : 0;
        s->colons += *r->at == ':' && depth == 1;
        if (*r->at)
            r->at++;
    } while (*r->at && depth);
}

/* What the linker is told of names. */
static bool is_of_names(const char *at, size_t length)
{
    static const char *const directives[] = { "symver", "globl", "global", "weak", "hidden", "protected", "internal", "local", "type", "size", NULL };
    return *at == '.' && is_word(at + 1, length, directives);
}

/* Instructions without operands that leave memory alone; also what is the name of a function or of a register: that is no statement. */
static bool is_harmless(const char *text)
{
    static const char *const touching[] = { "syscall", "sysenter", "stosb", "stosw", "stosd", "stosl", "stosq", "movsb", "movsw", "movsd", "movsl", "movsq",
                                            "lodsb", "lodsw", "lodsd", "lodsl", "lodsq", "cmpsb", "scasb", "xlat", "xlatb", "ret", "leave", NULL };
    const char *at = text + strspn(text, " \n;");
    while (*at) {
        size_t length = is_of_names(at, word_length(at + 1)) ? strcspn(at, "\n;") : word_length(at);
        const char *end = at + length + strspn(at + length, " ");
        if (!length || (*end && *end != '\n' && *end != ';') || is_word(at, length, touching))
            return false;
        at = end + strspn(end, " \n;");
    }
    return true;
}

static bool is_cut(const char *part) { return strlen(part) + 2 >= LONGEST_TEXT; }        /* read_quoted */

static bool touches_memory(const struct statement *s)
{
    if (is_cut(s->text) || is_cut(s->operands) || is_cut(s->changes))
        return true;
    if (is_harmless(s->text))
        return false;
    return !s->colons || strpbrk(s->text, "([") || strpbrk(s->operands, "mogVXp<>") || strstr(s->changes, "memory");
}

/* ---- all of them ---- */

static void note(struct reader *r, unsigned line)
{
    for (char *c = r->file; *c; c++)
        if (*c == '"' || *c == '\\' || *c == '%' || !isprint((unsigned char)*c))
            *c = '_';
    if (r->count == MOST_NAMED)
        prose_add(&r->found, ", ...");
    if (r->count++ < MOST_NAMED)
        prose_add(&r->found, "%s%s:%u", r->found.length ? ", " : "", r->file, line);
}

static void read_assembly(struct reader *r)
{
    unsigned line = r->line;
    struct statement s;
    skip_space(r);
    while (in_word(*r->at)) {                            /* volatile, goto, inline */
        r->at += word_length(r->at);
        skip_space(r);
    }
    if (*r->at != '(')
        return;
    read_statement(r, &s);
    if (touches_memory(&s))
        note(r, line);
}

char *assembly_find(const char *text)
{
    static const char *const words[] = { "asm", "__asm", "__asm__", NULL };
    struct reader r = { .at = text, .line = 1 };
    if (*r.at == '#')
        read_marker(&r);
    for (skip_space(&r); *r.at; skip_space(&r)) {
        size_t length = word_length(r.at);
        bool found = is_word(r.at, length, words);
        if (*r.at == '"' || *r.at == '\'')
            read_quoted(&r, NULL, 0);
        else
            r.at += length ? length : 1;
        if (found)
            read_assembly(&r);
    }
    assert((r.count > 0) == (r.found.length > 0));
    return r.count ? prose_take(&r.found) : NULL;
}

/* ---- in a command ---- */

/* The options that say what is made, and where it is written, are left out. */
void assembly_add_bare(struct words *to, const struct words *from)
{
    static const char *const gone[] = { "-c", "-S", "-pipe", "-MD", "-MMD", "-MP", "-MG", "-save-temps", NULL };
    static const char *const two[] = { "-o", "-MF", "-MT", "-MQ", NULL };
    for (uint32_t i = 0; i < from->count; i++) {
        const char *word = from->items[i];
        if (is_word(word, strlen(word), two))
            i++;
        else if (!is_word(word, strlen(word), gone) && strncmp(word, "-o", 2) && strncmp(word, "-MF", 3) && strncmp(word, "-MT", 3) && strncmp(word, "-MQ", 3))
            words_add(to, word);
    }
}

void assembly_note(struct words *command, const struct words *sources, const struct home *home)
{
    struct words preprocess = { 0 };
    assert(command->count && sources->count);
    assembly_add_bare(&preprocess, command);
    assembly_add_bare(&preprocess, sources);
    words_add(&preprocess, "-E");
    char *text = ask_all(preprocess.items), *places = text ? assembly_find(text) : NULL;
    words_fini(&preprocess);
    if (places) {
        words_add(command, "-include");
        words_add_format(command, "%s/verisoft-assembly.h", home->include);
        words_add_format(command, "-DVERISOFT_ASSEMBLY=\"%s\"", places);
    }
    free(text);
    free(places);
}
