/* SPDX-License-Identifier: MIT */
#include "base/prose.h"

#include "base/memory.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(struct prose *w, size_t more)
{
    size_t need = w->length + more + 1;
    if (need <= w->room)
        return;
    w->room = need < 64 ? 64 : 2 * need;
    w->text = memory_resize(w->text, w->room);
}

void prose_bytes(struct prose *w, const char *bytes, size_t length)
{
    reserve(w, length);
    memcpy(w->text + w->length, bytes, length);
    w->length += length;
    assert(w->length < w->room);
    w->text[w->length] = 0;
}

void prose_add_list(struct prose *w, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int need = vsnprintf(NULL, 0, format, args);
    if (need >= 0) {
        reserve(w, (size_t)need);
        vsnprintf(w->text + w->length, (size_t)need + 1, format, again);
        w->length += (size_t)need;
    }
    va_end(again);
}

void prose_add(struct prose *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    prose_add_list(w, format, args);
    va_end(args);
}

void prose_fini(struct prose *w)
{
    free(w->text);
    *w = (struct prose){ 0 };
}

char *prose_take(struct prose *w)
{
    reserve(w, 0);
    w->text[w->length] = 0;
    assert(w->length < w->room);
    char *text = w->text;
    *w = (struct prose){ 0 };
    return text;
}

char *prose_make(const char *format, ...)
{
    struct prose w = { 0 };
    va_list args;
    va_start(args, format);
    prose_add_list(&w, format, args);
    va_end(args);
    return prose_take(&w);
}

void prose_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = ' ';
}

/* Past a sequence that drives the terminal, or past one byte. */
static size_t step(const char *text, size_t *columns)
{
    if (text[0] == '\033' && text[1] == '[')
        return strcspn(text, "m") + (text[strcspn(text, "m")] == 'm');
    *columns += ((unsigned char)*text & 0xc0) != 0x80;
    return 1;
}

const char *prose_entity(uint32_t character)
{
    switch (character) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    default:  return NULL;
    }
}

size_t prose_columns(const char *text)
{
    size_t columns = 0;
    while (*text)
        text += step(text, &columns);
    return columns;
}

/* How many bytes of the line go into so many columns: up to a blank, or a whole word. */
size_t prose_fitting(const char *line, size_t room)
{
    size_t columns = 0, blank = 0, at = 0;
    while (line[at] && line[at] != '\n' && (columns <= room || !blank)) {
        if (line[at] == ' ' && at && line[at - 1] != ' ')
            blank = at;
        if (line[at] == ' ' && columns > room)
            return blank;
        at += step(line + at, &columns);
    }
    return columns > room && blank ? blank : at;
}

void prose_wrap(FILE *out, const char *text, int first, int rest, int width)
{
    while (*text) {
        for (int indent = first; ; indent = rest) {
            size_t part = width > indent + 20 ? prose_fitting(text, (size_t)(width - indent)) : strcspn(text, "\n");
            fprintf(out, "%*s%.*s\n", indent, "", (int)part, text);
            text += part;
            assert(part || !*text || *text == '\n' || *text == ' ');    /* else it would go on for ever */
            if (*text != ' ')
                break;
            text += strspn(text, " ");
        }
        text += *text == '\n';
    }
}
