/* SPDX-License-Identifier: MIT */
#include "certifier/partition.h"

#include "base/memory.h"
#include "base/prose.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Of a state: the part that enters it, how many entries lead to it in all, and whether another part speaks of it. */
struct known { uint32_t part, references; uint64_t said; bool elsewhere; };

struct cutter {
    struct script *script;
    const char    *file, *folder;
    uint32_t       parts, part;
    uint64_t       transitions, states;
    struct known  *known;
    uint32_t       known_count, known_room;

    struct script_start   start;     /* where the script stands now */
    struct script_writer *writer;    /* NULL: this time is only for counting */
    uint32_t             *labels, labels_room;   /* of the part's writer; 0: not told yet */
};

char *partition_file(const char *folder, uint32_t part) { return prose_make("%s/part%u.scc", folder, part + 1); }

/* ---- where it stands ---- */

static void push(struct cutter *c, uint64_t state, uint32_t label)
{
    struct script_start *s = &c->start;
    ARRAY_GROW(s->path, s->depth, s->path_room);
    s->path[s->depth++] = (struct script_place){ state, label, s->told_count, 0 };
}

static void tell(struct cutter *c, uint32_t label)
{
    struct script_start *s = &c->start;
    ARRAY_GROW(s->told, s->told_count, s->told_room);
    s->told[s->told_count++] = label;
    s->path[s->depth - 1].told_count++;
}

static void pop(struct cutter *c)
{
    c->start.told_count = c->start.path[--c->start.depth].told;
}

/* ---- counting ---- */

static void know(struct cutter *c, uint64_t said)
{
    ARRAY_GROW(c->known, c->known_count, c->known_room);
    c->known[c->known_count++] = (struct known){ .part = c->part, .said = said };
}

__attribute__((format(printf, 2, 3))) static int wrong(struct err *err, const char *format, ...)
{
    struct prose w = { 0 };
    va_list list;
    va_start(list, format);
    prose_add_list(&w, format, list);
    va_end(list);
    fail(err, "%s", w.text);
    prose_fini(&w);
    err->code = -EBADMSG;
    return -EBADMSG;
}

static int count_step(struct cutter *c, const struct script_entry *e)
{
    if (e->is_new) {
        know(c, e->references);
        c->start.next++;
    }
    struct known *k = &c->known[e->to];
    k->references++;
    k->elsewhere |= k->part != c->part;
    return 0;
}

static int count_end(const struct script_entry *e, struct err *err)
{
    if (e->region == e->counted)
        return 0;
    return wrong(err, "Subgraphs says that the region of state %llu has %llu transitions; it has %llu", (unsigned long long)e->from,
                 (unsigned long long)e->region, (unsigned long long)e->counted);
}

/* The next part begins: what it stands on is of the one before. */
static void count_cut(struct cutter *c)
{
    c->part++;
    for (uint32_t i = 0; i < c->start.depth; i++)
        c->known[c->start.path[i].state].elsewhere = true;
}

static int count_all(struct cutter *c, struct err *err)
{
    if (c->states != script_states(c->script) || c->transitions != script_transitions(c->script))
        return wrong(err, "the header does not say how many states and transitions there are, which is %llu and %llu",
                     (unsigned long long)c->states, (unsigned long long)c->transitions);
    for (uint64_t i = 0; i < c->known_count && script_kind(c->script) == SCRIPT_SEARCH; i++)
        if (c->known[i].said != c->known[i].references)
            return wrong(err, "the list of references says that %llu entries lead to state %llu; there are %u",
                         (unsigned long long)c->known[i].said, (unsigned long long)i, c->known[i].references);
    return 0;
}

/* ---- writing ---- */

/* The label in the part that is written. 0: there is no room. */
static uint32_t own_label(struct cutter *c, uint32_t label)
{
    while (label >= c->labels_room) {
        uint32_t room = memory_more(c->labels_room);
        c->labels = memory_resize(c->labels, room * sizeof *c->labels);
        memset(c->labels + c->labels_room, 0, (room - c->labels_room) * sizeof *c->labels);
        c->labels_room = room;
    }
    if (!c->labels[label]) {
        const struct script_label *l = labels_get(script_labels(c->script), label);
        c->labels[label] = labels_add(script_writer_labels(c->writer), l->process, l->operation, l->outcome);
    }
    return c->labels[label];
}

