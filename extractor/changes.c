/* SPDX-License-Identifier: MIT */
#include "extractor/changes.h"

#include "base/memory.h"
#include "base/prose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* `what`: that the model reads. */
static void lacks(struct model *m, const struct node *n, const char *what)
{
    const char *text = n->text ? n->text : "";
    assert(what);
    ARRAY_GROW(m->lacks, m->lack_count, m->lack_room);
    m->lacks[m->lack_count++] = prose_make("'%s' (%s:%d)", text, n->place.file, n->place.line);
    ARRAY_GROW(m->warnings, m->warning_count, m->warning_room);
    m->warnings[m->warning_count++] = prose_make("%s:%d: '%s' is left out and cannot be carried over, but it may change %s, which the model has: nothing is "
                                                 "verified until the map names it", n->place.file, n->place.line, text, what);
}

/* ---- event machines ---- */

/* A variable of the model that one of them changes; NULL: there is none. */
static const char *seen(struct maker *k, const struct touches *all)
{
    for (int v = 0; v < k->names.count; v++) {
        const struct name_of_variable *item = &k->names.items[v];
        struct touch read = item->used ? touch_of(item->function, item->variable) : (struct touch){ 0 };
        for (int i = 0; item->used && i < all->count; i++)
            if (all->items[i].how == TOUCH_CHANGES && touch_meet(&all->items[i], &read, &k->exposed))
                return item->variable->name;
    }
    return NULL;
}

bool changes_read(struct maker *k, const struct function *f, const struct tree *t)
{
    struct touches all = { .machines = k->machines, .calls = true };
    touch_find(&all, f, t);
    bool is_seen = seen(k, &all);
    touch_fini(&all);
    return is_seen;
}

/* What a node does that is not in the model: all of what is left out, or the value that it returns; of a call that is followed its arguments, and where
 * its value goes, unless that is a variable or an element. */
static void find_lost(struct touches *all, const struct account *a)
{
    const struct node *n = &a->function->nodes[a->node];
    const struct tree *t = n->tree;
    if (!t)
        return;
    if (a->fate == FATE_LEFT_OUT || (a->fate == FATE_CONTROL && n->kind == NODE_RETURN))
        touch_find(all, a->function, t);
    if (a->fate != FATE_FOLLOWED)
        return;
    if (!strcmp(t->op, "cast") && t->count == 1)
        t = t->parts[0];
    if (!strcmp(t->op, "=")) {
        if (strcmp(t->parts[0]->op, "var") && strcmp(t->parts[0]->op, "[]"))
            touch_find(all, a->function, t);
        t = t->parts[1];
    }
    for (int i = 1; i < t->count; i++)
        touch_find(all, a->function, t->parts[i]);
}

void changes_lacking(struct maker *k)
{
    for (int i = 0; i < k->model->account_count; i++) {
        const struct account *a = &k->model->accounts[i];
        struct touches all = { .machines = k->machines, .calls = true };
        find_lost(&all, a);
        const char *lost = seen(k, &all);
        if (lost)
            lacks(k->model, &a->function->nodes[a->node], lost);
        touch_fini(&all);
    }
}

/* ---- threads and processes ---- */

struct keeper { struct program *p; struct touches read, exposed; };

/* What is read, or NULL. */
static const char *is_read(const struct keeper *k, const struct touches *all)
{
    for (int i = 0; i < all->count; i++)
        for (int r = 0; all->items[i].how == TOUCH_CHANGES && r < k->read.count; r++)
            if (k->read.items[r].how == TOUCH_READS && touch_meet(&all->items[i], &k->read.items[r], &k->exposed))
                return k->read.items[r].variable ? plain_name(k->read.items[r].variable)
                     : k->read.items[r].field ? k->read.items[r].field : "what lies behind a pointer";
    return NULL;
}

/* What the harness's map has in place of a node is read word by word. True: it has something. */
static bool read_map(struct keeper *k, const struct function *f, const struct node *n)
{
    struct map *map = &k->p->harness->map;
    struct map_entry *found[] = { n->text ? map_statement(map, n->text) : NULL, n->text ? map_condition(map, n->text, true) : NULL,
                                  n->text ? map_condition(map, n->text, false) : NULL };
    bool any = false;
    for (int i = 0; i < 3; i++)
        if (found[i] && strcmp(found[i]->right, "keep")) {
            touch_words(&k->read, f, TOUCH_READS, found[i]->right);
            any = true;
        }
    return any;
}

/* What is in the model anyhow, and what properties speak of. */
static void read_model(struct keeper *k)
{
    const struct program *p = k->p;
    const struct machines *m = p->machines;
    for (int i = 0; i < p->harness->properties.count; i++)
        for (int s = 0; s < p->harness->properties.items[i].symbol_count; s++)
            touch_words(&k->read, NULL, TOUCH_READS, p->harness->properties.items[i].symbols[s].expression);
    for (int g = 0; m->count && g < m->globals.count; g++)
        if (m->globals.items[g].value)
            touch_find(&k->exposed, NULL, m->globals.items[g].value);
    for (int f = 0; f < m->count; f++)
        for (int i = 0; p->frames[f].used && i < m->functions[f].count; i++) {
            const struct node *n = &m->functions[f].nodes[i];
            if (n->tree)
                touch_find(&k->exposed, &m->functions[f], n->tree);
            if (n->tree && !read_map(k, &m->functions[f], n) && !program_may_leave_out(k->p, n))
                touch_find(&k->read, &m->functions[f], n->tree);
        }
}

/* Does it change what is read, and is it not in the model so far? */
static const char *is_missed(const struct keeper *k, int function, int node, struct touches *all)
{
    const struct node *n = &k->p->machines->functions[function].nodes[node];
    if (!k->p->frames[function].used || k->p->stays[function][node] || !program_may_leave_out(k->p, n))
        return NULL;
    touch_find(all, &k->p->machines->functions[function], n->tree);
    return is_read(k, all);
}

/* It stays after all, if it can; then what it reads is read, too. Else the model lacks it, which is told when all is known. */
static bool keep(struct keeper *k, int function, int node, bool tell)
{
    const struct node *n = &k->p->machines->functions[function].nodes[node];
    struct touches all = { .machines = k->p->machines, .pointers = true };
    const char *change = is_missed(k, function, node, &all);
    bool stays = change && program_can_keep(k->p, n->tree);
    if (stays)
        touch_find(&k->read, &k->p->machines->functions[function], n->tree);
    else if (change && tell)
        lacks(k->p->model, n, change);
    touch_fini(&all);
    k->p->stays[function][node] |= stays;
    return stays;
}

static bool keep_more(struct keeper *k, bool tell)
{
    bool more = false;
    for (int f = 0; f < k->p->machines->count; f++)
        for (int n = 0; n < k->p->machines->functions[f].count; n++)
            more |= keep(k, f, n, tell);
    return more;
}

void changes_stay(struct program *p)
{
    const struct machines *m = p->machines;
    struct keeper k = { p, { .machines = m, .pointers = true }, { .machines = m, .only_exposes = true } };
    p->stays = memory_get(((size_t)m->count + 1) * sizeof *p->stays);
    for (int f = 0; f < m->count; f++)
        p->stays[f] = memory_get((size_t)m->functions[f].count + 1);
    if (p->harness->unmapped != UNMAPPED_ABSTRACT)
        return;
    read_model(&k);
    while (keep_more(&k, false))
        ;
    keep_more(&k, true);
    touch_fini(&k.read);
    touch_fini(&k.exposed);
}
