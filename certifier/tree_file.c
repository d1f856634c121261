/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "certifier/tree_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "certifier/script.h"
#include "certifier/spool.h"
#include "certifier/stream.h"
#include "system/numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHOSEN = 0x80 };              /* of a step: which result it has follows in the choices; else it is the first */
enum { MOST_TO_A_BYTE = 1 << 17 };   /* bytes that one of zstd stands for */

#define X(upper, lower) #lower "-bytes",
static const char *const streams[] = { TREE_STREAMS(X) };
#undef X

void tree_start_fini(struct tree_start *s)
{
    free(s->path);
    free(s->told);
    *s = (struct tree_start){ 0 };
}

void tree_add_birth(struct fields *fields, const struct system_birth *b)
{
    fields_add(fields, "birth", "%u %u %s %u", b->creator + 1, b->nth, b->unix_process ? "process" : "thread", b->number + 1);
}

int tree_get_birth(const struct fields *fields, uint32_t nth, struct system_birth *b, struct err *err)
{
    const char *says = fields_get(fields, "birth", nth);
    char kind[8];
    if (!says)
        return 0;
    if (sscanf(says, "%u %u %7s %u", &b->creator, &b->nth, kind, &b->number) != 4 || !b->creator-- || !b->number--) {
        fail(err, "its header says 'birth: %.40s', which cannot be read", says);
        return err->code = -EBADMSG;
    }
    b->unix_process = !strcmp(kind, "process");
    return 1;
}

/* ---- writing ---- */

struct tree_writer {
    FILE          *spools[TREE_STREAM_COUNT];
    struct packer *packers[TREE_STREAM_COUNT];   /* NULL: it is finished */
    uint64_t       executions, transitions;
    struct fields  place;            /* of a part: where in the whole it is */
};

struct tree_writer *tree_writer_new(const char *near, struct err *err)
{
    struct tree_writer *w = memory_get(sizeof *w);
    for (int i = 0; i < TREE_STREAM_COUNT; i++) {
        if (!(w->spools[i] = spool_open(near))) {
            fail_errno(err, "%s: no file can be made in its folder for the certificate", near);
            tree_writer_free(w);
            return NULL;
        }
        w->packers[i] = packer_new(w->spools[i], PACK_WELL);
    }
    return w;
}

void tree_writer_free(struct tree_writer *w)
{
    if (!w)
        return;
    for (int i = 0; i < TREE_STREAM_COUNT; i++) {
        if (w->packers[i])
            packer_finish(w->packers[i]);
        if (w->spools[i])
            fclose(w->spools[i]);
    }
    fields_fini(&w->place);
    free(w);
}

void tree_write_start(struct tree_writer *w, const struct tree_start *start)
{
    struct packer *to = w->packers[TREE_START];
    fields_add(&w->place, "part", "executions from %llu", (unsigned long long)start->first);
    packer_number(to, start->first);
    packer_number(to, start->leave);
    packer_number(to, start->depth);
    for (uint32_t i = 0; i < start->depth; i++) {
        const struct tree_place *p = &start->path[i];
        packer_number(to, p->entered);
        packer_number(to, p->told_count);
        for (uint32_t j = 0; j < p->told_count; j++) {
            packer_number(to, start->told[p->told + j].process);
            packer_number(to, start->told[p->told + j].choice);
        }
    }
}

void tree_write(struct tree_writer *w, uint32_t back, const struct tree_step *steps, uint32_t count)
{
    packer_number(w->packers[TREE_TURNS], back);
    packer_number(w->packers[TREE_TURNS], count);
    for (uint32_t i = 0; i < count; i++) {
        packer_byte(w->packers[TREE_STEPS], (uint8_t)(steps[i].process | (steps[i].choice ? CHOSEN : 0)));
        if (steps[i].choice)
            packer_number(w->packers[TREE_CHOICES], steps[i].choice);
    }
    w->executions++;
    w->transitions += count;
}

struct making { struct tree_writer *writer; uint64_t bytes[TREE_STREAM_COUNT]; char *header; size_t header_bytes; };

static int write_all(const void *arg, FILE *out)
{
    const struct making *m = arg;
    errno = 0;
    int rc = fwrite(m->header, 1, m->header_bytes, out) == m->header_bytes ? 0 : -(errno ? errno : EIO);
    for (int i = 0; i < TREE_STREAM_COUNT && !rc; i++)
        rc = spool_copy(m->writer->spools[i], 0, m->bytes[i], out);
    return rc;
}

