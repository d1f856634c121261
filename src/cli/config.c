/* SPDX-License-Identifier: MIT */
#include "cli/config.h"

#include "base/memory.h"
#include "base/suggest.h"
#include "objects/types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\v\f"
enum { LARGEST = 16 << 20 };         /* bytes; a larger file is no configuration */

struct reader {
    const char       *path;
    int               line;
    struct settings  *settings;
    struct structure *structure;
    struct err       *err;
};

static char *trim(char *text)
{
    text += strspn(text, BLANKS);
    size_t length = strlen(text);
    while (length && strchr(BLANKS, text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Cuts the first word off `*rest`; NULL: there is none. */
static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, BLANKS);
    if (!*word)
        return NULL;
    char *end = word + strcspn(word, BLANKS);
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static int parameter(struct reader *r, enum option_id id, char *value)
{
    const struct option *o = &options[id];
    value = trim(value);
    if (!*value)
        return fail(r->err, "%s:%d: %s: the value is missing; write '%s %s'", r->path, r->line, o->name, o->name, o->value);
    size_t first = strcspn(value, BLANKS);
    if (o->kind != KIND_TEXT && o->kind != KIND_LIST && value[first])
        return fail(r->err, "%s:%d: %s: '%s' is too much; write one parameter and its value a line, and # before a comment",
                    r->path, r->line, o->name, words_shown(trim(value + first)).text);
    char where[400];
    snprintf(where, sizeof where, "%s:%d: %s", r->path, r->line, o->name);
    return settings_set(r->settings, id, value, FROM_FILE, where, r->err);
}

/* What the numbers behind an operation mean, in their order. */
static const char *const in_array_numbers[] = { "semaphore", "index", "process", NULL };
static const char *const queue_numbers[]    = { "queue", "process", NULL };
static const char *const user_numbers[]     = { "object", "process", NULL };

static const char *const *meanings(unsigned type)
{
    if (type >= FIRST_USER_TYPE)
        return user_numbers;
    switch (types_get(type) ? types_get(type)->declared : 0) {
    case 2:  return in_array_numbers;
    case 1:  return queue_numbers;
    default: return NULL;            /* not an operation on an object */
    }
}

static int property_number(struct reader *r, const char *operation, const char *meaning, const char *word, long *number)
{
    long most = !strcmp(meaning, "process") ? MAX_PROCESSES : INT32_MAX;
    char *end;
    errno = 0;
    *number = strtol(word, &end, 10);
    if (end != word && !*end && !errno && *number >= 0 && *number <= most)
        return 0;
    return fail(r->err, "%s:%d: %s: '%s' names no %s; write a whole number from 0 to %ld", r->path, r->line, operation,
                words_shown(word).text, meaning, most);
}

static int property_shape(struct reader *r, const char *operation, const char *const *meaning)
{
    bool index = meaning[2];
    return fail(r->err, "%s:%d: %s: write %s numbers behind it: %s, %s%s (0: no process); for instance '%s 0 1%s'", r->path,
                r->line, operation, index ? "three" : "two", meaning[0], meaning[1], index ? ", process" : "",
                operation, index ? " 2" : "");
}

static int property(struct reader *r, const char *operation, unsigned type, unsigned code, char *rest)
{
    const char *const *meaning = meanings(type);
    if (!meaning)
        return fail(r->err, "%s:%d: %s is an operation on no object, so every process may do it; delete the line", r->path,
                    r->line, operation);
    long numbers[3];
    int count = 0;
    for (; meaning[count]; count++) {
        char *word = next_word(&rest);
        if (!word)
            return property_shape(r, operation, meaning);
        int failed = property_number(r, operation, meaning[count], word, &numbers[count]);
        if (failed)
            return failed;
    }
    if (next_word(&rest))
        return property_shape(r, operation, meaning);
    structure_declare(r->structure, type, code, numbers[0], count == 3 ? (int32_t)numbers[1] : -1, (int)numbers[count - 1],
                      r->line);
    return 0;
}

static void offer_operations(struct suggestion *near)
{
    for (unsigned type = 0; type <= UINT8_MAX; type++) {
        const struct object_type *t = types_get(type);
        for (uint32_t i = 0; t && meanings(type) && i < t->operation_count; i++)
            suggest_offer(near, t->operations[i].name);
    }
}

static int unknown(struct reader *r, const char *word)
{
    struct suggestion near;
    suggest_start(&near, word);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (options[id].where & IN_FILE)
            suggest_offer(&near, options[id].name);
    offer_operations(&near);
    return fail(r->err, "%s:%d: '%s' is neither a parameter nor an operation on an object%s (verisoft help %s lists them)",
                r->path, r->line, words_shown(word).text, suggest_text(&near).text, CONFIG_NAME);
}

static int read_line(struct reader *r, char *text)
{
    text[strcspn(text, "#")] = '\0';
    char *word = next_word(&text);
    if (!word)
        return 0;
    int id = option_find(word, IN_FILE);
    if (id >= 0)
        return parameter(r, id, text);
    unsigned type, code;
    if (types_operation(word, &type, &code))
        return property(r, word, type, code, text);
    return unknown(r, word);
}

static int check_version(struct reader *r, const char *text)
{
    size_t length = strlen(CONFIG_HEADER);
    if (strncmp(text, CONFIG_HEADER, length) || strtol(text + length, NULL, 10) <= CONFIG_VERSION)
        return 0;
    return fail(r->err, "%s:1: this is version %s of the format, and this VeriSoft reads up to %d; use a newer VeriSoft",
                r->path, words_shown(text + length).text, CONFIG_VERSION);
}

/* `text` ends with a NUL behind its last byte and is cut up. */
static int read_lines(struct reader *r, char *text, size_t length)
{
    char *end = text + length;
    for (r->line = 1; text < end; r->line++) {
        char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop)
            stop = end;
        *stop = '\0';
        if (memchr(text, '\0', (size_t)(stop - text)))
            return fail(r->err, "%s:%d: a NUL byte: this is not a text file", r->path, r->line);
        int failed = r->line == 1 ? check_version(r, text) : 0;
        if (!failed)
            failed = read_line(r, text);
        if (failed)
            return failed;
        text = stop + 1;
    }
    return 0;
}

int config_read(const char *path, const char *bytes, size_t length, struct settings *settings, struct structure *structure,
                struct err *err)
{
    struct reader r = { .path = path, .settings = settings, .structure = structure, .err = err };
    char *text = memory_get(length + 1);
    if (length)
        memcpy(text, bytes, length);
    int failed = read_lines(&r, text, length);
    free(text);
    return failed;
}

static int read_bytes(FILE *file, const char *path, char **bytes, size_t *length, struct err *err)
{
    size_t room = 0, got;
    do {
        if (*length == room) {
            room = room ? 2 * room : 1 << 14;
            *bytes = memory_resize(*bytes, room);
        }
        got = fread(*bytes + *length, 1, room - *length, file);
        *length += got;
    } while (got && *length < LARGEST);
    if (ferror(file))
        return fail_errno(err, "%s: cannot be read", path);
    return got ? fail(err, "%s: larger than %d bytes: this is no file of parameters", path, LARGEST) : 0;
}

int config_load(const char *path, struct settings *settings, struct structure *structure, struct err *err)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return fail_errno(err, "%s: cannot be opened", path);
    char *bytes = NULL;
    size_t length = 0;
    int failed = read_bytes(file, path, &bytes, &length, err);
    if (!failed)
        failed = config_read(path, bytes, length, settings, structure, err);
    free(bytes);
    fclose(file);
    return failed;
}
