/* SPDX-License-Identifier: MIT */
#include "farm/blocks.h"

#include "base/memory.h"
#include "base/prose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct text_lines { const char *at; int number; };
struct text_line { const char *start, *first, *end, *next; };         /* as it stands; without blanks around; where the next begins */
struct block { const char *start, *end, *name; int length, line; };      /* end: behind its last line; of the name: length */

static bool next_line(struct text_lines *l, struct text_line *to)
{
    if (!*l->at)
        return false;
    size_t length = strcspn(l->at, "\n");
    *to = (struct text_line){ l->at, l->at + strspn(l->at, " \t"), l->at + length, l->at + length + (l->at[length] == '\n') };
    while (to->end > to->first && isspace((unsigned char)to->end[-1]))
        to->end--;
    if (to->first > to->end)
        to->first = to->end;
    l->at = to->next;
    l->number++;
    return true;
}

static bool is_word(const struct text_line *l, const char *word)
{
    size_t length = strlen(word), all = (size_t)(l->end - l->first);
    return all >= length && !strncmp(l->first, word, length) && (all == length || isblank((unsigned char)l->first[length]));
}

static bool is_all(const struct text_line *l, const char *word)
{
    return is_word(l, word) && (size_t)(l->end - l->first) == strlen(word);
}

static void to_end(struct text_lines *l, struct text_line *last)
{
    while (next_line(l, last))
        if (is_all(last, "end"))
            return;
}

/* Other blocks are stepped over: a map may well have a line that begins with property. */
static bool next_block(struct text_lines *l, struct block *b)
{
    struct text_line line;
    while (next_line(l, &line)) {
        if (is_all(&line, "map") || is_all(&line, "declare") || is_all(&line, "driver")) {
            to_end(l, &line);
        } else if (is_word(&line, "property")) {
            const char *name = line.first + 8 + strspn(line.first + 8, " \t");
            *b = (struct block){ .start = line.start, .name = name, .length = name < line.end ? (int)(line.end - name) : 0, .line = l->number };
            to_end(l, &line);
            b->end = line.next;
            return true;
        }
    }
    return false;
}

static bool is_called(const struct block *b, const char *name)
{
    return strlen(name) == (size_t)b->length && !strncmp(b->name, name, (size_t)b->length);
}

static bool find(const char *text, const char *name, struct block *b)
{
    struct text_lines l = { text, 0 };
    while (next_block(&l, b))
        if (is_called(b, name))
            return true;
    return false;
}

json_t *blocks_read(const char *text)
{
    struct text_lines l = { text, 0 };
    struct block b;
    json_t *all = json_array();
    while (next_block(&l, &b))
        json_array_append_new(all, json_pack("{s:s%, s:o, s:i}", "name", b.name, (size_t)b.length, "text", json_stringn(b.start, (size_t)(b.end - b.start)), "line", b.line));
    return all;
}

char *blocks_find(const char *text, const char *name)
{
    struct block b;
    return find(text, name, &b) ? prose_make("%.*s", (int)(b.end - b.start), b.start) : NULL;
}

static void add_block(struct prose *out, const char *block)
{
    size_t length = strlen(block);
    while (length && isspace((unsigned char)block[length - 1]))
        length--;
    prose_bytes(out, block, length);
    prose_add(out, "\n");
}

char *blocks_put(const char *text, const char *name, const char *block)
{
    struct prose out = { 0 };
    struct block b;
    if (find(text, name, &b)) {
        const char *rest = b.end;
        prose_bytes(&out, text, (size_t)(b.start - text));
        if (block)
            add_block(&out, block);
        else if (*rest == '\n')      /* the empty line that set it apart goes, too */
            rest++;
        prose_add(&out, "%s", rest);
    } else {
        size_t length = strlen(text);
        prose_add(&out, "%s", text);
        if (block) {
            prose_add(&out, length && text[length - 1] != '\n' ? "\n\n" : "\n");
            add_block(&out, block);
        }
    }
    return prose_take(&out);
}

int blocks_check(const char *block, const char *name, struct err *err)
{
    struct text_lines l = { block, 0 }, behind;
    struct block b;
    struct text_line line;
    if (!next_block(&l, &b) || strspn(block, " \t\n") < (size_t)(b.start - block) || b.end == b.start)
        return fail(err, "a property begins with the line property %s, and ends with the line end", name);
    if (!is_called(&b, name))
        return fail(err, "this is the property %.*s, not %s; to change a name, make a new property and delete the old one", b.length, b.name, name);
    behind = (struct text_lines){ b.start, 0 };
    while (next_line(&behind, &line) && line.next < b.end)
        if (is_word(&line, "property") && line.start != b.start)
            return fail(err, "there is no line end that closes the property %s", name);
    if (!is_all(&line, "end"))
        return fail(err, "there is no line end that closes the property %s", name);
    for (const char *at = b.end; *at; at++)
        if (!isspace((unsigned char)*at))
            return fail(err, "there is more behind the line end of the property %s", name);
    return 0;
}

static void next_seen(const char **at)           /* blank lines do not count */
{
    while (**at == '\n' || (isspace((unsigned char)**at) && (*at)[strspn(*at, " \t\r")] == '\n'))
        (*at)++;
}

bool blocks_are_alike(const char *one, const char *other)
{
    struct text_lines a = { one, 0 }, b = { other, 0 };
    struct text_line x, y;
    for (;;) {
        next_seen(&a.at);
        next_seen(&b.at);
        bool more = next_line(&a, &x), also = next_line(&b, &y);
        if (!more || !also)
            return !more && !also;
        if (x.end - x.start != y.end - y.start || strncmp(x.start, y.start, (size_t)(x.end - x.start)))
            return false;
    }
}
