/* SPDX-License-Identifier: MIT */
#include "certifier/fields.h"

#include "base/memory.h"
#include "base/prose.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LINE = 1 << 16, MOST_FIELDS = 1000 };

void fields_fini(struct fields *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        free(f->all[i].name);
        free(f->all[i].value);
    }
    free(f->all);
    *f = (struct fields){ 0 };
}

void fields_add(struct fields *f, const char *name, const char *format, ...)
{
    struct prose w = { 0 };
    va_list list;
    va_start(list, format);
    prose_add_list(&w, format, list);
    va_end(list);
    ARRAY_GROW(f->all, f->count, f->room);
    f->all[f->count] = (struct field){ memory_text(name), prose_take(&w) };
    prose_one_line(f->all[f->count++].value);
}

void fields_add_all(struct fields *f, const struct fields *more)
{
    for (uint32_t i = 0; i < more->count; i++)
        fields_add(f, more->all[i].name, "%s", more->all[i].value);
}

const char *fields_get(const struct fields *f, const char *name, uint32_t nth)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (!strcmp(f->all[i].name, name) && nth-- == 0)
            return f->all[i].value;
    return NULL;
}

int fields_number(const struct fields *f, const char *name, uint64_t *number, struct err *err)
{
    const char *value = fields_get(f, name, 0);
    char *end = NULL;
    errno = 0;
    if (!value)
        return fail(err, "its header does not say '%s'", name);
    *number = strtoull(value, &end, 10);
    if (errno || *end || *value < '0' || *value > '9')
        return fail(err, "its header says '%s: %.40s', which is no number", name, value);
    return 0;
}

char *fields_text(const struct fields *f)
{
    struct prose w = { 0 };
    for (uint32_t i = 0; i < f->count; i++)
        prose_add(&w, "%s: %s\n", f->all[i].name, f->all[i].value);
    prose_add(&w, "\n");
    return prose_take(&w);
}

/* Two readers could believe two of them. */
static int find_doubles(const struct fields *f, struct err *err)
{
    static const char *const several[] = { "file", "object", "env", "invariant", "birth" };
    for (uint32_t i = 0; i < f->count; i++) {
        bool may = false;
        for (size_t j = 0; j < sizeof several / sizeof *several; j++)
            may = may || !strcmp(f->all[i].name, several[j]);
        if (!may && fields_get(f, f->all[i].name, 1))
            return fail(err, "its header says '%.40s' twice", f->all[i].name);
    }
    return 0;
}

int fields_read(struct fields *f, FILE *in, struct err *err)
{
    char *line = memory_get(LONGEST_LINE), *colon = NULL;
    while (fgets(line, LONGEST_LINE, in) && strcmp(line, "\n")) {
        colon = strstr(line, ": ");
        size_t length = strlen(line);
        if (!colon || line[length - 1] != '\n' || f->count == MOST_FIELDS)
            break;
        line[length - 1] = *colon = '\0';
        fields_add(f, line, "%s", colon + 2);
    }
    int rc = strcmp(line, "\n") ? fail(err, "its header does not come to an end") : find_doubles(f, err);
    free(line);
    return rc;
}
