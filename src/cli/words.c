/* SPDX-License-Identifier: MIT */
#include "cli/words.h"

#include "base/memory.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *words_copy(const char *string)
{
    size_t bytes = strlen(string) + 1;
    return memcpy(memory_get(bytes), string, bytes);
}

static void take(struct words *w, char *string)
{
    if (w->count + 1 >= w->room) {
        w->room = w->room ? 2 * w->room : 16;
        w->items = memory_resize(w->items, w->room * sizeof *w->items);
    }
    assert(w->count + 1 < w->room);
    w->items[w->count++] = string;
    w->items[w->count] = NULL;
}

void words_add(struct words *w, const char *string)
{
    take(w, words_copy(string));
}

void words_add_all(struct words *w, const struct words *more)
{
    for (uint32_t i = 0; i < more->count; i++)
        words_add(w, more->items[i]);
}

void words_add_format(struct words *w, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t room = (size_t)vsnprintf(NULL, 0, format, args) + 1;
    char *string = memory_get(room);
    vsnprintf(string, room, format, again);
    va_end(again);
    va_end(args);
    take(w, string);
}

void words_fini(struct words *w)
{
    for (uint32_t i = 0; i < w->count; i++)
        free(w->items[i]);
    free(w->items);
    *w = (struct words){ 0 };
}

char *words_take_last(struct words *w)
{
    assert(w->count);
    char *last = w->items[--w->count];
    w->items[w->count] = NULL;
    return last;
}

static bool plain(const char *word)
{
    if (!*word)
        return false;
    for (; *word; word++)
        if (!isalnum((unsigned char)*word) && !strchr("_-./=+,:@%^", *word))
            return false;
    return true;
}


static char *put_quoted(char *to, const char *word)
{
    if (plain(word))
        return stpcpy(to, word);
    *to++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            to = stpcpy(to, "'\\''");
        else
            *to++ = *word;
    return stpcpy(to, "'");
}

char *words_command(const struct words *w)
{
    size_t room = 1;
    for (uint32_t i = 0; i < w->count; i++)
        room += 4 * strlen(w->items[i]) + 3;       /* every byte may be a quote; two quotes and a blank around it */
    char *line = memory_get(room), *to = line;
    for (uint32_t i = 0; i < w->count; i++) {
        if (i)
            *to++ = ' ';
        to = put_quoted(to, w->items[i]);
    }
    return line;
}

struct shown_word words_shown(const char *string)
{
    struct shown_word s = { "" };
    size_t most = sizeof s.text - 4, n = 0;
    for (; string[n] && n < most; n++)
        s.text[n] = iscntrl((unsigned char)string[n]) ? '?' : string[n];
    if (string[n])
        strcpy(s.text + n, "...");
    return s;
}
