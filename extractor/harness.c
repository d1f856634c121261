/* SPDX-License-Identifier: MIT */
#include "extractor/harness.h"

#include "base/file.h"
#include "base/memory.h"
#include "properties/templates.h"
#include "base/prose.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ADD(list, ...) (*(__typeof__((list).items))grow(&(list).items, sizeof *(list).items, &(list).count, &(list).room) = \
                        (__typeof__(*(list).items))__VA_ARGS__)

static void *grow(void *items, size_t size, int *count, int *room)
{
    char **array = items;
    if (*count == *room) {
        *room = *room ? 2 * *room : 8;
        *array = memory_resize(*array, (size_t)*room * size);
    }
    return *array + (size_t)(*count)++ * size;
}

struct reader {
    struct harness *h;
    const char     *at;              /* the rest of the text */
    int             number;          /* of the line below */
    char           *line;            /* a copy without its end, comments and blanks around */
    struct err     *err;
};

#define WRONG(r, ...) wrong_at(r, prose_make(__VA_ARGS__))
static int wrong_at(struct reader *r, char *text)
{
    int code = fail(r->err, "%s:%d: %s", r->h->file, r->number, text);
    free(text);
    return code;
}

/* ---- lines and words ---- */

static bool next_line(struct reader *r)
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

static char *word(char **rest)
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

static bool begins(char *line, const char *key, char **rest)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) || (line[length] && line[length] != ' ' && line[length] != '\t'))
        return false;
    *rest = line + length + strspn(line + length, " \t");
    return true;
}

