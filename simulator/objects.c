/* SPDX-License-Identifier: MIT */
#include "simulator/simulator_internal.h"

#include "base/memory.h"
#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

/* Texts as the trace has them, between quotes that the type puts there. They live until the type has printed all. */
struct escaped { struct texts *texts; char **all; uint32_t count, room; };

static const char *escaped_text(void *self, uint32_t number)
{
    struct escaped *e = self;
    struct prose text = { 0 };
    for (const char *at = system_object_text(e->texts, number); *at; at++) {
        char one[8];
        types_escape(*at, one);
        prose_add(&text, "%s", one);
    }
    ARRAY_GROW(e->all, e->count, e->room);
    return e->all[e->count++] = prose_take(&text);
}

static void free_escaped(struct escaped *e)
{
    for (uint32_t i = 0; i < e->count; i++)
        free(e->all[i]);
    free(e->all);
}

static char *object_words(const struct system *system, const struct object *o)
{
    char *out = NULL;
    if (!o->type->print)
        return prose_make("%s", "");
    for (size_t room = 256; ; room *= 2) {
        struct escaped escaped = { .texts = system->texts };
        out = memory_resize(out, room);
        *out = '\0';
        o->type->print(system->words + o->state, escaped_text, &escaped, out, room);
        free_escaped(&escaped);
        if (strlen(out) + 1 < room)
            break;
    }
    prose_one_line(out);
    return out;
}

static char **all_words(const struct system *system, uint32_t count)
{
    char **all = memory_get((count + 1) * sizeof *all);
    for (uint32_t i = 0; i < count; i++)
        all[i] = object_words(system, &system->objects[i]);
    return all;
}

/* Those that the program has; the table of processes is none of them. */
static uint32_t object_count(const struct system *system)
{
    return system_shares(system) ? system->object_count : system->table;
}

struct object_words simulator_objects(struct simulator *s)
{
    struct object_words w = { .count = object_count(s->run.system) };
    uint32_t position = s->position;
    w.now = all_words(s->run.system, w.count);
    simulator_go_back(s, position ? position - 1 : 0);
    w.before = all_words(s->run.system, w.count);
    simulator_return_to(s, position);
    return w;
}

void simulator_free_objects(struct object_words *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        free(w->now[i]);
        free(w->before[i]);
    }
    free(w->now);
    free(w->before);
    *w = (struct object_words){ 0 };
}
