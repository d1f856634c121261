/* SPDX-License-Identifier: MIT */
#include "certifier/part.h"

#include "base/file.h"
#include "base/memory.h"
#include "certifier/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TEXT = 1 << 16, MOST_TOLD = 1 << 24 };            /* a file cannot ask for more memory */

/* ---- writing ---- */

struct part_writer { struct packer *packer; const struct labels *labels; uint32_t *numbers, room, told; };

static void put_text(struct packer *p, const char *text)
{
    packer_number(p, strlen(text));
    packer_bytes(p, text, strlen(text));
}

/* Its number in this part; one that comes for the first time has the next, and its words follow. */
static void put_label(struct part_writer *w, uint32_t label)
{
    while (label >= w->room) {
        uint32_t more = memory_more(w->room);
        w->numbers = memory_resize(w->numbers, more * sizeof *w->numbers);
        memset(w->numbers + w->room, 0, (more - w->room) * sizeof *w->numbers);
        w->room = more;
    }
    bool is_new = label != BACK && !w->numbers[label];
    if (is_new)
        w->numbers[label] = ++w->told;
    packer_number(w->packer, w->numbers[label]);
    if (is_new) {
        const struct script_label *l = labels_get(w->labels, label);
        packer_number(w->packer, (uint64_t)l->process);
        put_text(w->packer, l->operation);
        put_text(w->packer, l->outcome);
    }
}

struct part_writer *part_writer_new(FILE *spool, const struct labels *labels, const struct script_start *start)
{
    struct part_writer *w = memory_get(sizeof *w);
    *w = (struct part_writer){ .packer = packer_new(spool, PACK_QUICKLY), .labels = labels };
    packer_number(w->packer, start->depth);
    for (uint32_t i = 0; i < start->depth; i++) {
        const struct script_place *p = &start->path[i];
        packer_number(w->packer, p->state);
        put_label(w, p->label);
        packer_number(w->packer, p->told_count);
        for (uint32_t j = 0; j < p->told_count; j++)
            put_label(w, start->told[p->told + j]);
    }
    return w;
}

void part_write_entry(struct part_writer *w, const struct script_entry *e)
{
    put_label(w, e->label);
    if (e->label != BACK)
        packer_number(w->packer, e->to);
}

int part_writer_finish(struct part_writer *w)
{
    int rc = packer_finish(w->packer);
    free(w->numbers);
    free(w);
    return rc;
}

/* ---- reading ---- */

struct part {
    struct labels      *labels;
    struct unpacker    *entries, *needed;
    struct script_start start;
    uint64_t           *path;        /* where it stands: states */
    uint32_t            depth, room;
    uint64_t            number, last, next, needed_state;
};

static bool get_text(struct part *p, char *text)
{
    uint64_t length;
    if (!unpacker_number(p->entries, &length) || length >= LONGEST_TEXT || !unpacker_bytes(p->entries, text, length))
        return false;
    text[length] = '\0';
    for (uint64_t i = 0; i < length; i++)        /* it may be printed */
        if ((unsigned char)text[i] < ' ' || text[i] == 127)
            return false;
    return true;
}

static uint32_t get_new_label(struct part *p)
{
    uint64_t process;
    char *operation = memory_get(2 * LONGEST_TEXT), *outcome = operation + LONGEST_TEXT;
    uint32_t label = 0;
    if (unpacker_number(p->entries, &process) && process < MAX_PROCESSES && get_text(p, operation) && get_text(p, outcome)
        && !labels_find(p->labels, (int)process, operation, outcome))
        label = labels_add(p->labels, (int)process, operation, outcome);
    free(operation);
    return label ? label : UINT32_MAX;
}

/* UINT32_MAX: it cannot be read. */
static uint32_t get_label(struct part *p)
{
    uint64_t label;
    if (!unpacker_number(p->entries, &label) || label > p->labels->count + UINT64_C(1))
        return UINT32_MAX;
    return label > p->labels->count ? get_new_label(p) : (uint32_t)label;
}

