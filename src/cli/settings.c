/* SPDX-License-Identifier: MIT */
#include "cli/settings.h"

#include "base/suggest.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void settings_init(struct settings *s)
{
    *s = (struct settings){ 0 };
    for (int id = 0; id < OPTION_COUNT; id++) {
        const struct option *o = &options[id];
        if (o->standard == NO_DEFAULT)
            continue;
        assert(o->kind != KIND_NUMBER || (o->standard >= o->least && o->standard <= o->most));
        s->values[id].number = o->standard;
    }
}

void settings_fini(struct settings *s)
{
    for (int id = 0; id < OPTION_COUNT; id++) {
        free(s->values[id].text);
        words_fini(&s->values[id].list);
    }
}

/* "a whole number from 1 to 64" */
static const char *bounds(const struct option *o, char *out, size_t room)
{
    if (o->most < UINT32_MAX)
        snprintf(out, room, "a whole number from %lld to %lld", (long long)o->least, (long long)o->most);
    else if (o->least >= 0)
        snprintf(out, room, "a whole number, %lld or more", (long long)o->least);
    else
        snprintf(out, room, "a whole number");
    return out;
}

static int read_number(enum option_id id, const char *text, int64_t *number, const char *where, struct err *err)
{
    const struct option *o = &options[id];
    char words[80], *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    if (end == text || *end)
        return fail(err, "%s: '%s' is not a number; write %s", where, words_shown(text).text, bounds(o, words, sizeof words));
    if (errno || n < o->least || n > o->most)
        return fail(err, "%s: '%s' is out of bounds; write %s", where, words_shown(text).text, bounds(o, words, sizeof words));
    *number = n;
    return 0;
}

/* A whole number of bytes, or of K, M or G of them. */
static bool has_unit(const char *text) { return *text && strchr("KMG", text[strlen(text) - 1]); }

static int read_size(enum option_id id, const char *text, int64_t *number, const char *where, struct err *err)
{
    static const char units[] = "KMG";
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (end == text || (*end && (!unit || end[1])))
        return fail(err, "%s: '%s' is not a size; write a whole number%s, or of K, M or G of bytes: 64M", where, words_shown(text).text,
                    options[id].kind == KIND_SIZE ? " of bytes" : "");
    if (errno || n < 0 || n > INT64_MAX >> shift)
        return fail(err, "%s: '%s' is out of bounds; write a size of 0 or more: 64M", where, words_shown(text).text);
    *number = n << shift;
    return 0;
}

static int read_switch(const char *text, int64_t *number, const char *where, struct err *err)
{
    if (strcmp(text, "0") && strcmp(text, "1"))
        return fail(err, "%s: '%s' is neither 0 nor 1; write 1 for yes, 0 for no", where, words_shown(text).text);
    *number = *text == '1';
    return 0;
}

/* "iterative, dfs, random" */
static const char *names(const struct choice *choices, int count, char *out, size_t room)
{
    size_t used = 0;
    for (int i = 0; i < count && used < room; i++)
        used += snprintf(out + used, room - used, "%s%s", i ? ", " : "", choices[i].name);
    return out;
}

static int read_choice(enum option_id id, const char *text, int64_t *number, const char *where, struct err *err)
{
    int count;
    const struct choice *choices = option_choices(id, &count);
    struct suggestion near;
    suggest_start(&near, text);
    for (int i = 0; i < count; i++) {
        if (!strcmp(choices[i].name, text)) {
            *number = i;
            return 0;
        }
        suggest_offer(&near, choices[i].name);
    }
    char all[200];
    return fail(err, "%s: there is no %s '%s'%s (there are: %s)", where, options[id].name, words_shown(text).text,
                suggest_text(&near).text, names(choices, count, all, sizeof all));
}

static int check_text(const char *text, const char *where, struct err *err)
{
    return *text ? 0 : fail(err, "%s: the value is empty; write a name", where);
}

static int read_value(enum option_id id, const char *text, int64_t *number, const char *where, struct err *err)
{
    switch (options[id].kind) {
    case KIND_NUMBER: return read_number(id, text, number, where, err);
    case KIND_AMOUNT:
    case KIND_SIZE:   return read_size(id, text, number, where, err);
    case KIND_SWITCH: return read_switch(text, number, where, err);
    case KIND_CHOICE: return read_choice(id, text, number, where, err);
    case KIND_TEXT:
    case KIND_LIST:   return check_text(text, where, err);
    case KIND_FLAG:   *number = 1; return 0;
    }
    return 0;
}

int settings_set(struct settings *s, enum option_id id, const char *text, enum origin origin, const char *where,
                 struct err *err)
{
    struct value *v = &s->values[id];
    int64_t number = 0;
    int failed = read_value(id, text, &number, where, err);
    if (failed || origin < v->origin)
        return failed;
    assert(options[id].kind != KIND_NUMBER || (number >= options[id].least && number <= options[id].most));
    v->origin = origin;
    v->number = number;
    v->in_bytes = options[id].kind == KIND_AMOUNT && has_unit(text);
    if (options[id].kind == KIND_LIST) {
        words_add(&v->list, text);
    } else if (options[id].kind == KIND_TEXT) {
        free(v->text);
        v->text = words_copy(text);
    }
    return 0;
}