static int open_part(struct cutter *c, struct err *err)
{
    char *file = partition_file(c->folder, c->part);
    struct script_start own = c->start;
    c->writer = script_writer_new(script_kind(c->script), file, err);
    free(file);
    if (!c->writer)
        return err_code(err);
    if (c->labels)
        memset(c->labels, 0, c->labels_room * sizeof *c->labels);
    own.path = memory_get((own.depth + 1) * sizeof *own.path);
    own.told = memory_get((own.told_count + 1) * sizeof *own.told);
    for (uint32_t i = 0; i < own.depth; i++) {
        own.path[i] = c->start.path[i];
        own.path[i].label = i ? own_label(c, c->start.path[i].label) : BACK;
        for (uint32_t j = own.path[i].told; j < own.path[i].told + own.path[i].told_count; j++)
            own.told[j] = own_label(c, c->start.told[j]);
    }
    script_write_start(c->writer, &own);
    free(own.path);
    free(own.told);
    return 0;
}

static int close_part(struct cutter *c, struct err *err)
{
    struct fields none = { 0 };
    uint64_t bytes;
    char *file = partition_file(c->folder, c->part);
    const char *memory = fields_get(script_fields(c->script), "memory", 0);
    if (memory)
        fields_add(&none, "memory", "%s", memory);
    int rc = script_writer_finish(c->writer, &none, file, &bytes, err);
    script_writer_free(c->writer);
    c->writer = NULL;
    c->part++;
    fields_fini(&none);
    free(file);
    return rc;
}

static void write_step(struct cutter *c, const struct script_entry *e)
{
    script_write_step(c->writer, own_label(c, e->label), e->to);
    if (e->is_new && c->known[e->to].elsewhere)
        script_write_elsewhere(c->writer, e->to);
    c->start.next += e->is_new;
}

/* ---- both ---- */

static int entry(struct cutter *c, const struct script_entry *e, struct err *err)
{
    int rc = 0;
    if (e->label == BACK) {
        if (c->writer)
            script_write_back(c->writer, UINT64_MAX);
        else
            rc = count_end(e, err);
        pop(c);
        return rc;
    }
    tell(c, e->label);
    c->transitions++;
    c->states += e->is_new;
    if (c->writer)
        write_step(c, e);
    else
        rc = count_step(c, e);
    if (e->is_new)
        push(c, e->to, e->label);
    return rc;
}

/* Are there as many as this part is to have? */
static bool is_full(const struct cutter *c)
{
    return c->start.depth && c->part + 1 < c->parts && c->transitions >= script_transitions(c->script) * (c->part + 1) / c->parts;
}

static int next_part(struct cutter *c, bool writes, struct err *err)
{
    if (!writes) {
        count_cut(c);
        return 0;
    }
    int rc = close_part(c, err);
    return rc < 0 ? rc : open_part(c, err);
}

static int go_through(struct cutter *c, bool writes, uint64_t *at, uint64_t *state, struct err *err)
{
    struct script_entry e;
    int rc = 0, more = 0;
    c->script = script_open(c->file, err);
    if (!c->script)
        return err_code(err);
    c->part = 0;
    c->transitions = 0;
    c->states = 1;
    c->start.depth = c->start.told_count = 0;
    c->start.next = 1;
    c->start.entry = 0;
    push(c, 0, BACK);
    if (writes)
        rc = open_part(c, err);
    else
        know(c, script_first_references(c->script));
    while (rc >= 0 && (more = script_next(c->script, &e, err)) > 0) {
        *at = e.number;
        *state = e.from;
        rc = entry(c, &e, err);
        c->start.entry = e.number;
        if (rc >= 0 && is_full(c))
            rc = next_part(c, writes, err);
    }
    if (rc >= 0 && more < 0)
        rc = err_code(err);
    if (rc >= 0) {
        *at = *state = 0;
        rc = writes ? close_part(c, err) : count_all(c, err);
    }
    script_close(c->script);
    return rc;
}

int partition(const char *file, const char *folder, uint32_t *count, uint64_t *at, uint64_t *state, struct err *err)
{
    struct cutter c = { .file = file, .folder = folder, .parts = *count };
    *at = *state = 0;
    int rc = go_through(&c, false, at, state, err);
    if (rc >= 0)
        rc = go_through(&c, true, at, state, err);
    *count = c.part;
    script_writer_free(c.writer);
    script_start_fini(&c.start);
    free(c.known);
    free(c.labels);
    return rc;
}