static void stand_on(struct part *p, uint64_t state)
{
    ARRAY_GROW(p->path, p->depth, p->room);
    p->path[p->depth++] = state;
}

static bool read_place(struct part *p)
{
    uint64_t state, told;
    struct script_start *s = &p->start;
    uint32_t label;
    if (s->depth > MOST_TOLD || !unpacker_number(p->entries, &state) || state >= s->next || (label = get_label(p)) == UINT32_MAX
        || (label == BACK) != (s->depth == 0) || !unpacker_number(p->entries, &told))
        return false;
    ARRAY_GROW(s->path, s->depth, s->path_room);
    s->path[s->depth++] = (struct script_place){ state, label, s->told_count, (uint32_t)told };
    stand_on(p, state);
    for (; told; told--) {
        if (s->told_count > MOST_TOLD || (label = get_label(p)) == UINT32_MAX || label == BACK)
            return false;
        ARRAY_GROW(s->told, s->told_count, s->told_room);
        s->told[s->told_count++] = label;
    }
    return true;
}

static bool read_start(struct part *p, const struct fields *fields, struct err *err)
{
    uint64_t depth, entries;
    if (fields_number(fields, "entries-before", &p->start.entry, err) || fields_number(fields, "entries", &entries, err)
        || fields_number(fields, "next-state", &p->start.next, err) || !unpacker_number(p->entries, &depth) || !depth)
        return false;
    bool well = true;
    for (uint64_t i = 0; i < depth && well; i++)
        well = read_place(p);
    p->number = p->start.entry;
    p->last = p->start.entry + entries;
    p->next = p->start.next;
    return well;
}

static struct unpacker *unpack(const char *file, uint64_t at, uint64_t bytes, struct err *err)
{
    FILE *in = file_open(file, "the part", err);
    return in ? unpacker_new(in, at, bytes) : NULL;
}

struct part *part_open(const char *file, uint64_t at, uint64_t bytes, const struct fields *fields, struct labels *labels, struct err *err)
{
    uint64_t needed;
    if (fields_number(fields, "needed-bytes", &needed, err) || needed > bytes) {
        fail(err, "where the parts of this file are cannot be read");
        return NULL;
    }
    struct part *p = memory_get(sizeof *p);
    p->labels = labels;
    p->needed = unpack(file, at, needed, err);
    p->entries = unpack(file, at + needed, bytes - needed, err);
    if (p->needed && p->entries && read_start(p, fields, err))
        return p;
    fail(err, "where this part of a script begins cannot be read");
    part_close(p);
    return NULL;
}

void part_close(struct part *p)
{
    if (!p)
        return;
    unpacker_free(p->needed);
    unpacker_free(p->entries);
    script_start_fini(&p->start);
    free(p->path);
    free(p);
}

const struct script_start *part_start(const struct part *p) { return &p->start; }

int part_next(struct part *p, struct script_entry *e)
{
    if (p->number == p->last)
        return unpacker_over(p->entries) ? 0 : -1;
    if (!p->depth)
        return -1;
    *e = (struct script_entry){ .number = ++p->number, .from = p->path[p->depth - 1], .label = get_label(p) };
    if (e->label == UINT32_MAX)
        return -1;
    if (e->label == BACK) {
        p->depth--;
        return 1;
    }
    if (!unpacker_number(p->entries, &e->to) || e->to > p->next)
        return -1;
    e->is_new = e->to == p->next;
    if (e->is_new) {
        p->next++;
        stand_on(p, e->to);
    }
    return 1;
}

/* They are written as how much higher each is than the one before. */
int part_next_needed(struct part *p, uint64_t *state)
{
    uint64_t more;
    if (unpacker_over(p->needed))
        return 0;
    if (!unpacker_number(p->needed, &more) || more > UINT64_MAX - p->needed_state)
        return -1;
    *state = p->needed_state += more;
    return 1;
}
