/* SPDX-License-Identifier: MIT */
#include "certifier/partition.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "certifier/part.h"
#include "certifier/spool.h"
#include "certifier/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct piece { uint64_t first_state, entries_before, at, states, transitions, entries; };

struct cutter {
    struct partition *order;
    struct script    *script;
    FILE             *spool;         /* the entries of all parts, one behind the other */
    struct piece     *pieces;
    uint32_t          piece_count, piece_room;
    uint8_t          *needed;        /* a byte a state: another part speaks of it */
    uint64_t          states, room, transitions;
    struct script_start   start;     /* where the script stands now */
    struct part_writer   *writer;
};

char *partition_file(const char *folder, uint32_t part, const char *ending) { return prose_make("%s/%u.%s", folder, part + 1, ending); }

/* ---- where it stands ---- */

static void push(struct cutter *c, uint64_t state, uint32_t label)
{
    struct script_start *s = &c->start;
    ARRAY_GROW(s->path, s->depth, s->path_room);
    s->path[s->depth++] = (struct script_place){ state, label, s->told_count, 0 };
    if (c->states == c->room) {
        c->room = c->room ? 2 * c->room : 1024;
        c->needed = memory_resize(c->needed, c->room);
    }
    c->needed[c->states++] = 0;
}

static void tell(struct cutter *c, uint32_t label)
{
    struct script_start *s = &c->start;
    ARRAY_GROW(s->told, s->told_count, s->told_room);
    s->told[s->told_count++] = label;
    s->path[s->depth - 1].told_count++;
}

/* ---- a part ---- */

/* What it stands on is of the parts before. */
static void begin_piece(struct cutter *c)
{
    struct script_start *s = &c->start;
    struct partition *o = c->order;
    for (uint32_t i = 0; i < s->depth; i++)
        c->needed[s->path[i].state] = 1;
    ARRAY_GROW(c->pieces, c->piece_count, c->piece_room);
    c->pieces[c->piece_count++] = (struct piece){ .first_state = s->next, .entries_before = s->entry, .at = (uint64_t)ftello(c->spool) };
    c->writer = part_writer_new(c->spool, script_labels(c->script), s);
    o->path = s->depth - 1 > o->path ? s->depth - 1 : o->path;
    o->paths += s->depth - 1;
}

static int end_piece(struct cutter *c, struct err *err)
{
    struct piece *p = &c->pieces[c->piece_count - 1];
    int rc = part_writer_finish(c->writer);
    c->writer = NULL;
    c->order->largest = p->transitions > c->order->largest ? p->transitions : c->order->largest;
    return rc ? fail(err, "the parts of the certificate cannot be written to a temporary file: %s", strerror(-rc)) : 0;
}

static void add_entry(struct cutter *c, const struct script_entry *e)
{
    struct piece *p = &c->pieces[c->piece_count - 1];
    part_write_entry(c->writer, e);
    p->entries++;
    if (e->label == BACK) {
        c->start.told_count = c->start.path[--c->start.depth].told;
        return;
    }
    tell(c, e->label);
    c->transitions++;
    p->transitions++;
    if (e->is_new) {
        push(c, e->to, e->label);
        c->start.next++;
        p->states++;
    } else if (e->to < p->first_state) {
        c->needed[e->to] = 1;
    }
}

/* Are there as many as this part is to have? */
static bool is_full(const struct cutter *c)
{
    uint64_t all = script_transitions(c->script);
    return c->start.depth && c->piece_count < c->order->count && c->transitions >= all / c->order->count * c->piece_count
        && c->transitions >= (unsigned __int128)all * c->piece_count / c->order->count;
}

/* ---- all of it ---- */

static int read_all(struct cutter *c, struct err *err)
{
    struct script_entry e;
    int rc = 0, more;
    c->start.next = 1;
    push(c, 0, BACK);
    begin_piece(c);
    while (!rc && (more = script_next(c->script, &e, err)) > 0) {
        c->order->entry = e.number;
        c->order->state = e.from;
        add_entry(c, &e);
        c->start.entry = e.number;
        if (is_full(c) && !(rc = end_piece(c, err)))
            begin_piece(c);
    }
    int ended = c->writer ? end_piece(c, err) : 0;
    return rc ? rc : more < 0 ? more : ended;
}

static int check_counts(struct cutter *c, struct err *err)
{
    c->order->entry = c->order->state = 0;
    if (c->states == script_states(c->script) && c->transitions == script_transitions(c->script))
        return 0;
    fail(err, "the header does not say how many states and transitions there are, which is %llu and %llu", (unsigned long long)c->states,
         (unsigned long long)c->transitions);
    err->code = -EBADMSG;
    return -EBADMSG;
}

/* ---- files ---- */

