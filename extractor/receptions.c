/* SPDX-License-Identifier: MIT */
#include "extractor/receptions.h"

#include "base/memory.h"
#include "base/prose.h"
#include "extractor/look.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "vs-unmet ";

char *receptions_said(const char *log)
{
    struct prose out = { 0 };
    for (const char *at = log; (at = strstr(at, mark)); at++)
        prose_add(&out, "%.*s\n", (int)strcspn(at, "\n"), at);
    return prose_take(&out);
}

static const struct node *node_of(const struct reception *r)
{
    return &r->origin->function->nodes[r->origin->node];
}

static int by_place(const void *a, const void *b)
{
    const struct reception *x = a, *y = b;
    const struct place_in *p = &node_of(x)->place, *q = &node_of(y)->place;
    int order = strcmp(p->file, q->file);
    order = order ? order : x->origin->machine - y->origin->machine;
    order = order ? order : p->line - q->line;
    order = order ? order : p->column - q->column;
    order = order ? order : (x->state > y->state) - (x->state < y->state);
    return order ? order : (x->event > y->event) - (x->event < y->event);
}

struct wanted { long long value; const char *name; };

static void found(void *arg, long long value, const char *name)
{
    struct wanted *w = arg;
    if (value == w->value && name && !w->name)
        w->name = name;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Where a word stands in a text; NULL: nowhere, or there is no text. */
static const char *find_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; at && (at = strstr(at, word)); at++)
        if ((at == text || !in_word(at[-1])) && !in_word(at[length]))
            return at;
    return NULL;
}

static bool is_sent(const struct harness *h, const char *name)
{
    bool sent = find_word(h->drivers, name) || find_word(h->declarations, name);
    for (int i = 0; i < h->map.count && !sent; i++)
        sent = find_word(h->map.items[i].right, name);
    return sent;
}

/* #define NAME NUMBER of the harness's own Promela. Gives. */
static char *defined_as(const char *text, long long event)
{
    for (const char *at = text; (at = find_word(at, "define")); at++) {
        const char *name = at + 6 + strspn(at + 6, " \t");
        size_t length = strcspn(name, " \t\n(");
        char *end;
        long long value = strtoll(name + length, &end, 0);
        if (length && end > name + length && strchr("\n/", end[strspn(end, " \t")]) && value == event)       /* strchr also finds the end */
            return prose_make("%.*s", (int)length, name);
    }
    return NULL;
}

/* Of a number that no machine names: by what the driver, or the map, calls what is sent. Gives, or NULL. */
static char *sent_name(const struct extraction *x, long long event)
{
    for (int i = 0; i < x->machines.constant_count; i++)
        if (x->machines.constants[i].value == event && is_sent(&x->harness, x->machines.constants[i].name))
            return prose_make("%s", x->machines.constants[i].name);
    char *own = defined_as(x->harness.declarations, event);
    return own ? own : defined_as(x->harness.drivers, event);
}

/* Of a number that the routine itself does not name, any machine may. */
static char *event_name(const struct extraction *x, long long event)
{
    struct wanted w = { event, NULL };
    for (int i = 0; i < x->harness.machines.count && !w.name; i++) {
        const struct function *f = machines_function(&x->machines, x->harness.machines.items[i].function);
        if (f)
            look_events(f, x->harness.machines.items[i].event, found, &w);
    }
    return w.name ? prose_make("%s", w.name) : sent_name(x, event);
}

static void name(struct reception *r, const struct extraction *x)
{
    const char *state = look_state_name(r->origin->function, x->harness.machines.items[r->origin->machine].state, r->state);
    char *event = event_name(x, r->event);
    r->state_name = state ? prose_make("%s", state) : r->state == INT_MIN ? NULL : prose_make("%lld", r->state);
    r->event_name = event ? event : r->event == INT_MIN ? NULL : prose_make("%lld", r->event);
}

void receptions_read(struct receptions *all, const struct extraction *x, const char *notes)
{
    struct receptions raw = { 0 };
    *all = (struct receptions){ 0 };
    for (const char *at = notes; at && (at = strstr(at, mark)); at++) {
        struct reception r = { 0 };
        int line;
        if (sscanf(at + strlen(mark), "%d %lld %lld", &line, &r.state, &r.event) < 3 || line < 0 || line >= x->model.line_count
            || x->model.origins[line].kind != ORIGIN_UNSPECIFIED)
            continue;
        r.origin = &x->model.origins[line];
        ARRAY_GROW(raw.items, raw.count, raw.room);
        raw.items[raw.count++] = r;
    }
    if (raw.count)
        qsort(raw.items, (size_t)raw.count, sizeof *raw.items, by_place);
    for (int i = 0; i < raw.count; i++)
        if (!i || by_place(&raw.items[i - 1], &raw.items[i])) {
            ARRAY_GROW(all->items, all->count, all->room);
            name(&raw.items[i], x);
            all->items[all->count++] = raw.items[i];
        }
    free(raw.items);
}

char *reception_words(const struct reception *r, const struct extraction *x)
{
    const struct harness *h = &x->harness;
    const struct place_in *p = &node_of(r)->place;
    struct prose out = { 0 };
    prose_add(&out, "%s:%d: ", p->file, p->line);
    if (h->machines.count > 1)
        prose_add(&out, "%s, ", h->machines.items[r->origin->machine].name);
    if (r->state_name)
        prose_add(&out, "in state %s: ", r->state_name);
    prose_add(&out, "%s", r->event_name ? r->event_name : "an event that the map has made something else of");
    return prose_take(&out);
}

void receptions_fini(struct receptions *all)
{
    for (int i = 0; i < all->count; i++) {
        free(all->items[i].state_name);
        free(all->items[i].event_name);
    }
    free(all->items);
    *all = (struct receptions){ 0 };
}
