/* The default driver, and which functions are machines at all.
 * SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "extractor/expression.h"
#include "extractor/look.h"
#include "extractor/vocabulary.h"
#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

struct event { long long value; char *name; };
struct events { struct event *items; int count, room; };

static void note(void *arg, long long value, const char *name)
{
    struct events *e = arg;
    for (int i = 0; i < e->count; i++)
        if (e->items[i].value == value) {
            if (!e->items[i].name && name)
                e->items[i].name = prose_make("%s", name);
            return;
        }
    ARRAY_GROW(e->items, e->count, e->room);
    e->items[e->count++] = (struct event){ value, name ? prose_make("%s", name) : NULL };
}

/* What is sent for one parameter: events for the event, and what the harness says for another. */
static void values_of(const struct harness *h, const struct harness_machine *m, const char *parameter, struct events *to)
{
    char *name = prose_make("%s.%s", m->name, parameter);
    for (int i = 0; i < h->values.count; i++)
        for (int v = 0; !strcmp(h->values.items[i].name, name) && v < h->values.items[i].count; v++) {
            ARRAY_GROW(to->items, to->count, to->room);
            to->items[to->count++] = (struct event){ 0, prose_make("%s", h->values.items[i].items[v]) };
        }
    free(name);
    if (!to->count) {
        note(to, 0, NULL);
        note(to, 1, NULL);
    }
}

static void send(struct prose *out, const struct harness *h, const struct harness_machine *m, const struct function *f,
                 const struct events *events, int parameter, const char *so_far)
{
    int length;
    while (parameter < function_parameters(f) && (!expression_type(f->variables.items[parameter].type, &length) || length))
        parameter++;
    if (parameter == function_parameters(f)) {
        for (int i = 0; i < m->count; i++) {
            char *index = m->count > 1 ? prose_make("[%d]", i) : prose_make("%s", "");
            prose_add(out, "    :: %s_in%s!%s\n", m->name, index, *so_far ? so_far : "0");
            free(index);
        }
        return;
    }
    struct events values = { 0 };
    const char *name = f->variables.items[parameter].name;
    bool is_event = m->event && !strcmp(name, m->event);
    if (!is_event)
        values_of(h, m, name, &values);
    const struct events *all = is_event ? events : &values;
    for (int i = 0; i < all->count; i++) {
        const struct event *e = &all->items[i];
        bool by_name = e->name && !vocabulary_reserved(e->name);
        char *more = by_name ? prose_make("%s%s%s", so_far, *so_far ? "," : "", e->name)
                             : prose_make("%s%s%lld", so_far, *so_far ? "," : "", e->value);
        send(out, h, m, f, events, parameter + 1, more);
        free(more);
    }
    for (int i = 0; i < values.count; i++)
        free(values.items[i].name);
    free(values.items);
}

/* Takes what comes over the channels that the harness declares. */
static void receive(struct prose *out, const char *declarations)
{
    for (const char *at = declarations; at && (at = strstr(at, "chan ")); at++) {
        size_t space = strspn(at + 5, " "), length = strcspn(at + 5 + space, " =;[");
        const char *open = strchr(at, '{'), *close = open ? strchr(open, '}') : NULL, *end = strchr(at, ';');
        if (!close || (end && end < open))
            continue;
        prose_add(out, "    :: %.*s?_", (int)length, at + 5 + space);
        for (const char *c = open; c < close; c++)
            if (*c == ',')
                prose_add(out, ",_");
        prose_add(out, "\n");
    }
}

char *promela_default_driver(const struct machines *m, const struct harness *h)
{
    struct prose out = { 0 };
    struct events events = { 0 };
    for (int i = 0; i < h->machines.count; i++) {
        const struct function *f = machines_function(m, h->machines.items[i].function);
        if (f)
            look_events(f, h->machines.items[i].event, note, &events);
    }
    if (!events.count)
        note(&events, 0, NULL);
    prose_add(&out, "active proctype environment()\n{\nend_environment:\n    do\n");
    for (int i = 0; i < h->machines.count; i++) {
        const struct function *f = machines_function(m, h->machines.items[i].function);
        if (f)
            send(&out, h, &h->machines.items[i], f, &events, 0, "");
    }
    receive(&out, h->declarations);
    prose_add(&out, "    od\n}\n");
    for (int i = 0; i < events.count; i++)
        free(events.items[i].name);
    free(events.items);
    return prose_take(&out);
}

static int fields_of(const struct machines *m, const struct harness *h, const char *machine)
{
    int count = 0, length;
    for (int i = 0; i < h->machines.count; i++) {
        const struct function *f = strcmp(h->machines.items[i].name, machine) ? NULL : machines_function(m, h->machines.items[i].function);
        for (int p = 0; f && p < function_parameters(f); p++)
            count += expression_type(f->variables.items[p].type, &length) && !length;
    }
    return count ? count : 1;
}

static void list(struct prose *out, int count, const char *format)
{
    for (int i = 0; i < count; i++) {
        prose_add(out, "%s%s", i ? ", " : "", format);
        if (!strcmp(format, "m"))
            prose_add(out, "%d", i);
    }
}

char *promela_links(const struct machines *m, const struct harness *h, bool channels)
{
    struct prose out = { 0 };
    for (int i = 0; i < h->links.count; i++) {
        const struct link *l = &h->links.items[i];
        int count = fields_of(m, h, l->machine);
        if (channels) {
            prose_add(&out, "%schan %s = [%d] of { ", i ? "\n" : "", l->name, l->queue);
            list(&out, count, "int");
            prose_add(&out, " };");
            continue;
        }
        prose_add(&out, "active proctype link_%s()\n{\nint ", l->name);
        list(&out, count, "m");
        prose_add(&out, ";\nend_link:\n    do\n    :: %s?", l->name);
        list(&out, count, "m");
        prose_add(&out, ";\n        do\n        :: %s_in!", l->machine);
        list(&out, count, "m");
        prose_add(&out, "%s\n%s        od\n    od\n}\n", l->duplicating ? "" : "; break", l->lossy || l->duplicating ? "        :: break\n" : "");
    }
    return prose_take(&out);
}

int promela_find_machines(struct harness *h, const struct machines *m)
{
    int found = 0;
    for (int i = 0; i < m->count; i++) {
        const struct function *f = &m->functions[i];
        const char *event = look_event(f), *state = look_state(m, f);
        if (!f->state_count && !(event && state))
            continue;
        struct harness_machine *new = harness_add_machine(h, f->name, f->name);
        new->event = event ? prose_make("%s", event) : NULL;
        new->state = state ? prose_make("%s", state) : NULL;
        found++;
    }
    return found;
}