static bool is_name(const char *text)
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
static int block(struct reader *r, char **text, int *first)
{
    int opened = r->number;
    const char *start = r->at;
    *first = r->number + 1;
    while (next_line(r)) {
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

/* ---- machines and values ---- */

struct harness_machine *harness_add_machine(struct harness *h, const char *name, const char *function)
{
    ADD(h->machines, { .name = prose_make("%s", name), .function = prose_make("%s", function), .count = 1 });
    return &h->machines.items[h->machines.count - 1];
}

static int pair(struct reader *r, struct harness_machine *m, const char *key, char *value)
{
    char **text = !strcmp(key, "function") ? &m->function : !strcmp(key, "event") ? &m->event : !strcmp(key, "state") ? &m->state : NULL;
    int *number = !strcmp(key, "count") ? &m->count : !strcmp(key, "queue") ? &m->queue : NULL, least = number == &m->count;
    if (!value)
        return WRONG(r, "the value of %s is missing", key);
    if (text) {
        free(*text);
        *text = value;
        return 0;
    }
    char *end = value;
    long given = strtol(value, &end, 10);
    bool good = number && !*end && given >= least && given <= 100;
    int bad = good ? 0 : number ? WRONG(r, "%s %s: a number from %d to 100 is expected", key, value, least)
                               : WRONG(r, "%s: a machine has no such setting (there are: function, event, state, count, queue)", key);
    if (good)
        *number = (int)given;
    free(value);
    return bad;
}

static int machine(struct reader *r, char *rest)
{
    char *name = word(&rest);
    if (!is_name(name) || strchr(name, '-')) {
        free(name);
        return WRONG(r, "a machine needs a name: machine NAME function FUNCTION");
    }
    struct harness_machine *m = harness_add_machine(r->h, name, name);
    free(name);
    m->line = r->number;
    for (char *key; (key = word(&rest));) {
        int bad = pair(r, m, key, word(&rest));
        free(key);
        if (bad)
            return bad;
    }
    return 0;
}

static int values(struct reader *r, char *rest)
{
    char *name = word(&rest), *item;
    if (!name || !strchr(name, '.') || !*rest) {
        free(name);
        return WRONG(r, "write values MACHINE.PARAMETER and the values that the default driver sends");
    }
    ADD(r->h->values, { .name = name, .line = r->number });
    struct values *v = &r->h->values.items[r->h->values.count - 1];
    while ((item = word(&rest)))
        ADD(*v, item);
    return 0;
}

static int link_line(struct reader *r, char *rest)
{
    struct link l = { .name = word(&rest), .machine = word(&rest), .line = r->number };
    int bad = is_name(l.name) && is_name(l.machine) ? 0 : WRONG(r, "write link NAME MACHINE, and behind it lossy, duplicating, queue N");
    for (char *item; !bad && (item = word(&rest));) {
        char *number = strcmp(item, "queue") ? NULL : word(&rest);
        l.lossy |= !strcmp(item, "lossy");
        l.duplicating |= !strcmp(item, "duplicating");
        if (number)
            l.queue = atoi(number);
        if ((strcmp(item, "lossy") && strcmp(item, "duplicating") && !number) || (number && (l.queue < 1 || l.queue > 100)))
            bad = WRONG(r, "a link may be lossy, duplicating, queue N (1 to 100); this is '%s'", item);
        free(number);
        free(item);
    }
    ADD(r->h->links, l);
    return bad;
}

static int feature(struct reader *r, char *rest)
{
    char *name = word(&rest);
    if (!is_name(name) || !*rest) {
        free(name);
        return WRONG(r, "write feature NAME and the condition of the source that tells whether it is on");
    }
    if (r->h->features.count == MOST_FEATURES) {
        free(name);
        return WRONG(r, "there is room for %d features", MOST_FEATURES);
    }
    ADD(r->h->features, { .name = name, .condition = prose_make("%s", rest), .line = r->number });
    return 0;
}

/* ---- programs ---- */

static int program(struct reader *r, char *rest)
{
    struct harness *h = r->h;
    const struct { const char *key; int *to, least, most; } numbers[] = {
        { "threads", &h->threads, 1, 60 }, { "processes", &h->processes, 1, 30 }, { "heap", &h->heap, 16, 65536 }, { "sets", &h->sets, 1, 16 },
        { "semaphores", &h->semaphores, 1, 64 }, { "queues", &h->queues, 1, 16 }, { "length", &h->length, 1, 100 },
        { "message", &h->message, 2, 1000 }, { "recursion", &h->recursion, 0, 100 } };
    enum { COUNT = sizeof numbers / sizeof *numbers };
    h->program = true;
    for (char *key; (key = word(&rest));) {
        size_t which = 0;
        while (which < COUNT && strcmp(numbers[which].key, key))
            which++;
        char *text = which < COUNT ? word(&rest) : NULL, *end = text;
        long given = text ? strtol(text, &end, 10) : -1;
        bool good = !strcmp(key, "atomic-statements") || (text && !*end && given >= numbers[which].least && given <= numbers[which].most);
        int bad = good ? 0 : which < COUNT ? WRONG(r, "program %s: a number from %d to %d is expected", key, numbers[which].least, numbers[which].most)
                                           : WRONG(r, "program %s: there are threads, processes, heap, recursion, sets, semaphores, queues, length, "
                                                   "message, atomic-statements", key);
        h->atomic |= !strcmp(key, "atomic-statements");
        if (good && which < COUNT)
            *numbers[which].to = (int)given;
        free(key);
        free(text);
        if (bad)
            return bad;
    }
    return 0;
}

/* ---- properties ---- */

static void set(char **text, const char *value)
{
    char *old = *text;
    *text = old ? prose_make("%s %s", old, value) : prose_make("%s", value);
    free(old);
}

/* Of a property, or (p NULL) of all that stand below and use its name. */
static int symbol(struct reader *r, struct property *p, char *rest)
{
    char *name = word(&rest);
    if (!is_name(name) || strchr(name, '-') || !*rest) {
        free(name);
        return WRONG(r, "write symbol NAME EXPRESSION");
    }
    struct symbol *s = p ? grow(&p->symbols, sizeof *p->symbols, &p->symbol_count, &p->symbol_room)
                         : grow(&r->h->symbols.items, sizeof *s, &r->h->symbols.count, &r->h->symbols.room);
    *s = (struct symbol){ .name = name, .expression = prose_make("%s", rest), .line = r->number };
    return 0;
}

static bool mentions(const char *formula, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = formula; (at = strstr(at, name)); at++)
        if ((at == formula || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    return false;
}

/* What the formula says and the property does not define itself. */
static void lend_symbols(const struct harness *h, struct property *p)
{
    for (int i = 0; i < h->symbols.count; i++) {
        const struct symbol *s = &h->symbols.items[i];
        bool own = !mentions(p->formula, s->name);
        for (int k = 0; k < p->symbol_count; k++)
            own |= !strcmp(p->symbols[k].name, s->name);
        if (own)
            continue;
        struct symbol *to = grow(&p->symbols, sizeof *p->symbols, &p->symbol_count, &p->symbol_room);
        *to = (struct symbol){ .name = prose_make("%s", s->name), .expression = prose_make("%s", s->expression), .line = s->line };
    }
}

/* template PATTERN SCOPE p=FORMULA s=FORMULA ...: the formula that it stands for. */
static int template(struct reader *r, struct property *p, char *rest)
{
    struct template_argument arguments[TEMPLATE_PARAMETERS];
    char *pattern_name = word(&rest), *scope_name = word(&rest), *words[TEMPLATE_PARAMETERS] = { 0 };
    struct err why;
    int count = 0, bad = 0;
    const struct template *pattern = pattern_name ? template_find(pattern_name, &why) : NULL;
    const struct scope *scope = pattern && scope_name ? scope_find(scope_name, &why) : NULL;
    if (!pattern || !scope)
        bad = WRONG(r, "template PATTERN SCOPE p=FORMULA ...: %s", pattern_name && (scope_name || !pattern) ? why.text : "something is missing");
    while (!bad && count < TEMPLATE_PARAMETERS && (words[count] = word(&rest))) {
        arguments[count] = (struct template_argument){ words[count][0], words[count][1] == '=' ? words[count] + 2 : "" };
        if (words[count][1] != '=')
            bad = WRONG(r, "template: %s is no argument; write p=FORMULA, without blanks", words[count]);
        count++;
    }
    struct ltl *ltl = ltl_new();
    uint32_t formula, idle;
    if (!bad && (bad = template_make(ltl, pattern, scope, arguments, count, &formula, &why)))
        WRONG(r, "template %s %s: %s", pattern->name, scope->name, why.text);
    if (!bad)
        p->formula = ltl_text(ltl, formula);
    if (!bad && !template_make_idle(ltl, pattern, scope, arguments, count, &idle, &why))
        p->idle = ltl_text(ltl, idle);
    ltl_free(ltl);
    for (int i = 0; i < count; i++)
        free(words[i]);
    free(pattern_name);
    free(scope_name);
    return bad;
}

static int chosen_features(struct reader *r, struct property *p, char *rest)
{
    for (char *item; (item = word(&rest));) {
        bool known = false;
        for (int i = 0; i < r->h->features.count; i++)
            known |= !strcmp(r->h->features.items[i].name, item + 1);
        if (!known || !strchr("+-", *item)) {
            int bad = WRONG(r, "features %s: write +NAME or -NAME, of a feature that stands above", item);
            free(item);
            return bad;
        }
        char **to = grow(&p->features, sizeof *p->features, &p->feature_count, &p->feature_room);
        *to = item;
    }
    return 0;
}

static int property_line(struct reader *r, struct property *p)
{
    char *rest;
    if (!*r->line)
        return 0;
    if (begins(r->line, "says", &rest))
        set(&p->says, rest);
    else if (begins(r->line, "link", &rest))
        set(&p->link, rest);
    else if (begins(r->line, "symbol", &rest))
        return symbol(r, p, rest);
    else if (begins(r->line, "template", &rest))
        return template(r, p, rest);
    else if (begins(r->line, "holds", &rest))
        set(&p->formula, rest);
    else if (begins(r->line, "violation", &rest)) {
        set(&p->formula, rest);
        p->violation = true;
    } else if (begins(r->line, "features", &rest))
        return chosen_features(r, p, rest);
    else if (!strcmp(r->line, "fair"))
        p->fair = true;
    else
        return WRONG(r, "a property has says, link, symbol, holds, violation, template, fair and features, and ends with end; this is '%s'", r->line);
    return 0;
}

static int property(struct reader *r, char *rest)
{
    char *name = word(&rest);
    int opened = r->number;
    if (!is_name(name) || *rest) {
        free(name);
        return WRONG(r, "a property needs a name of letters, digits, _ and -");
    }
    for (int i = 0; i < r->h->properties.count; i++)
        if (!strcmp(r->h->properties.items[i].name, name)) {
            int bad = WRONG(r, "there is a property %s already", name);
            free(name);
            return bad;
        }
    ADD(r->h->properties, { .name = name, .line = r->number });
    struct property *p = &r->h->properties.items[r->h->properties.count - 1];
    while (next_line(r)) {
        if (!strcmp(r->line, "end")) {
            if (p->formula)
                lend_symbols(r->h, p);
            return p->formula ? 0 : WRONG(r, "the property %s has no formula; write holds FORMULA, or violation FORMULA", p->name);
        }
        int bad = property_line(r, p);
        if (bad)
            return bad;
    }
    r->number = opened;
    return WRONG(r, "there is no line end that closes this property");
}

/* ---- the whole ---- */

static void drop(struct harness *h, const char *name)
{
    for (int i = 0; i < h->properties.count; i++) {
        struct property *p = &h->properties.items[i];
        if (strcmp(p->name, name) || p->formula)
            continue;
        free(p->name);
        free(p->says);
        memmove(p, p + 1, (size_t)(h->properties.count-- - i - 1) * sizeof *p);
        return;
    }
}

static int without(struct reader *r, const char *name)
{
    int before = r->h->properties.count;
    drop(r->h, name);
    if (r->h->properties.count < before)
        return 0;
    return WRONG(r, "without %s: there is no such default check (there are: deadlock, unspecified, assertions, progress)", name);
}

static int choose_unmapped(struct reader *r, const char *what)
{
    r->h->unmapped = !strcmp(what, "abstract") ? UNMAPPED_ABSTRACT : !strcmp(what, "keep") ? UNMAPPED_KEEP : UNMAPPED_DEFAULT;
    return r->h->unmapped ? 0 : WRONG(r, "unmapped %s: write abstract or keep", what);
}

static int map_block(struct reader *r, const char *file)
{
    char *text = NULL;
    int first = 1, bad;
    if (*file) {
        char *path = prose_make("%s%s", *file == '/' ? "" : r->h->folder, file);
        text = file_text(path, "the map", r->err);
        bad = text ? map_read(&r->h->map, path, 1, text, r->err) : -EINVAL;
        free(path);
    } else {
        bad = block(r, &text, &first);
        if (!bad)
            bad = map_read(&r->h->map, r->h->file, first, text, r->err);
    }
    free(text);
    return bad;
}

static int one_line(struct reader *r)
{
    struct harness *h = r->h;
    char *rest;
    if (!*r->line)
        return 0;
    if (begins(r->line, "source", &rest))
        for (char *item; (item = word(&rest));)
            ADD(h->sources, item);
    else if (begins(r->line, "option", &rest))
        for (char *item; (item = word(&rest));)
            ADD(h->options, item);
    else if (begins(r->line, "arguments", &rest))
        for (char *item; (item = word(&rest));)
            ADD(h->arguments, item);
    else if (begins(r->line, "program", &rest))   return program(r, rest);
    else if (begins(r->line, "machine", &rest))   return machine(r, rest);
    else if (begins(r->line, "values", &rest))    return values(r, rest);
    else if (begins(r->line, "link", &rest))      return link_line(r, rest);
    else if (begins(r->line, "feature", &rest))   return feature(r, rest);
    else if (begins(r->line, "unmapped", &rest))  return choose_unmapped(r, rest);
    else if (begins(r->line, "without", &rest))   return without(r, rest);
    else if (begins(r->line, "map", &rest))       return map_block(r, rest);
    else if (begins(r->line, "declare", &rest))   return block(r, &h->declarations, &h->declarations_line);
    else if (begins(r->line, "driver", &rest))    return block(r, &h->drivers, &h->drivers_line);
    else if (begins(r->line, "symbol", &rest))    return symbol(r, NULL, rest);
    else if (begins(r->line, "property", &rest))  return property(r, rest);
    else
        return WRONG(r, "this is no line of a harness: '%s' (there are: source, option, program, arguments, machine, values, link, feature, unmapped, without, "
                     "map, declare, driver, symbol, property)", r->line);
    return 0;
}

void harness_start(struct harness *h)
{
    static const char *const checks[][2] = {
        { "deadlock",    "no process waits for ever for what cannot come" },
        { "unspecified", "no event arrives in a state that has no response to it" },
        { "assertions",  "no assertion is violated" },
        { "progress",    "no machine runs for ever without taking an event" },
    };
    *h = (struct harness){ .folder = prose_make("%s", ""), .threads = 6, .processes = 4, .heap = 1024, .sets = 2, .semaphores = 16, .queues = 4,
                           .length = 10, .message = 32 };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        ADD(h->properties, { .name = prose_make("%s", checks[i][0]), .says = prose_make("%s", checks[i][1]) });
}

void harness_make_program(struct harness *h)
{
    h->program = true;
    if (!h->unmapped)
        h->unmapped = UNMAPPED_KEEP;
    drop(h, "unspecified");
    for (int i = 0; i < h->properties.count; i++)
        if (!strcmp(h->properties.items[i].name, "progress") && !h->properties.items[i].formula) {
            free(h->properties.items[i].says);
            h->properties.items[i].says = prose_make("%s", "no thread runs for ever without an operation on an object");
        }
}

int harness_read(struct harness *h, const char *file, struct err *err)
{
    harness_start(h);
    char *text = file_text(file, "the harness", err);
    if (!text)
        return -EINVAL;
    const char *slash = strrchr(file, '/');
    struct reader r = { .h = h, .at = text, .err = err };
    free(h->folder);
    h->file = prose_make("%s", file);
    h->folder = slash ? prose_make("%.*s", (int)(slash - file) + 1, file) : prose_make("%s", "");
    next_line(&r);
    int bad = r.line && !strcmp(r.line, "verisoft harness 1") ? 0
            : fail(err, "%s:1: the first line of a harness is 'verisoft harness 1'", file);
    while (!bad && next_line(&r))
        bad = one_line(&r);
    for (int i = 0; !bad && i < h->links.count; i++) {
        bool known = false;
        for (int m = 0; m < h->machines.count; m++)
            known |= !strcmp(h->machines.items[m].name, h->links.items[i].machine) && h->machines.items[m].count == 1;
        if (!known)
            bad = fail(err, "%s:%d: link %s: there is no machine %s, or there are several of it", file, h->links.items[i].line,
                       h->links.items[i].name, h->links.items[i].machine);
    }
    if (!bad && !h->sources.count)
        bad = fail(err, "%s: the harness names no source; write source FILE", file);
    free(r.line);
    free(text);
    return bad;
}

static void fini_property(struct property *p)
{
    free(p->name);
    free(p->says);
    free(p->link);
    free(p->formula);
    free(p->idle);
    for (int i = 0; i < p->symbol_count; i++) {
        free(p->symbols[i].name);
        free(p->symbols[i].expression);
    }
    for (int i = 0; i < p->feature_count; i++)
        free(p->features[i]);
    free(p->symbols);
    free(p->features);
}

static void fini_words(char **items, int count)
{
    for (int i = 0; i < count; i++)
        free(items[i]);
    free(items);
}

void harness_fini(struct harness *h)
{
    fini_words(h->sources.items, h->sources.count);
    fini_words(h->options.items, h->options.count);
    fini_words(h->arguments.items, h->arguments.count);
    for (int i = 0; i < h->machines.count; i++) {
        free(h->machines.items[i].name);
        free(h->machines.items[i].function);
        free(h->machines.items[i].event);
        free(h->machines.items[i].state);
    }
    for (int i = 0; i < h->values.count; i++) {
        free(h->values.items[i].name);
        fini_words(h->values.items[i].items, h->values.items[i].count);
    }
    for (int i = 0; i < h->links.count; i++) {
        free(h->links.items[i].name);
        free(h->links.items[i].machine);
    }
    free(h->links.items);
    for (int i = 0; i < h->features.count; i++) {
        free(h->features.items[i].name);
        free(h->features.items[i].condition);
    }
    for (int i = 0; i < h->properties.count; i++)
        fini_property(&h->properties.items[i]);
    for (int i = 0; i < h->symbols.count; i++) {
        free(h->symbols.items[i].name);
        free(h->symbols.items[i].expression);
    }
    free(h->symbols.items);
    free(h->machines.items);
    free(h->values.items);
    free(h->features.items);
    free(h->properties.items);
    free(h->declarations);
    free(h->drivers);
    free(h->file);
    free(h->folder);
    map_fini(&h->map);
}