struct making { const struct cutter *cutter; uint32_t piece; char *header, *needed; uint64_t bytes; size_t needed_bytes; };

static int write_all(const void *arg, FILE *out)
{
    const struct making *m = arg;
    size_t length = strlen(m->header);
    errno = 0;
    if (fwrite(m->header, 1, length, out) != length || fwrite(m->needed, 1, m->needed_bytes, out) != m->needed_bytes)
        return -(errno ? errno : EIO);
    return spool_copy(m->cutter->spool, m->cutter->pieces[m->piece].at, m->bytes, out);
}

/* Those of its own states that others speak of, as how much higher each is than the one before. */
static int write_needed(struct making *m)
{
    const struct piece *p = &m->cutter->pieces[m->piece];
    FILE *out = open_memstream(&m->needed, &m->needed_bytes);
    if (!out)
        return -errno;
    struct packer *packer = packer_new(out, PACK_QUICKLY);
    uint64_t last = 0;
    for (uint64_t state = p->first_state; state < p->first_state + p->states; state++)
        if (m->cutter->needed[state]) {
            packer_number(packer, state - last);
            last = state;
        }
    int rc = packer_finish(packer);
    return fclose(out) && !rc ? -errno : rc;
}

static bool counts(const char *name) { return !strcmp(name, "states") || !strcmp(name, "transitions") || !strcmp(name, "script-bytes"); }

/* Also what is followed here alone, on this executable, must know it to begin with. */
static bool begins(const char *name)
{
    return !strcmp(name, "kind") || !strcmp(name, "memory") || !strcmp(name, "shared");
}

static void make_header(struct making *m)
{
    const struct cutter *c = m->cutter;
    const struct piece *p = &c->pieces[m->piece];
    const struct fields *whole = script_fields(c->script);
    struct fields all = { 0 };
    for (uint32_t i = 0; i < whole->count; i++)
        if (!counts(whole->all[i].name) && (c->order->evidence || begins(whole->all[i].name)))
            fields_add(&all, whole->all[i].name, "%s", whole->all[i].value);
    fields_add(&all, "part", "%u of %u", m->piece + 1, c->piece_count);
    fields_add(&all, "entries-before", "%llu", (unsigned long long)p->entries_before);
    fields_add(&all, "entries", "%llu", (unsigned long long)p->entries);
    fields_add(&all, "next-state", "%llu", (unsigned long long)p->first_state);
    fields_add(&all, "states", "%llu", (unsigned long long)p->states);
    fields_add(&all, "transitions", "%llu", (unsigned long long)p->transitions);
    fields_add(&all, "needed-bytes", "%llu", (unsigned long long)m->needed_bytes);
    fields_add(&all, "script-bytes", "%llu", (unsigned long long)(m->needed_bytes + m->bytes));
    char *text = fields_text(&all);
    m->header = prose_make("verisoft-scc %d\n%s", SCRIPT_VERSION, text);
    free(text);
    fields_fini(&all);
}

static int write_file(const struct cutter *c, uint32_t piece, uint64_t end, struct err *err)
{
    struct making m = { .cutter = c, .piece = piece, .bytes = end - c->pieces[piece].at };
    char *file = partition_file(c->order->folder, piece, "part");
    int rc = write_needed(&m);
    if (rc) {
        rc = fail(err, "%s: the part cannot be written: %s", file, strerror(-rc));
    } else {
        make_header(&m);
        rc = file_write(file, "the part", write_all, &m, err);
    }
    free(m.needed);
    free(m.header);
    free(file);
    return rc;
}

static int write_files(struct cutter *c, struct err *err)
{
    uint64_t end = (uint64_t)ftello(c->spool);
    int rc = 0;
    c->order->count = c->piece_count;
    for (uint32_t i = 0; i < c->piece_count && !rc; i++)
        rc = write_file(c, i, i + 1 < c->piece_count ? c->pieces[i + 1].at : end, err);
    return rc;
}

int partition(struct partition *order, struct err *err)
{
    struct cutter c = { .order = order };
    char *near = prose_make("%s/", order->folder);
    order->entry = order->state = order->largest = order->path = order->paths = 0;
    c.script = script_open(order->file, err);
    int rc = c.script ? 0 : err_code(err);
    if (!rc && !(c.spool = spool_open(near)))
        rc = fail_errno(err, "%s: no file can be made there for the parts of the certificate", order->folder);
    if (!rc && !(rc = read_all(&c, err)) && !(rc = check_counts(&c, err)))
        rc = write_files(&c, err);
    if (c.spool)
        fclose(c.spool);
    script_close(c.script);
    script_start_fini(&c.start);
    free(near);
    free(c.pieces);
    free(c.needed);
    return rc;
}