/* It says how long the rest is, so it is made last, and written first. */
static void make_header(struct making *m, const struct fields *fields)
{
    const struct tree_writer *w = m->writer;
    struct fields all = { 0 };
    fields_add(&all, "kind", TREE_KIND);
    fields_add_all(&all, fields);
    fields_add_all(&all, &w->place);
    fields_add(&all, "executions", "%llu", (unsigned long long)w->executions);
    fields_add(&all, "transitions", "%llu", (unsigned long long)w->transitions);
    for (int i = 0; i < TREE_STREAM_COUNT; i++)
        fields_add(&all, streams[i], "%llu", (unsigned long long)m->bytes[i]);
    char *text = fields_text(&all);
    m->header = prose_make("verisoft-scc %d\n%s", SCRIPT_VERSION, text);
    m->header_bytes = strlen(m->header);
    free(text);
    fields_fini(&all);
}

int tree_writer_finish(struct tree_writer *w, const struct fields *fields, const char *file, uint64_t *bytes, struct err *err)
{
    struct making m = { .writer = w };
    int rc = 0;
    for (int i = 0; i < TREE_STREAM_COUNT; i++) {
        int bad = packer_finish(w->packers[i]);
        w->packers[i] = NULL;
        m.bytes[i] = (uint64_t)ftello(w->spools[i]);
        rc = rc ? rc : bad;
    }
    make_header(&m, fields);
    errno = -rc;
    rc = rc ? fail_errno(err, "%s: the certificate cannot be written", file) : file_write(file, "the certificate", write_all, &m, err);
    *bytes = m.header_bytes;
    for (int i = 0; i < TREE_STREAM_COUNT; i++)
        *bytes += m.bytes[i];
    free(m.header);
    return rc;
}

/* ---- opening ---- */

struct tree_file {
    char             *name;
    struct fields     fields;
    struct unpacker  *streams[TREE_STREAM_COUNT];
    uint64_t          executions, transitions, told, taken;      /* as the header says; read so far */
    uint64_t          depth;         /* of the execution that was read last */
    uint32_t          left;          /* steps of it that were not read */
    struct tree_start start;
};

static int damaged(struct err *err, int rc)      /* it is a certificate, but */
{
    if (rc < 0)
        err->code = -EBADMSG;
    return rc < 0 ? -EBADMSG : 0;
}

bool tree_recognise(const char *file)
{
    struct err err;
    struct fields fields = { 0 };
    char line[64];
    int version;
    FILE *in = file_open(file, "the certificate", &err);
    const char *kind = NULL;
    if (in && fgets(line, sizeof line, in) && sscanf(line, "verisoft-scc %d", &version) == 1 && version == SCRIPT_VERSION
        && !fields_read(&fields, in, &err))
        kind = fields_get(&fields, "kind", 0);
    bool is = kind && !strcmp(kind, TREE_KIND);
    fields_fini(&fields);
    if (in)
        fclose(in);
    return is;
}

static int open_streams(struct tree_file *t, FILE *in, struct err *err)
{
    uint64_t bytes[TREE_STREAM_COUNT], at = (uint64_t)ftello(in), all = at, size;
    fseeko(in, 0, SEEK_END);
    size = (uint64_t)ftello(in);
    for (int i = 0; i < TREE_STREAM_COUNT; i++) {
        if (fields_number(&t->fields, streams[i], &bytes[i], err))
            return -EINVAL;
        all = all > size || bytes[i] > size - all ? size + 1 : all + bytes[i];
    }
    if (all != size)
        return fail(err, "its header does not speak of the %llu bytes that it has", (unsigned long long)size);
    if (t->transitions / MOST_TO_A_BYTE > bytes[TREE_STEPS] || t->executions / MOST_TO_A_BYTE > bytes[TREE_TURNS])
        return fail(err, "its header says that there are %llu executions and %llu transitions, for which its bytes are not enough",
                    (unsigned long long)t->executions, (unsigned long long)t->transitions);
    for (int i = 0; i < TREE_STREAM_COUNT; at += bytes[i++]) {
        FILE *stream = file_open(t->name, "the certificate", err);
        if (!stream)
            return -EINVAL;
        t->streams[i] = unpacker_new(stream, at, bytes[i]);
    }
    return 0;
}

static bool get_process(uint64_t process) { return process < MAX_PROCESSES; }

static bool get_place(struct tree_file *t, struct tree_place *p)
{
    struct tree_start *s = &t->start;
    struct unpacker *from = t->streams[TREE_START];
    uint64_t count, process, choice;
    *p = (struct tree_place){ .told = s->told_count };
    if (!unpacker_number(from, &p->entered) || !unpacker_number(from, &count) || count > UINT32_MAX)
        return false;
    for (p->told_count = (uint32_t)count; count; count--) {
        if (!unpacker_number(from, &process) || !get_process(process) || !unpacker_number(from, &choice) || choice > UINT32_MAX)
            return false;
        ARRAY_GROW(s->told, s->told_count, s->told_room);
        s->told[s->told_count++] = (struct tree_step){ (uint32_t)process, (uint32_t)choice };
    }
    return true;
}

