/* SPDX-License-Identifier: MIT */
#include "report/prose.h"

#include "base/memory.h"

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
    w->text[w->length] = 0;
}

static void add(struct prose *w, const char *format, va_list args)
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
    add(w, format, args);
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
    char *text = w->text;
    *w = (struct prose){ 0 };
    return text;
}

char *prose_make(const char *format, ...)
{
    struct prose w = { 0 };
    va_list args;
    va_start(args, format);
    add(&w, format, args);
    va_end(args);
    return prose_take(&w);
}

void prose_one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = ' ';
}

size_t prose_columns(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80;
    return columns;
}
