/* SPDX-License-Identifier: MIT */
#include "suite/suite.h"

#include "suite/expression.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "base/suggest.h"
#include "wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT = 10, LONGEST_TIMEOUT = 3600, REPLAYS = 5, SHRINKS = 40, MOST_REPLAYS = 100000 };

struct reader {
    struct suite *suite;
    const char   *file;
    int           line;
    char          table[32];
    struct suite_driver    driver;           /* the table that is being read; its name NULL: not given yet */
    struct suite_object    object;
    struct suite_invariant invariant;
    char                  *expression, *values;  /* of it; NULL: not given */
    long          count;                     /* of such drivers */
    unsigned      given, begun;              /* keys of this table, and tables, as bits by their places in their lists */
    struct err   *err;
};

#define wrong(r, ...) wrong(r, __VA_ARGS__)

static int wrong(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int wrong(struct reader *r, const char *format, ...)
{
    struct prose w = { 0 };
    va_list list;
    va_start(list, format);
    prose_add_list(&w, format, list);
    va_end(list);
    int code = fail(r->err, "%s:%d: %s", r->file, r->line, w.text);
    prose_fini(&w);
    return code;
}

/* ---- values ---- */

static char *skip(char *at) { return at + strspn(at, " \t"); }

static bool is_end(const char *at) { return !*at || *at == '#'; }

/* A string, in place: "with \" and \\ and \n" or 'as it is'. Gives where it goes on; NULL: it does not end, or has another escape. */
static char *string(char *at, char **value)
{
    char quote = *at++, *out = at;
    *value = at;
    for (; *at && *at != quote; at++) {
        if (*at == '\\' && quote == '"') {
            at++;
            if (!strchr("\"\\ntr", *at) || !*at)
                return NULL;
            *out++ = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at == 'r' ? '\r' : *at;
        } else {
            *out++ = *at;
        }
    }
    if (!*at)
        return NULL;
    *out = '\0';
    return at + 1;
}

enum sort { SORT_TEXT, SORT_NUMBER, SORT_TRUTH };

struct suite_value { enum sort sort; char *text; long number; };

static int read_value(struct reader *r, char *at, struct suite_value *v)
{
    char *end;
    *v = (struct suite_value){ 0 };
    if (*at == '"' || *at == '\'') {
        if (!strncmp(at, "\"\"\"", 3) || !strncmp(at, "'''", 3) || !(end = string(at, &v->text)))
            return wrong(r, "this string does not end in its line, or has a \\ before something else than \" \\ n t r");
    } else if (!strncmp(at, "true", 4) || !strncmp(at, "false", 5)) {
        *v = (struct suite_value){ .sort = SORT_TRUTH, .number = *at == 't' };
        end = at + (*at == 't' ? 4 : 5);
    } else {
        errno = 0;
        *v = (struct suite_value){ .sort = SORT_NUMBER, .number = strtol(at, &end, 10) };
        if (end == at || errno)
            return wrong(r, "a value is a string in quotes, a whole number, true or false");
    }
    return is_end(skip(end)) ? 0 : wrong(r, "there is more behind the value: %s", skip(end));
}

/* ---- keys ---- */

static int set_text(struct reader *r, const char *key, char **field, const struct suite_value *v)
{
    if (v->sort != SORT_TEXT || !*v->text)
        return wrong(r, "%s wants a string in quotes", key);
    *field = memory_text(v->text);
    return 0;
}

static int in_range(struct reader *r, const char *key, const struct suite_value *v, long least, long most)
{
    return v->sort == SORT_NUMBER && v->number >= least && v->number <= most ? 0
         : wrong(r, "%s wants a whole number from %ld to %ld", key, least, most);
}

static int set_interfaces(struct reader *r, const struct suite_value *v)
{
    struct suite *s = r->suite;
    if (v->sort != SORT_TEXT || s->declared)
        return wrong(r, "interfaces wants, once, a string with names and blanks between them");
    s->declared = true;
    for (char *name = strtok(v->text, " \t"); name; name = strtok(NULL, " \t")) {
        if (suite_interface(s, name) >= 0)
            return wrong(r, "the interface %s is named twice", name);
        ARRAY_GROW(s->interfaces, s->interface_count, s->interface_room);
        s->interfaces[s->interface_count++] = memory_text(name);
    }
    return s->interface_count ? 0 : wrong(r, "interfaces names none");
}

static int set_variation(struct reader *r, const struct suite_value *v)
{
    bool go_on = v->sort == SORT_TEXT && !strcmp(v->text, "go-on"), stop = v->sort == SORT_TEXT && !strcmp(v->text, "stop");
    r->suite->variation = stop ? VARIATION_STOP : VARIATION_GO_ON;
    return go_on || stop ? 0 : wrong(r, "nondeterminism wants \"go-on\" or \"stop\"");
}

static int set_box(struct reader *r, const char *key, const struct suite_value *v)
{
    struct suite *s = r->suite;
    if (!strcmp(key, "prepare"))        return set_text(r, key, &s->prepare, v);
    if (!strcmp(key, "start"))          return set_text(r, key, &s->start, v);
    if (!strcmp(key, "ready"))          return set_text(r, key, &s->ready, v);
    if (!strcmp(key, "ready_line"))     return set_text(r, key, &s->ready_line, v);
    if (!strcmp(key, "reset"))          return set_text(r, key, &s->reset, v);
    if (!strcmp(key, "renew"))          return set_text(r, key, &s->renew, v);
    if (!strcmp(key, "interfaces"))     return set_interfaces(r, v);
    if (!strcmp(key, "nondeterminism")) return set_variation(r, v);
    if (!strcmp(key, "timeout")) {
        s->timeout = (int)v->number;
        return in_range(r, key, v, 1, LONGEST_TIMEOUT);
    }
    if (!strcmp(key, "replays") || !strcmp(key, "shrink")) {
        *(*key == 'r' ? &s->replays : &s->shrinks) = (uint32_t)v->number;
        return in_range(r, key, v, *key == 'r', MOST_REPLAYS);
    }
    *(*key == 'b' ? &s->background : &s->ready_port) = v->number;
    return v->sort == SORT_TRUTH ? 0 : wrong(r, "%s wants true or false", key);
}

static int set_driver(struct reader *r, const char *key, const struct suite_value *v)
{
    if (!strcmp(key, "name"))
        return set_text(r, key, &r->driver.name, v);
    if (!strcmp(key, "run"))
        return set_text(r, key, &r->driver.run, v);
    r->count = v->number;
    return in_range(r, key, v, 1, MAX_PROCESSES - 1);
}

static int set_object(struct reader *r, const char *key, const struct suite_value *v)
{
    bool queue = !strcmp(r->table, "[queue]");
    if (!strcmp(key, "name"))
        return set_text(r, key, &r->object.name, v);
    r->object.value = (int32_t)v->number;
    return in_range(r, key, v, queue, queue ? MAX_QUEUE : 1000000);
}

static int set_invariant(struct reader *r, const char *key, const struct suite_value *v)
{
    if (!strcmp(key, "name"))
        return set_text(r, key, &r->invariant.name, v);
    if (!strcmp(key, "run"))
        return set_text(r, key, &r->invariant.run, v);
    if (!strcmp(key, "expression"))
        return set_text(r, key, &r->expression, v);
    if (!strcmp(key, "values"))
        return set_text(r, key, &r->values, v);
    bool step = v->sort == SORT_TEXT && !strcmp(v->text, "step");
    r->invariant.at_end = v->sort == SORT_TEXT && !strcmp(v->text, "end");
    return step || r->invariant.at_end ? 0 : wrong(r, "when wants \"step\" or \"end\"");
}

static int set_bound(struct reader *r, const char *key, const struct suite_value *v)
{
    struct suite_bounds *b = &r->suite->bounds;
    if (!strcmp(key, "depth"))
        b->depth = (uint32_t)v->number;
    else
        *(*key == 'e' ? &b->errors : key[1] == 't' ? &b->states : &b->seconds) = (uint64_t)v->number;
    return in_range(r, key, v, 0, 1000000000);
}

/* ---- tables ---- */

static const struct table {
    const char *name;
    bool        once;
    const char *keys[16];
    int       (*set)(struct reader *, const char *key, const struct suite_value *);      /* of such a key, for the first time in its table */
} tables[] = {
    { "[box]", true, { "prepare", "start", "background", "ready", "ready_port", "ready_line", "reset", "renew", "timeout", "interfaces",
                       "nondeterminism", "replays", "shrink" }, set_box },
    { "[[driver]]", false, { "name", "run", "count" }, set_driver },
    { "[[semaphore]]", false, { "name", "value" }, set_object },
    { "[[queue]]", false, { "name", "size" }, set_object },
    { "[[invariant]]", false, { "name", "run", "expression", "values", "when" }, set_invariant },
    { "[bounds]", true, { "depth", "states", "seconds", "errors" }, set_bound },
};
enum { TABLES = sizeof tables / sizeof *tables };

/* The one that is being read; NULL: none has begun. Within its brackets it is called so in messages. */
static const struct table *table_of(const struct reader *r)
{
    for (int i = 0; i < TABLES; i++)
        if (!strncmp(tables[i].name + 1, r->table, strlen(tables[i].name) - 2) && strlen(r->table) == strlen(tables[i].name) - 2)
            return &tables[i];
    return NULL;
}

static int set(struct reader *r, const struct table *t, const char *key, const struct suite_value *v)
{
    struct suggestion near;
    suggest_start(&near, key);
    for (int i = 0; t->keys[i]; i++) {
        suggest_offer(&near, t->keys[i]);
        if (strcmp(t->keys[i], key))
            continue;
        bool again = r->given & 1u << i;
        r->given |= 1u << i;
        return again ? wrong(r, "%s is given twice", key) : t->set(r, key, v);
    }
    return wrong(r, "%s has no key %s%s", t->name, key, suggest_text(&near).text);
}

/* Names stand in scenarios, in one line and between parentheses. */
static bool is_name(const char *name) { return !name[strcspn(name, " \t\r\n()\"'")]; }

static int end_driver(struct reader *r)
{
    struct suite *s = r->suite;
    if (!r->driver.name || !r->driver.run)
        return wrong(r, "the [[driver]] before this line lacks %s", r->driver.name ? "run" : "name");
    if (!is_name(r->driver.name))
        return wrong(r, "the name of a driver has no blanks, quotes or parentheses: %s", r->driver.name);
    for (long i = 1; i <= r->count; i++) {
        if (s->driver_count == MAX_PROCESSES - 1)
            return wrong(r, "more than %d drivers are more than VeriSoft has room for", MAX_PROCESSES - 1);
        ARRAY_GROW(s->drivers, s->driver_count, s->driver_room);
        s->drivers[s->driver_count++] = (struct suite_driver){
            r->count == 1 ? memory_text(r->driver.name) : prose_make("%s-%ld", r->driver.name, i), memory_text(r->driver.run) };
    }
    return 0;
}

/* The table that is being read, of such. */
static struct suite_objects *objects(struct reader *r)
{
    return !strcmp(r->table, "[queue]") ? &r->suite->queues : !strcmp(r->table, "[semaphore]") ? &r->suite->semaphores : NULL;
}

static int end_object(struct reader *r)
{
    struct suite_objects *all = objects(r);
    if (!r->object.name || !is_name(r->object.name))
        return wrong(r, "the [%s] before this line lacks a name without blanks, quotes and parentheses", r->table);
    if (suite_object(&r->suite->semaphores, r->object.name) >= 0 || suite_object(&r->suite->queues, r->object.name) >= 0)
        return wrong(r, "there are two semaphores or queues %s", r->object.name);
    ARRAY_GROW(all->items, all->count, all->room);
    all->items[all->count++] = (struct suite_object){ memory_text(r->object.name), r->object.value };
    return 0;
}

static void forget_expression(struct reader *r)
{
    free(r->expression);
    free(r->values);
    r->expression = r->values = NULL;
}

static int make_expression(struct reader *r)
{
    const char *why = expression_wrong(r->expression);
    if (why)
        return wrong(r, "the expression of the [[invariant]] before this line: %s: %s", r->expression, why);
    if (r->invariant.run || !r->values)
        return wrong(r, "the [[invariant]] before this line has an expression, %s", r->values ? "so it can have no run" : "and lacks values");
    r->invariant.run = expression_command(r->expression, r->values);
    if (!r->invariant.name)
        r->invariant.name = memory_text(r->expression);
    return 0;
}

static int end_invariant(struct reader *r)
{
    struct suite *s = r->suite;
    int failed = r->expression ? make_expression(r) : r->values ? wrong(r, "the [[invariant]] before this line has values, and no expression") : 0;
    if (failed)
        return failed;
    if (!r->invariant.name || !r->invariant.run)
        return wrong(r, "the [[invariant]] before this line lacks %s", r->invariant.name ? "run, or an expression" : "name");
    for (uint32_t i = 0; i < s->invariant_count; i++)
        if (!strcmp(s->invariants[i].name, r->invariant.name))
            return wrong(r, "there are two invariants %s: give each its own name", r->invariant.name);
    ARRAY_GROW(s->invariants, s->invariant_count, s->invariant_room);
    s->invariants[s->invariant_count++] = r->invariant;
    r->invariant = (struct suite_invariant){ 0 };
    forget_expression(r);
    return 0;
}

static void forget(struct reader *r)
{
    free(r->invariant.name);
    free(r->invariant.run);
    r->invariant = (struct suite_invariant){ 0 };
    forget_expression(r);
    free(r->driver.name);
    free(r->driver.run);
    free(r->object.name);
    r->driver = (struct suite_driver){ 0 };
    r->object = (struct suite_object){ 0 };
    r->count = 1;
}

static int end_table(struct reader *r)
{
    int bad = !strcmp(r->table, "[driver]") ? end_driver(r) : objects(r) ? end_object(r)
            : !strcmp(r->table, "[invariant]") ? end_invariant(r) : 0;
    forget(r);
    r->table[0] = '\0';
    r->given = 0;
    return bad;
}

static int begin_table(struct reader *r, char *at)
{
    int bad = end_table(r);
    if (bad)
        return bad;
    size_t length = strcspn(at, "# \t");
    for (int i = 0; i < TABLES; i++) {
        const struct table *t = &tables[i];
        if (strlen(t->name) != length || strncmp(at, t->name, length) || !is_end(skip(at + length)))
            continue;
        if (t->once && r->begun & 1u << i)
            return wrong(r, "there are two tables %s", t->name);
        r->begun |= 1u << i;
        strncat(r->table, at + 1, length - 2);
        r->object.value = !strcmp(r->table, "[queue]");      /* a queue holds one message, a semaphore begins with 0, unless they say so */
        return 0;
    }
    return wrong(r, "a table is [box], [[driver]], [[semaphore]], [[queue]], [[invariant]] or [bounds], not %s", at);
}

static int read_line(struct reader *r, char *at)
{
    struct suite_value v;
    at = skip(at);
    if (is_end(at))
        return 0;
    if (*at == '[')
        return begin_table(r, at);
    char *key = at, *equals = skip(at + strcspn(at, " \t="));
    if (*equals != '=' || equals == key)
        return wrong(r, "neither a [table] nor KEY = VALUE: %s", at);
    int bad = read_value(r, skip(equals + 1), &v);
    key[strcspn(key, " \t=")] = '\0';
    if (bad)
        return bad;
    const struct table *table = table_of(r);
    if (table)
        return set(r, table, key, &v);
    return wrong(r, "%s stands in no table; begin with [box]", key);
}

/* ---- all ---- */

static int complete(struct reader *r)
{
    struct suite *s = r->suite;
    if (!s->driver_count)
        return fail(r->err, "%s: there is no [[driver]]; each has a name and a command, run = \"...\"", r->file);
    if ((s->ready || s->ready_port || s->ready_line || s->renew || s->background) && !s->start)
        return fail(r->err, "%s: the box has no start, so nothing is to be waited for or renewed; leave out ready, ready_port, ready_line, "
                    "renew and background", r->file);
    if (s->ready_line && strchr(s->ready_line, '\n'))
        return fail(r->err, "%s: ready_line is in one line, and cannot have more", r->file);
    for (uint32_t i = 0; i < s->driver_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (!strcmp(s->drivers[i].name, s->drivers[k].name))
                return fail(r->err, "%s: there are two drivers %s; give each its own name, or one of them a count", r->file, s->drivers[i].name);
    if (!s->interface_count) {
        ARRAY_GROW(s->interfaces, s->interface_count, s->interface_room);
        s->interfaces[s->interface_count++] = memory_text("");
    }
    return 0;
}

int suite_read_text(struct suite *s, char *text, const char *file, struct err *err)
{
    *s = (struct suite){ .timeout = TIMEOUT, .replays = REPLAYS, .shrinks = SHRINKS,
                         .bounds = { NO_BOUND, NO_BOUND, NO_BOUND, NO_BOUND } };
    const char *slash = strrchr(file, '/');
    s->folder = slash ? prose_make("%.*s/", (int)(slash - file), file) : memory_text(".");
    struct reader r = { .suite = s, .file = file, .count = 1, .err = err };
    int bad = 0;
    static const char mark[] = "\xef\xbb\xbf";           /* some editors begin each file with it */
    text += strncmp(text, mark, strlen(mark)) ? 0 : strlen(mark);
    for (char *at = text, *next; at && !bad; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = '\0';
        r.line++;
        at[strcspn(at, "\r")] = '\0';
        bad = read_line(&r, at);
    }
    if (!bad)
        bad = end_table(&r);
    forget(&r);
    return bad ? bad : complete(&r);
}

int suite_read(struct suite *s, const char *file, struct err *err)
{
    *s = (struct suite){ 0 };
    char *text = file_text(file, "the suite", err);
    int bad = text ? suite_read_text(s, text, file, err) : -EINVAL;
    free(text);
    return bad;
}

static void objects_fini(struct suite_objects *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        free(all->items[i].name);
    free(all->items);
}

void suite_fini(struct suite *s)
{
    for (uint32_t i = 0; i < s->driver_count; i++) {
        free(s->drivers[i].name);
        free(s->drivers[i].run);
    }
    objects_fini(&s->semaphores);
    objects_fini(&s->queues);
    for (uint32_t i = 0; i < s->interface_count; i++)
        free(s->interfaces[i]);
    free(s->drivers);
    free(s->interfaces);
    free(s->folder);
    free(s->prepare);
    free(s->start);
    free(s->ready);
    free(s->ready_line);
    free(s->reset);
    free(s->renew);
    for (uint32_t i = 0; i < s->invariant_count; i++) {
        free(s->invariants[i].name);
        free(s->invariants[i].run);
    }
    free(s->invariants);
    *s = (struct suite){ 0 };
}

int suite_interface(const struct suite *s, const char *name)
{
    for (uint32_t i = 0; i < s->interface_count; i++)
        if (!strcmp(s->interfaces[i], name))
            return (int)i;
    return -1;
}

int suite_object(const struct suite_objects *all, const char *name)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (!strcmp(all->items[i].name, name))
            return (int)i;
    return -1;
}