/* Where a part begins. */
static int get_start(struct tree_file *t, struct err *err)
{
    struct tree_start *s = &t->start;
    struct unpacker *from = t->streams[TREE_START];
    uint64_t depth, leave;
    if (!fields_get(&t->fields, "part", 0))
        return 0;
    bool well = unpacker_number(from, &s->first) && unpacker_number(from, &leave) && leave <= UINT32_MAX
             && unpacker_number(from, &depth) && depth;
    s->leave = well ? (uint32_t)leave : 0;
    for (; well && depth; depth--) {
        ARRAY_GROW(s->path, s->depth, s->path_room);
        well = get_place(t, &s->path[s->depth++]) && (depth == 1 || s->path[s->depth - 1].told_count);
    }
    t->depth = s->depth - 1;
    return well ? 0 : fail(err, "where this part begins cannot be read");
}

static int open_file(struct tree_file *t, struct err *err)
{
    char line[64];
    FILE *in = file_open(t->name, "the certificate", err);
    if (!in)
        return -EINVAL;
    int rc = fgets(line, sizeof line, in) ? fields_read(&t->fields, in, err) : fail(err, "it is empty");
    if (!rc)
        rc = fields_number(&t->fields, "executions", &t->executions, err);
    if (!rc)
        rc = fields_number(&t->fields, "transitions", &t->transitions, err);
    if (!rc)
        rc = open_streams(t, in, err);
    if (!rc)
        rc = get_start(t, err);
    fclose(in);
    return damaged(err, rc);
}

static void forget(struct tree_file *t)
{
    for (int i = 0; i < TREE_STREAM_COUNT; i++)
        unpacker_free(t->streams[i]);
    tree_start_fini(&t->start);
    fields_fini(&t->fields);
}

struct tree_file *tree_open(const char *file, struct err *err)
{
    struct tree_file *t = memory_get(sizeof *t);
    t->name = memory_text(file);
    if (!open_file(t, err))
        return t;
    tree_close(t);
    return NULL;
}

int tree_rewind(struct tree_file *t, struct err *err)
{
    char *name = t->name;
    forget(t);
    *t = (struct tree_file){ .name = name };
    return open_file(t, err);
}

void tree_close(struct tree_file *t)
{
    if (!t)
        return;
    forget(t);
    free(t->name);
    free(t);
}

const struct fields     *tree_fields(const struct tree_file *t)      { return &t->fields; }
const struct tree_start *tree_start(const struct tree_file *t)       { return t->start.depth ? &t->start : NULL; }
uint64_t                 tree_executions(const struct tree_file *t)  { return t->executions; }
uint64_t                 tree_transitions(const struct tree_file *t) { return t->transitions; }

bool tree_shares(const struct tree_file *t)
{
    const char *memory = fields_get(&t->fields, "memory", 0);
    return memory && !strcmp(memory, "shared");
}

/* ---- executions ---- */

static int end(struct tree_file *t, struct err *err)
{
    if (t->taken != t->transitions)
        return damaged(err, fail(err, "its header says that there are %llu transitions; there are %llu", (unsigned long long)t->transitions,
                                 (unsigned long long)t->taken));
    for (int i = 0; i < TREE_STREAM_COUNT; i++)
        if (!unpacker_over(t->streams[i]))
            return damaged(err, fail(err, "behind its last execution it goes on, or it is damaged there"));
    return 0;
}

int tree_next(struct tree_file *t, uint32_t *back, uint32_t *count, struct err *err)
{
    uint64_t steps_back, steps;
    if (t->told == t->executions)
        return end(t, err);
    if (!unpacker_number(t->streams[TREE_TURNS], &steps_back) || !unpacker_number(t->streams[TREE_TURNS], &steps))
        return damaged(err, fail(err, "it is damaged where execution %llu is told", (unsigned long long)t->told + 1));
    if (steps_back > t->depth || steps > t->transitions - t->taken || steps > UINT32_MAX)
        return damaged(err, fail(err, "execution %llu goes back further than to the beginning, or has more steps than the header says",
                                 (unsigned long long)t->told + 1));
    t->told++;
    t->taken += steps;
    t->depth += steps - steps_back;
    *back = (uint32_t)steps_back;
    *count = t->left = (uint32_t)steps;
    return 1;
}

int tree_next_step(struct tree_file *t, struct tree_step *step, struct err *err)
{
    int byte = unpacker_byte(t->streams[TREE_STEPS]);
    uint64_t choice = 0;
    bool well = byte >= 0 && t->left && get_process((uint64_t)(byte & ~CHOSEN));
    if (well && byte & CHOSEN)
        well = unpacker_number(t->streams[TREE_CHOICES], &choice) && choice && choice <= UINT32_MAX;
    if (!well)
        return damaged(err, fail(err, "it is damaged in execution %llu", (unsigned long long)t->told));
    t->left--;
    *step = (struct tree_step){ (uint32_t)(byte & ~CHOSEN), (uint32_t)choice };
    return 0;
}
