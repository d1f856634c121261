/* SPDX-License-Identifier: MIT */
#include "extractor/harness.h"

#include "base/file.h"
#include "base/memory.h"
#include "extractor/reader.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- machines and values ---- */

struct harness_machine *harness_add_machine(struct harness *h, const char *name, const char *function)
{
    ADD(h->machines, { .name = prose_make("%s", name), .function = prose_make("%s", function), .count = 1 });
    return &h->machines.items[h->machines.count - 1];
}

static int pair(struct harness_reader *r, struct harness_machine *m, const char *key, char *value)
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

static int machine(struct harness_reader *r, char *rest)
{
    char *name = reader_word(&rest);
    if (!reader_is_name(name) || strchr(name, '-')) {
        free(name);
        return WRONG(r, "a machine needs a name: machine NAME function FUNCTION");
    }
    struct harness_machine *m = harness_add_machine(r->h, name, name);
    free(name);
    m->line = r->number;
    for (char *key; (key = reader_word(&rest));) {
        int bad = pair(r, m, key, reader_word(&rest));
        free(key);
        if (bad)
            return bad;
    }
    return 0;
}

static int values(struct harness_reader *r, char *rest)
{
    char *name = reader_word(&rest), *item;
    if (!name || !strchr(name, '.') || !*rest) {
        free(name);
        return WRONG(r, "write values MACHINE.PARAMETER and the values that the default driver sends");
    }
    ADD(r->h->values, { .name = name, .line = r->number });
    struct values *v = &r->h->values.items[r->h->values.count - 1];
    while ((item = reader_word(&rest)))
        ADD(*v, item);
    return 0;
}

