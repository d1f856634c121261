/* SPDX-License-Identifier: MIT */
#include "suite/ahead.h"

#include "base/memory.h"
#include "objects/types.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

/* A global state: before what each driver stands, and the words of the objects. */
struct scene {
    const struct start *start;
    struct op pending[MAX_PROCESSES];
    uint64_t  there;                 /* who stands before something that can be done now or later */
    bool      over;                  /* nothing is tried from here on */
    uint32_t *words, word_count;
};

static uint32_t size_of(const struct created *c)
{
    char why[8];
    int size = types_get(c->type)->size(c->arg, why, sizeof why);
    return size > 0 ? (uint32_t)size : 0;
}

static void scene_init(struct scene *s, const struct start *start)
{
    *s = (struct scene){ .start = start };
    for (uint32_t i = 0; i < start->object_count; i++)
        s->word_count += size_of(&start->objects[i]);
    s->words = memory_get((s->word_count + 1) * sizeof *s->words);
    for (uint32_t i = 0, at = 0; i < start->object_count; at += size_of(&start->objects[i++]))
        types_get(start->objects[i].type)->init(start->objects[i].arg, s->words + at);
}

static uint32_t *words_of(struct scene *s, const struct op *op)
{
    uint32_t at = 0;
    for (uint32_t i = 0; op->object != NO_OBJECT && i < op->object; i++)
        at += size_of(&s->start->objects[i]);
    return s->words + at;
}

static uint32_t choices(struct scene *s, int process)
{
    const struct op *op = &s->pending[process];
    bool can = s->there >> process & 1 && !s->over;
    return can ? types_get(op->type)->choices(words_of(s, op), op) : 0;
}

static uint32_t perform(struct scene *s, const struct op *op, uint32_t choice)
{
    struct change changes[OBJECT_CHANGES_OF_GROUP + 1];
    struct log log = { changes };
    return about_processes(op) ? 0 : types_get(op->type)->execute(&log, words_of(s, op), op, choice);
}

static void arrive(struct scene *s, const struct chronicled *n)
{
    uint32_t p = n->cue.process;
    bool ends = about_processes(&n->op) || types_traits(&n->op) & OP_ENDS;
    s->pending[p] = n->op;
    s->there = ends ? s->there & ~(UINT64_C(1) << p) : s->there | UINT64_C(1) << p;
    s->over |= (types_traits(&n->op) & OP_ABORTS) != 0;
}

/* A step that was taken. Only of a toss the result is the choice. */
static void follow(struct scene *s, const struct chronicled *n)
{
    uint32_t p = n->cue.process;
    if (s->there >> p & 1)
        perform(s, &s->pending[p], s->pending[p].type == TYPE_TOSS ? n->cue.result : 0);
    arrive(s, n);
}

/* Brings the scene along the path; gives the node where it ends, NO_NODE: nobody was there. */
static uint32_t walk(struct scene *s, const struct chronicle *r, const struct cues *path)
{
    uint32_t node = CHRONICLE_ROOT;
    for (uint32_t i = 0; i < path->count && node != NO_NODE; i++) {
        node = chronicle_find(r, node, path->items[i]);
        if (node != NO_NODE && r->nodes[node].fate != FATE_SEEN)
            node = NO_NODE;
        if (node != NO_NODE)
            follow(s, &r->nodes[node]);
    }
    return node;
}

static void push(struct cues *path, struct cue m)
{
    ARRAY_GROW(path->items, path->count, path->room);
    path->items[path->count++] = m;
}

/* Its result is found by doing it, in words that are put back. */
static struct cue cue_of(struct scene *s, int process, uint32_t choice)
{
    uint32_t *kept = memory_get((s->word_count + 1) * sizeof *kept);
    memcpy(kept, s->words, s->word_count * sizeof *kept);
    struct cue m = { (uint32_t)process, perform(s, &s->pending[process], choice) };
    memcpy(s->words, kept, s->word_count * sizeof *kept);
    free(kept);
    return m;
}

struct looking { struct chronicle *chronicle; struct cues *path; uint32_t least, most; };

static bool look(const struct looking *, struct scene *, uint32_t node);

/* Below a step that was taken, with the scene put back after it. */
static bool look_below(const struct looking *l, const struct scene *before, uint32_t node)
{
    struct scene s = *before;
    s.words = memory_get((s.word_count + 1) * sizeof *s.words);
    memcpy(s.words, before->words, s.word_count * sizeof *s.words);
    follow(&s, &l->chronicle->nodes[node]);
    bool found = look(l, &s, node);
    free(s.words);
    return found;
}

/* One step of a state. True: it is the one. `open`: it will never be, but it is not known what is below. */
static bool look_at(const struct looking *l, struct scene *s, uint32_t node, struct cue m, bool *open)
{
    uint32_t next = chronicle_get(l->chronicle, node, m);
    enum fate fate = l->chronicle->nodes[next].fate;
    if (l->chronicle->nodes[next].done)
        return false;
    push(l->path, m);
    bool found = fate == FATE_FREE || (fate == FATE_SEEN && look_below(l, s, next));
    if (found)
        return true;
    l->path->count--;
    *open |= !l->chronicle->nodes[next].done;
    return false;
}

static bool look(const struct looking *l, struct scene *s, uint32_t node)
{
    bool open = false;
    for (int p = 0; p < MAX_PROCESSES && l->path->count - l->least < l->most; p++)
        for (uint32_t c = 0, count = choices(s, p); c < count; c++)
            if (look_at(l, s, node, cue_of(s, p, c), &open))
                return true;
    l->chronicle->nodes[node].done = !open;
    return false;
}

bool ahead_next(const struct ahead *a, struct chronicle *r, const struct cues *begun, struct cues *path)
{
    struct scene s;
    scene_init(&s, a->start);
    path->count = 0;
    for (uint32_t i = 0; i < begun->count; i++)
        push(path, begun->items[i]);
    uint32_t node = walk(&s, r, path);
    struct looking l = { r, path, begun->count, a->most };
    bool found = node != NO_NODE && !r->nodes[node].done && look(&l, &s, node);
    free(s.words);
    return found;
}

bool ahead_more(const struct ahead *a, const struct chronicle *r, const struct cues *path, uint32_t begun, struct cue *m)
{
    struct scene s;
    scene_init(&s, a->start);
    bool found = path->count - begun < a->most && walk(&s, r, path) != NO_NODE;
    int p = 0;
    while (found && p < MAX_PROCESSES && !choices(&s, p))
        p++;
    found = found && p < MAX_PROCESSES;
    if (found)
        *m = cue_of(&s, p, 0);
    free(s.words);
    return found;
}
