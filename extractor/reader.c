/* SPDX-License-Identifier: MIT */
#include "extractor/reader.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void *reader_grow(void *items, size_t size, int *count, int *room)
{
    char **array = items;
    if (*count == *room) {
        *room = *room ? 2 * *room : 8;
        *array = memory_resize(*array, (size_t)*room * size);
    }
    return *array + (size_t)(*count)++ * size;
}

int reader_wrong(struct harness_reader *r, char *text)
{
    int code = fail(r->err, "%s:%d: %s", r->h->file, r->number, text);
    free(text);
    return code;
}

bool reader_line(struct harness_reader *r)
{
    free(r->line);
    r->line = NULL;
    if (!*r->at)
        return false;
    size_t length = strcspn(r->at, "\n"), start = strspn(r->at, " \t");
    size_t end = length;
    while (end > start && isspace((unsigned char)r->at[end - 1]))
        end--;
    r->line = start < end && r->at[start] != '#' ? prose_make("%.*s", (int)(end - start), r->at + start) : prose_make("%s", "");
    r->at += length + (r->at[length] == '\n');
    r->number++;
    return true;
}

char *reader_word(char **rest)
{
    *rest += strspn(*rest, " \t");
    size_t length = strcspn(*rest, " \t");
    if (!length)
        return NULL;
    char *found = prose_make("%.*s", (int)length, *rest);
    *rest += length;
    *rest += strspn(*rest, " \t");
    return found;
}

bool reader_begins(char *line, const char *key, char **rest)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) || (line[length] && line[length] != ' ' && line[length] != '\t'))
        return false;
    *rest = line + length + strspn(line + length, " \t");
    return true;
}

bool reader_is_name(const char *text)
{
    if (!text || !(isalpha((unsigned char)*text) || *text == '_'))
        return false;
    return text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == '\0';
}

/* Lines of Promela that begin with # and a blank are comments; their number stays. */
static void blank_comments(char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n"), start = strspn(text, " \t");
        if (start < length && text[start] == '#' && text[start + 1] == ' ')
            memset(text, ' ', length);
        text += length + (text[length] == '\n');
    }
}

/* The lines up to `end`, as they stand. */
int reader_block(struct harness_reader *r, char **text, int *first)
{
    int opened = r->number;
    const char *start = r->at;
    *first = r->number + 1;
    while (reader_line(r)) {
        if (strcmp(r->line, "end"))
            continue;
        size_t length = (size_t)(r->at - start);
        while (length && start[length - 1] == '\n')
            length--;
        while (length && start[length - 1] != '\n')
            length--;
        *text = prose_make("%.*s", (int)length, start);
        blank_comments(*text);
        return 0;
    }
    r->number = opened;
    return WRONG(r, "there is no line end that closes this block");
}