static int link_line(struct harness_reader *r, char *rest)
{
    struct link l = { .name = reader_word(&rest), .machine = reader_word(&rest), .line = r->number };
    int bad = reader_is_name(l.name) && reader_is_name(l.machine) ? 0 : WRONG(r, "write link NAME MACHINE, and behind it lossy, duplicating, queue N");
    for (char *item; !bad && (item = reader_word(&rest));) {
        char *number = strcmp(item, "queue") ? NULL : reader_word(&rest);
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

static int feature(struct harness_reader *r, char *rest)
{
    char *name = reader_word(&rest);
    if (!reader_is_name(name) || !*rest) {
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

static bool is_feature(const struct harness *h, const char *name)
{
    for (int i = 0; name && i < h->features.count; i++)
        if (!strcmp(h->features.items[i].name, name))
            return true;
    return false;
}

static int precedence(struct harness_reader *r, char *rest)
{
    struct precedence p = { .first = reader_word(&rest), .second = reader_word(&rest), .line = r->number };
    bool good = is_feature(r->h, p.first) && is_feature(r->h, p.second) && strcmp(p.first, p.second) && !*rest;
    ADD(r->h->precedences, p);
    return good ? 0 : WRONG(r, "write precedence FIRST SECOND, two features that stand above");
}

/* ---- programs ---- */

static int program(struct harness_reader *r, char *rest)
{
    struct harness *h = r->h;
    const struct { const char *key; int *to, least, most; } numbers[] = {
        { "threads", &h->threads, 1, 40 }, { "processes", &h->processes, 1, 30 }, { "heap", &h->heap, 16, 65536 }, { "sets", &h->sets, 1, 16 },
        { "semaphores", &h->semaphores, 1, 64 }, { "queues", &h->queues, 1, 16 }, { "length", &h->length, 1, 100 },
        { "message", &h->message, 2, 1000 }, { "recursion", &h->recursion, 0, 100 } };
    enum { COUNT = sizeof numbers / sizeof *numbers };
    h->program = true;
    for (char *key; (key = reader_word(&rest));) {
        size_t which = 0;
        while (which < COUNT && strcmp(numbers[which].key, key))
            which++;
        char *text = which < COUNT ? reader_word(&rest) : NULL, *end = text;
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

static int without(struct harness_reader *r, const char *name)
{
    int before = r->h->properties.count;
    drop(r->h, name);
    if (r->h->properties.count < before)
        return 0;
    return WRONG(r, "without %s: there is no such default check (there are: deadlock, unspecified, assertions, progress)", name);
}

static int choose_unmapped(struct harness_reader *r, const char *what)
{
    r->h->unmapped = !strcmp(what, "abstract") ? UNMAPPED_ABSTRACT : !strcmp(what, "keep") ? UNMAPPED_KEEP : UNMAPPED_DEFAULT;
    return r->h->unmapped ? 0 : WRONG(r, "unmapped %s: write abstract or keep", what);
}

static int map_block(struct harness_reader *r, const char *file)
{
    char *text = NULL;
    int first = 1, bad;
    if (*file) {
        char *path = prose_make("%s%s", *file == '/' ? "" : r->h->folder, file);
        text = file_text(path, "the map", r->err);
        bad = text ? map_read(&r->h->map, path, 1, text, r->err) : -EINVAL;
        ADD(r->h->map_files, path);
    } else {
        bad = reader_block(r, &text, &first);
        if (!bad)
            bad = map_read(&r->h->map, r->h->file, first, text, r->err);
    }
    free(text);
    return bad;
}

static int one_line(struct harness_reader *r)
{
    struct harness *h = r->h;
    char *rest;
    if (!*r->line)
        return 0;
    if (reader_begins(r->line, "source", &rest))
        for (char *item; (item = reader_word(&rest));)
            ADD(h->sources, item);
    else if (reader_begins(r->line, "option", &rest))
        for (char *item; (item = reader_word(&rest));)
            ADD(h->options, item);
    else if (reader_begins(r->line, "arguments", &rest))
        for (char *item; (item = reader_word(&rest));)
            ADD(h->arguments, item);
    else if (reader_begins(r->line, "program", &rest))   return program(r, rest);
    else if (reader_begins(r->line, "machine", &rest))   return machine(r, rest);
    else if (reader_begins(r->line, "values", &rest))    return values(r, rest);
    else if (reader_begins(r->line, "link", &rest))      return link_line(r, rest);
    else if (reader_begins(r->line, "feature", &rest))   return feature(r, rest);
    else if (reader_begins(r->line, "precedence", &rest)) return precedence(r, rest);
    else if (reader_begins(r->line, "unmapped", &rest))  return choose_unmapped(r, rest);
    else if (reader_begins(r->line, "without", &rest))   return without(r, rest);
    else if (reader_begins(r->line, "map", &rest))       return map_block(r, rest);
    else if (reader_begins(r->line, "declare", &rest))   return reader_block(r, &h->declarations, &h->declarations_line);
    else if (reader_begins(r->line, "driver", &rest))    return reader_block(r, &h->drivers, &h->drivers_line);
    else if (reader_begins(r->line, "symbol", &rest))    return harness_symbol(r, NULL, rest);
    else if (reader_begins(r->line, "property", &rest))  return harness_property(r, rest);
    else
        return WRONG(r, "this is no line of a harness: '%s' (there are: source, option, program, arguments, machine, values, link, feature, precedence, unmapped, without, "
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
    char *text = file_text(file, "the harness", err);
    if (!text)
        harness_start(h);
    int bad = text ? harness_read_text(h, file, text, err) : -EINVAL;
    free(text);
    return bad;
}

int harness_read_text(struct harness *h, const char *file, const char *text, struct err *err)
{
    harness_start(h);
    const char *slash = strrchr(file, '/');
    struct harness_reader r = { .h = h, .at = text, .err = err };
    free(h->folder);
    h->file = prose_make("%s", file);
    h->folder = slash ? prose_make("%.*s", (int)(slash - file) + 1, file) : prose_make("%s", "");
    reader_line(&r);
    int bad = r.line && !strcmp(r.line, "verisoft harness 1") ? 0
            : fail(err, "%s:1: the first line of a harness is 'verisoft harness 1'", file);
    while (!bad && reader_line(&r))
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
    fini_words(h->map_files.items, h->map_files.count);
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
    for (int i = 0; i < h->precedences.count; i++) {
        free(h->precedences.items[i].first);
        free(h->precedences.items[i].second);
    }
    free(h->precedences.items);
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
