/* SPDX-License-Identifier: MIT */
#include "extractor/spot.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

size_t spot_line(const char *source, int number)
{
    const char *s = source;
    for (int line = 1; line < number && *s; line++)
        s += strcspn(s, "\n") + (s[strcspn(s, "\n")] == '\n');
    return (size_t)(s - source);
}

size_t spot_of(const char *source, struct place_in p)
{
    size_t line = spot_line(source, p.line), length = strcspn(source + line, "\n"), column = (size_t)p.column - 1;
    return line + (column < length ? column : length);
}

size_t spot_skip(const char *s, size_t at)
{
    if (!strncmp(s + at, "/*", 2)) {
        const char *end = strstr(s + at + 2, "*/");
        return end ? (size_t)(end - s) + 2 : strlen(s);
    }
    if (!strncmp(s + at, "//", 2))
        return at + strcspn(s + at, "\n");
    if (s[at] != '"' && s[at] != '\'')
        return at + 1;
    char quote = s[at++];
    while (s[at] && s[at] != quote)
        at += s[at] == '\\' && s[at + 1] ? 2 : 1;
    return at + (s[at] != 0);
}

size_t spot_end(const char *s, size_t at)
{
    int depth = 0;
    for (; s[at]; at = spot_skip(s, at)) {
        if (strchr("([{", s[at]))
            depth++;
        if ((strchr(")]}", s[at]) && depth-- == 0) || (s[at] == ';' && depth == 0))
            break;
    }
    return at;
}

size_t spot_switched(const char *s, size_t at)
{
    if (strncmp(s + at, "switch", 6))
        return at;
    while (s[at] && s[at] != '(')
        at = spot_skip(s, at);
    return at + (s[at] == '(');
}

/* Past blanks and comments. */
static size_t blanks(const char *s, size_t at)
{
    while (isspace((unsigned char)s[at]) || !strncmp(s + at, "/*", 2) || !strncmp(s + at, "//", 2))
        at = isspace((unsigned char)s[at]) ? at + 1 : spot_skip(s, at);
    return at;
}

/* Is it this text from there to where the expression ends, but for blanks and comments? */
static bool is_text(const char *s, size_t at, const char *text)
{
    size_t end = spot_end(s, at), t = 0;
    while ((at = blanks(s, at)) < end && (t = blanks(text, t), text[t]) == s[at])
        at++, t++;
    return at >= end && !text[blanks(text, t)];
}

/* Does `if`, `while`, `switch`, or something of a `for` stand before it? */
static bool is_chosen(const char *s, size_t at)
{
    static const char *const words[] = { "if", "while", "switch" };
    while (at && isspace((unsigned char)s[at - 1]))
        at--;
    if (!at || s[at - 1] != '(')
        return at && s[at - 1] == ';';
    for (at--; at && isspace((unsigned char)s[at - 1]);)
        at--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (at >= length && !strncmp(s + at - length, words[i], length) && (at == length || !is_word(s[at - length - 1])))
            return true;
    }
    return false;
}

static bool begins_with(const char *s, size_t at, const char *text)
{
    size_t word = 0;
    while (is_word(text[word]))
        word++;
    return !strncmp(s + at, text, word ? word : 1) && !(word && is_word(s[at + word]));
}

enum spot_likeness spot_choice(const char *s, size_t at, const char *text)
{
    return !is_chosen(s, at) || !begins_with(s, at, text) ? SPOT_OTHER : is_text(s, at, text) ? SPOT_SAME : SPOT_ALIKE;
}

/* A word before it is the type of a declaration, unless it is one of these. */
static bool is_declared(const char *s, size_t at)
{
    static const char *const words[] = { "return", "else", "do", "case" };
    while (at && isspace((unsigned char)s[at - 1]))
        at--;
    if (!at || !is_word(s[at - 1]))
        return false;
    size_t end = at;
    while (at && is_word(s[at - 1]))
        at--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == end - at && !strncmp(s + at, words[i], end - at))
            return false;
    return true;
}

size_t spot_call(const char *s, size_t at, size_t end, const char *name)
{
    size_t length = strlen(name);
    for (; at < end; at = spot_skip(s, at)) {
        bool begins = (at == 0 || !is_word(s[at - 1])) && !strncmp(s + at, name, length) && !is_word(s[at + length]);
        if (begins && s[at + length + strspn(s + at + length, " \t\n")] == '(' && !is_declared(s, at))
            return at;
    }
    return SPOT_NONE;
}

bool spot_mentions(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
            return true;
    return false;
}
