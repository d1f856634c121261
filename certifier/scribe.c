/* SPDX-License-Identifier: MIT */
#include "certifier/scribe.h"

#include "base/memory.h"
#include "certifier/passing.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST_HELP = 1 << 13 };       /* entries before there is a copy: most searches are over then */

struct scribe {
    struct script_writer *all, *tree;        /* tree NULL: not asked for */
    struct beside        *beside;            /* NULL: it is written here */
    struct passing        passing;           /* and it goes there */
    uint64_t              next;              /* number of the next new state, of those that were written here */
    uint32_t              here;              /* entries that are still written here before there is a copy; 0: it is there, or will not be */
};

struct labels *scribe_labels(struct scribe *s) { return script_writer_labels(s->all); }

/* ---- writing ---- */

/* Labels of the tree are numbered as those of the other. */
static void write_in_tree(struct scribe *s, uint32_t label, uint64_t to)
{
    struct labels *all = script_writer_labels(s->all), *own = script_writer_labels(s->tree);
    while (own->count < all->count)
        labels_add(own, all->all[own->count].process, all->all[own->count].operation, all->all[own->count].outcome);
    script_write_step(s->tree, label, to);
}

static void write_step(struct scribe *s, uint32_t label, uint64_t to)
{
    script_write_step(s->all, label, to);
    if (s->tree && to == s->next)
        write_in_tree(s, label, to);
    s->next += to == s->next;
}

static void write_back(struct scribe *s)
{
    script_write_back(s->all);
    if (s->tree)
        script_write_back(s->tree);
}

/* The shorter one: which it is, what it has come to, and 0 or negative errno. */
static int end(struct scribe *s, struct script_written *written)
{
    struct script_written tree;
    int rc = script_writer_end(s->all, written);
    if (!rc && s->tree && !(rc = script_writer_end(s->tree, &tree)) && tree.bytes < written->bytes)
        *written = tree;
    return rc;
}

/* ---- beside ---- */

static void answer(struct scribe *s, struct beside *b)
{
    struct script_written w = { 0 };
    int rc = end(s, &w);
    beside_put(b, (uint32_t)-rc);
    beside_put(b, w.kind);
    beside_put_long(b, w.states);
    beside_put_long(b, w.transitions);
    beside_put_long(b, w.bytes);
}

/* The copy: until all was told, or the other one is gone. */
static void write_beside(void *scribe, struct beside *b)
{
    struct scribe *s = scribe;
    uint64_t to;
    uint32_t label;
    int more;
    s->passing.line = b;
    while ((more = passing_get(&s->passing, scribe_labels(s), &label, &to)) > 0) {
        if (label == BACK)
            write_back(s);
        else
            write_step(s, label, to);
    }
    if (!more)
        answer(s, b);
}

static int hear_answer(struct scribe *s, struct script_written *w)
{
    uint32_t failed, kind;
    passing_put_end(&s->passing);
    beside_send(s->beside);
    if (!beside_get(s->beside, &failed) || !beside_get(s->beside, &kind) || !beside_get_long(s->beside, &w->states)
        || !beside_get_long(s->beside, &w->transitions) || !beside_get_long(s->beside, &w->bytes))
        return -ECHILD;
    w->kind = (enum script_kind)kind;
    return -(int)failed;
}

/* What was written so far the copy has, too; in the file it must not be twice. */
static void get_help(struct scribe *s)
{
    fflush(script_writer_spool(s->all));
    if (s->tree)
        fflush(script_writer_spool(s->tree));
    s->passing = (struct passing){ .told = scribe_labels(s)->count, .next = s->next };
    s->passing.line = s->beside = beside_start(write_beside, s);
}

/* ---- all ---- */

struct scribe *scribe_new(enum script_kind kind, enum scribe_where where, const char *near, struct err *err)
{
    struct scribe *s = memory_get(sizeof *s);
    s->all = script_writer_new(SCRIPT_SEARCH, near, err);
    if (s->all && kind == SCRIPT_TRUSTFUL)
        s->tree = script_writer_new(SCRIPT_TRUSTFUL, near, err);
    if (!s->all || (kind == SCRIPT_TRUSTFUL && !s->tree)) {
        scribe_free(s);
        return NULL;
    }
    s->next = 1;
    s->here = where == SCRIBE_BESIDE ? FIRST_HELP : 0;
    return s;
}

void scribe_free(struct scribe *s)
{
    if (!s)
        return;
    beside_end(s->beside);
    script_writer_free(s->all);
    script_writer_free(s->tree);
    free(s);
}

void scribe_step(struct scribe *s, uint32_t label, uint64_t to)
{
    if (s->here && !--s->here)
        get_help(s);
    if (s->beside)
        passing_put(&s->passing, scribe_labels(s), label, to);
    else
        write_step(s, label, to);
}

void scribe_back(struct scribe *s)
{
    if (s->beside)
        passing_put(&s->passing, NULL, BACK, 0);
    else
        write_back(s);
}

int scribe_finish(struct scribe *s, const struct fields *fields, const char *file, uint64_t *bytes, struct err *err)
{
    struct script_written written = { 0 };
    int rc = s->beside ? hear_answer(s, &written) : end(s, &written);
    if (rc == -ECHILD)
        return fail(err, "%s: the process that wrote the certificate has ended before it was written; was memory, or processor time, too short?", file);
    if (rc) {
        errno = -rc;
        return fail_errno(err, "%s: the certificate cannot be written", file);
    }
    return script_make(&written, script_writer_spool(written.kind == SCRIPT_TRUSTFUL ? s->tree : s->all), fields, file, bytes, err);
}
