/* SPDX-License-Identifier: MIT */
#include "simulator/mi.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 };              /* nesting; gdb has few levels, broken input may have any */

struct reader { const char *at, *end; int depth; };

static bool next_is(const struct reader *r, char c)
{
    return r->at < r->end && *r->at == c;
}

static bool take(struct reader *r, char c)
{
    bool there = next_is(r, c);
    r->at += there;
    return there;
}

/* ---- strings ---- */

/* The length of the UTF-8 character at the start of these bytes; 0: there is none. */
static size_t character(const unsigned char *s, size_t length)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t size = s[0] < 0x80 ? 1 : s[0] < 0xc0 || s[0] >= 0xf8 ? 0 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (size < 2)
        return s[0] ? size : 0;
    uint32_t code = s[0] & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (i >= length || (s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    return code >= least[size] && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? size : 0;
}

static json_t *as_utf8(const char *bytes, size_t length)
{
    static const char unknown[] = "\xef\xbf\xbd";
    char *out = memory_get(3 * length + 1);
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        size_t size = character((const unsigned char *)bytes + i, length - i);
        memcpy(out + used, size ? bytes + i : unknown, size ? size : 3);
        used += size ? size : 3;
        i += size ? size : 1;
    }
    json_t *string = json_stringn(out, used);
    free(out);
    return string;
}

static char escaped(struct reader *r)
{
    char c = *r->at++;
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case 'a': return '\a';
    case 'e': return '\033';
    default:  break;
    }
    if (c < '0' || c > '7')
        return c;
    int code = c - '0';
    for (int i = 0; i < 2 && r->at < r->end && *r->at >= '0' && *r->at <= '7'; i++)
        code = code * 8 + (*r->at++ - '0');
    return (char)code;
}

/* NULL: the string has no end. */
static json_t *read_string(struct reader *r)
{
    if (!take(r, '"'))
        return NULL;
    char *bytes = memory_get((size_t)(r->end - r->at) + 1);
    size_t length = 0;
    while (r->at < r->end && *r->at != '"') {
        if (*r->at == '\\' && r->at + 1 < r->end) {
            r->at++;
            bytes[length++] = escaped(r);
        } else {
            bytes[length++] = *r->at++;
        }
    }
    json_t *string = take(r, '"') ? as_utf8(bytes, length) : NULL;
    free(bytes);
    return string;
}

/* ---- tuples and lists ---- */

static json_t *read_value(struct reader *);

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

/* name=value into the object; of a name that comes twice, the last. */
static bool read_result(struct reader *r, json_t *object)
{
    const char *name = r->at;
    while (r->at < r->end && is_name(*r->at))
        r->at++;
    size_t length = (size_t)(r->at - name);
    if (!length || !take(r, '='))
        return false;
    json_t *value = read_value(r);
    char *key = strndup(name, length);
    bool read = value && json_object_set_new(object, key, value) == 0;
    free(key);
    return read;
}

static bool read_results(struct reader *r, json_t *object)
{
    do
        if (!read_result(r, object))
            return false;
    while (take(r, ','));
    return true;
}

static json_t *read_tuple(struct reader *r)
{
    json_t *object = json_object();
    r->at++;
    if (take(r, '}') || (read_results(r, object) && take(r, '}')))
        return object;
    json_decref(object);
    return NULL;
}

/* In a list of results the names say nothing that is not known: frame={...},frame={...}. */
static bool read_element(struct reader *r, json_t *list)
{
    if (r->at < r->end && is_name(*r->at)) {
        while (r->at < r->end && is_name(*r->at))
            r->at++;
        if (!take(r, '='))
            return false;
    }
    json_t *value = read_value(r);
    return value && json_array_append_new(list, value) == 0;
}

static bool read_elements(struct reader *r, json_t *list)
{
    do
        if (!read_element(r, list))
            return false;
    while (take(r, ','));
    return true;
}

static json_t *read_list(struct reader *r)
{
    json_t *list = json_array();
    r->at++;
    if (take(r, ']') || (read_elements(r, list) && take(r, ']')))
        return list;
    json_decref(list);
    return NULL;
}

static json_t *read_value(struct reader *r)
{
    if (r->depth == DEEPEST)
        return NULL;
    r->depth++;
    json_t *value = next_is(r, '{') ? read_tuple(r) : next_is(r, '[') ? read_list(r) : read_string(r);
    r->depth--;
    return value;
}

/* ---- records ---- */

static void read_token(struct reader *r, long *token)
{
    const char *at = r->at;
    long number = 0;
    while (at < r->end && isdigit((unsigned char)*at) && number < 100000000)
        number = 10 * number + (*at++ - '0');
    if (at == r->at)
        return;
    *token = number;
    r->at = at;
}

static bool read_word(struct reader *r, char *word, size_t room)
{
    size_t length = 0;
    while (r->at < r->end && is_name(*r->at) && length + 1 < room)
        word[length++] = *r->at++;
    word[length] = '\0';
    return length > 0;
}

static bool read_record(struct mi_record *m, struct reader *r, enum mi_kind kind)
{
    m->kind = kind;
    r->at++;
    if (!read_word(r, m->word, sizeof m->word))
        return false;
    m->value = json_object();
    return r->at == r->end || (take(r, ',') && read_results(r, m->value) && r->at == r->end);
}

static bool read_stream(struct mi_record *m, struct reader *r, enum mi_kind kind)
{
    m->kind = kind;
    r->at++;
    m->value = read_string(r);
    return m->value && r->at == r->end;
}

static bool is_prompt(const struct reader *r)
{
    static const char prompt[] = "(gdb)";
    size_t length = sizeof prompt - 1;
    return (size_t)(r->end - r->at) >= length && !memcmp(r->at, prompt, length)
        && (r->end - r->at == (ptrdiff_t)length || r->at[length] == ' ');
}

static bool read_line(struct mi_record *m, struct reader *r)
{
    if (is_prompt(r)) {
        m->kind = MI_PROMPT;
        return true;
    }
    read_token(r, &m->token);
    if (r->at == r->end)
        return false;
    switch (*r->at) {
    case '^': return read_record(m, r, MI_RESULT);
    case '*': return read_record(m, r, MI_EXEC);
    case '+': return read_record(m, r, MI_STATUS);
    case '=': return read_record(m, r, MI_NOTIFY);
    case '~': return read_stream(m, r, MI_CONSOLE);
    case '@': return read_stream(m, r, MI_TARGET);
    case '&': return read_stream(m, r, MI_LOG);
    default:  return false;
    }
}

void mi_read(struct mi_record *m, const char *line, size_t length)
{
    *m = (struct mi_record){ .token = -1 };
    struct reader r = { line, line + length, 0 };
    while (r.end > r.at && (r.end[-1] == '\r' || r.end[-1] == '\n'))
        r.end--;
    if (read_line(m, &r))
        return;
    mi_fini(m);
    *m = (struct mi_record){ .kind = MI_OTHER, .token = -1 };
}

void mi_fini(struct mi_record *m)
{
    json_decref(m->value);
    m->value = NULL;
}

char *mi_quote(const char *text)
{
    char *out = memory_get(2 * strlen(text) + 3), *to = out;
    *to++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
        *to++ = iscntrl((unsigned char)*text) ? ' ' : *text;
    }
    *to = '"';
    return out;
}
