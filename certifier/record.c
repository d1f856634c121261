/* SPDX-License-Identifier: MIT */
#include "certifier/record.h"

#include "base/memory.h"
#include "certifier/wording.h"

#include <stdlib.h>

struct record {
    enum script_kind      kind;
    const char           *file;
    const struct system  *system;
    struct script_writer *writer;    /* NULL: it failed, or nothing began */
    struct script_writer *tree;      /* of a trustful one: only what leads to new states; NULL: there is none */
    struct err            err;       /* why it failed */
    uint64_t             *path, highest;         /* states that are entered and not left; the highest number there was */
    uint32_t              depth, room;
    struct wording        wording;
};

struct record *record_new(enum script_kind kind, const char *file)
{
    struct record *r = memory_get(sizeof *r);
    r->kind = kind;
    r->file = file;
    fail(&r->err, "%s: nothing was searched", file);
    return r;
}

static void forget(struct record *r)
{
    script_writer_free(r->writer);
    script_writer_free(r->tree);
    r->writer = r->tree = NULL;
    wording_fini(&r->wording);
    r->depth = 0;
}

void record_free(struct record *r)
{
    if (!r)
        return;
    forget(r);
    free(r->path);
    free(r);
}

static void enter(struct record *r, uint64_t state)
{
    ARRAY_GROW(r->path, r->depth, r->room);
    r->path[r->depth++] = state;
    r->highest = state;
}

void record_begin(void *record, const struct system *system)
{
    struct record *r = record;
    forget(r);
    r->system = system;
    r->writer = script_writer_new(SCRIPT_SEARCH, r->file, &r->err);
    if (r->writer && r->kind == SCRIPT_TRUSTFUL && !(r->tree = script_writer_new(SCRIPT_TRUSTFUL, r->file, &r->err)))
        forget(r);
    enter(r, 0);
}

/* ---- the search ---- */

static void give_up(struct record *r)
{
    fail(&r->err, "%s: the program has more than %d different transitions, or their words are longer than %d bytes, for which a "
         "certificate has no room", r->file, MOST_LABELS, MOST_LABEL_TEXT);
    forget(r);
}

static void leave(struct record *r)
{
    script_write_back(r->writer);
    if (r->tree)
        script_write_back(r->tree);
    r->depth--;
}

/* Its labels are numbered as those of the other. */
static void write_in_tree(struct record *r, uint32_t label, uint64_t to)
{
    struct labels *all = script_writer_labels(r->writer), *own = script_writer_labels(r->tree);
    while (own->count < all->count)
        labels_add(own, all->all[own->count].process, all->all[own->count].operation, all->all[own->count].outcome);
    script_write_step(r->tree, label, to);
}

void record_transition(void *record, uint64_t from, uint64_t to, const struct step *step)
{
    struct record *r = record;
    if (!r->writer)
        return;
    while (r->path[r->depth - 1] != from)
        leave(r);
    bool is_new = to > r->highest;
    uint32_t label = wording_label(&r->wording, r->system, script_writer_labels(r->writer), UNWORDED_ADD, step->process, step->node,
                                   step->result);
    if (!label) {
        give_up(r);
        return;
    }
    script_write_step(r->writer, label, to);
    if (r->tree && is_new)
        write_in_tree(r, label, to);
    if (is_new)
        enter(r, to);
}

int record_finish(struct record *r, const struct fields *fields, uint64_t *bytes, struct err *err)
{
    if (!r->writer) {
        *err = r->err;
        return err_code(err);
    }
    while (r->depth)
        leave(r);
    bool tree = r->tree && script_writer_bytes(r->tree) < script_writer_bytes(r->writer);
    return script_writer_finish(tree ? r->tree : r->writer, fields, r->file, bytes, err);
}
