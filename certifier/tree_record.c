/* SPDX-License-Identifier: MIT */
#include "certifier/tree_record.h"

#include "base/memory.h"
#include "system/numbers.h"

#include <assert.h>
#include <stdlib.h>

struct execution { struct tree_step *steps; uint32_t count, room; };

struct tree_record {
    const char         *file;
    uint32_t            back;
    struct tree_writer *writer;      /* NULL: it failed, or nothing began */
    struct err          err;         /* why it failed */
    struct execution   *recent;      /* those that may become void, and the last that is in the file: number n is at n % (back + 1) */
    uint64_t            told, written;
    struct system       *system;
    struct fields       births;      /* of the processes that came to be: their numbers */
    uint32_t            birth_count;
    uint64_t            numbered;    /* a bit for each number that is there */
};

struct tree_record *tree_record_new(const char *file, uint32_t back)
{
    struct tree_record *r = memory_get(sizeof *r);
    r->file = file;
    r->back = back;
    r->recent = memory_get((back + 1) * sizeof *r->recent);
    fail(&r->err, "%s: nothing was searched", file);
    return r;
}

void tree_record_free(struct tree_record *r)
{
    if (!r)
        return;
    tree_writer_free(r->writer);
    for (uint32_t i = 0; i <= r->back; i++)
        free(r->recent[i].steps);
    free(r->recent);
    fields_fini(&r->births);
    free(r);
}

void tree_record_begin(void *record, struct system *system)
{
    struct tree_record *r = record;
    if (system != r->system) {
        fields_fini(&r->births);
        r->birth_count = 0;
        r->numbered = 0;
        r->system = system;
    }
    tree_writer_free(r->writer);
    r->writer = tree_writer_new(r->file, &r->err);
    r->told = r->written = 0;
}

static struct execution *number(struct tree_record *r, uint64_t n) { return &r->recent[n % (r->back + 1)]; }

/* Executions differ from the one before in all steps from some on. */
static void write_next(struct tree_record *r)
{
    struct execution none = { 0 }, *before = r->written ? number(r, r->written - 1) : &none, *e = number(r, r->written);
    uint32_t same = 0;
    while (same < before->count && same < e->count && before->steps[same].process == e->steps[same].process
           && before->steps[same].choice == e->steps[same].choice)
        same++;
    tree_write(r->writer, before->count - same, e->steps + same, e->count - same);
    r->written++;
}

/* A number that is given again is whose numbers.c says. */
static void note_births(struct tree_record *r)
{
    for (uint32_t count = numbers_count(r->system); r->birth_count < count; r->birth_count++) {
        struct system_birth b = numbers_birth(r->system, r->birth_count);
        if (!(r->numbered >> b.number & 1))
            tree_add_birth(&r->births, &b);
        r->numbered |= UINT64_C(1) << b.number;
    }
}

void tree_record_execution(void *record, uint64_t n, const struct step *steps, uint32_t depth)
{
    struct tree_record *r = record;
    if (n < r->written || (!n && r->told))
        tree_record_begin(r, r->system);
    assert(n <= r->told && (n >= r->written));   /* none is left out, and what is written was not void */
    r->told = n;
    if (r->writer && r->told - r->written == r->back)
        write_next(r);
    struct execution *e = number(r, n);
    if (depth > e->room) {
        e->room = 2 * depth;
        e->steps = memory_resize(e->steps, e->room * sizeof *e->steps);
    }
    e->count = depth;
    for (uint32_t i = 0; i < depth; i++)
        e->steps[i] = (struct tree_step){ steps[i].process, steps[i].choice };
    r->told++;
    note_births(r);
}

int tree_record_finish(struct tree_record *r, const struct fields *fields, uint64_t *bytes, struct err *err)
{
    if (!r->writer) {
        *err = r->err;
        return err_code(err);
    }
    while (r->written < r->told)
        write_next(r);
    struct fields all = { 0 };
    fields_add_all(&all, fields);
    fields_add_all(&all, &r->births);
    int rc = tree_writer_finish(r->writer, &all, r->file, bytes, err);
    fields_fini(&all);
    return rc;
}
