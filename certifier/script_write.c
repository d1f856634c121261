/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "certifier/script.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "certifier/spool.h"
#include "certifier/telling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const script_kinds[] = { [SCRIPT_SEARCH] = "search", [SCRIPT_TRUSTFUL] = "trustful" };

struct script_writer {
    enum script_kind kind;
    struct labels    labels, told;   /* `told`: those that were written, in the order in which they were */
    uint32_t        *numbers, room;  /* by label: its number among those; 0: it was not told */
    struct telling  *telling;
    struct coder    *coder;
    FILE            *spool;
    uint64_t         transitions;
};

struct script_writer *script_writer_new(enum script_kind kind, const char *near, struct err *err)
{
    FILE *spool = spool_open(near);
    if (!spool) {
        fail_errno(err, "%s: no file can be made in its folder for the certificate", near);
        return NULL;
    }
    struct script_writer *w = memory_get(sizeof *w);
    *w = (struct script_writer){ .kind = kind, .spool = spool, .coder = coder_writer(spool) };
    w->telling = telling_new(&w->told, w->coder);
    return w;
}

void script_writer_free(struct script_writer *w)
{
    if (!w)
        return;
    telling_free(w->telling);
    coder_free(w->coder);
    fclose(w->spool);
    labels_fini(&w->labels);
    labels_fini(&w->told);
    free(w->numbers);
    free(w);
}

struct labels *script_writer_labels(struct script_writer *w) { return &w->labels; }

void script_start_fini(struct script_start *s)
{
    free(s->path);
    free(s->told);
    *s = (struct script_start){ 0 };
}

/* ---- an entry ---- */

static uint32_t number_of(struct script_writer *w, uint32_t label)
{
    while (label >= w->room) {
        uint32_t more = memory_more(w->room);
        w->numbers = memory_resize(w->numbers, more * sizeof *w->numbers);
        memset(w->numbers + w->room, 0, (more - w->room) * sizeof *w->numbers);
        w->room = more;
    }
    const struct script_label *l = labels_get(&w->labels, label);
    if (!w->numbers[label])
        w->numbers[label] = labels_add(&w->told, l->process, l->operation, l->outcome);
    return w->numbers[label];
}

void script_write_step(struct script_writer *w, uint32_t label, uint64_t to)
{
    telling_entry(w->telling, w->kind == SCRIPT_TRUSTFUL ? TELLING_TREE : TELLING_ALL, number_of(w, label), &to);
    w->transitions++;
}

void script_write_back(struct script_writer *w)
{
    uint64_t nowhere = 0;
    telling_entry(w->telling, w->kind == SCRIPT_TRUSTFUL ? TELLING_TREE : TELLING_ALL, BACK, &nowhere);
}

int script_writer_end(struct script_writer *w, struct script_written *out)
{
    int rc = coder_finish(w->coder);
    if (!rc && fflush(w->spool))
        rc = -errno;
    *out = (struct script_written){ w->kind, telling_new_state(w->telling), w->transitions, (uint64_t)ftello(w->spool) };
    return rc;
}

FILE *script_writer_spool(const struct script_writer *w) { return w->spool; }

/* ---- the file ---- */

struct making { const struct script_written *written; FILE *spool; char *header; };

static int write_all(const void *arg, FILE *out)
{
    const struct making *m = arg;
    size_t length = strlen(m->header);
    errno = 0;
    if (fwrite(m->header, 1, length, out) != length)
        return -(errno ? errno : EIO);
    return spool_copy(m->spool, 0, m->written->bytes, out);
}

/* It says how long the rest is, so it is made last, and written first. */
static char *make_header(const struct script_written *w, const struct fields *fields)
{
    struct fields all = { 0 };
    fields_add(&all, "kind", "%s", script_kinds[w->kind]);
    fields_add_all(&all, fields);
    fields_add(&all, "states", "%llu", (unsigned long long)w->states);
    fields_add(&all, "transitions", "%llu", (unsigned long long)w->transitions);
    fields_add(&all, "script-bytes", "%llu", (unsigned long long)w->bytes);
    char *text = fields_text(&all), *header = prose_make("verisoft-scc %d\n%s", SCRIPT_VERSION, text);
    free(text);
    fields_fini(&all);
    return header;
}

int script_make(const struct script_written *w, FILE *spool, const struct fields *fields, const char *file, uint64_t *bytes, struct err *err)
{
    struct making m = { w, spool, make_header(w, fields) };
    int rc = file_write(file, "the certificate", write_all, &m, err);
    *bytes = strlen(m.header) + w->bytes;
    free(m.header);
    return rc;
}
