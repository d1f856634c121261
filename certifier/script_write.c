/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "certifier/script.h"

#include "base/file.h"
#include "base/memory.h"
#include "certifier/stream.h"
#include "certifier/twin.h"
#include "base/prose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define X(upper, lower) #lower "-bytes",
const char *const script_streams[] = { SCRIPT_STREAMS(X) };
#undef X
const char *const script_kinds[] = { [SCRIPT_SEARCH] = "search", [SCRIPT_TRUSTFUL] = "trustful" };

struct script_writer {
    enum script_kind kind;
    struct labels    labels;
    uint32_t         told;           /* labels whose words are in the file */
    struct twin     *twin;
    FILE            *spools[STREAM_COUNT];
    struct packer   *packers[STREAM_COUNT];      /* NULL: it is finished */
    uint32_t        *references;     /* for each state: entries that lead to it */
    uint64_t         room, transitions, entries;
    uint64_t         first;          /* of a part: its first new state; else 0 */
    bool             part;
    struct fields    place;          /* of a part: where in the whole it is */
};

/* A file without a name, in the folder where the certificate will be: there is room for it there, or nowhere. */
static FILE *open_spool(const char *near)
{
    const char *slash = strrchr(near, '/');
    char *folder = slash ? prose_make("%.*s", (int)(slash - near + 1), near) : prose_make(".");
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    free(folder);
    return fd < 0 ? tmpfile() : fdopen(fd, "w+");
}

struct script_writer *script_writer_new(enum script_kind kind, const char *near, struct err *err)
{
    struct script_writer *w = memory_get(sizeof *w);
    *w = (struct script_writer){ .kind = kind, .twin = twin_new(&w->labels) };
    for (int i = 0; i < STREAM_COUNT; i++) {
        w->spools[i] = open_spool(near);
        if (!w->spools[i]) {
            fail_errno(err, "%s: no file can be made in its folder for the certificate", near);
            script_writer_free(w);
            return NULL;
        }
        w->packers[i] = packer_new(w->spools[i], i == STREAM_ENTRIES ? PACK_QUICKLY : PACK_HARD);
    }
    return w;
}

void script_writer_free(struct script_writer *w)
{
    if (!w)
        return;
    for (int i = 0; i < STREAM_COUNT; i++) {
        if (w->packers[i])
            packer_finish(w->packers[i]);
        if (w->spools[i])
            fclose(w->spools[i]);
    }
    twin_free(w->twin);
    labels_fini(&w->labels);
    fields_fini(&w->place);
    free(w->references);
    free(w);
}

struct labels *script_writer_labels(struct script_writer *w) { return &w->labels; }

/* ---- an entry ---- */

static void put_text(struct script_writer *w, const char *text)
{
    packer_number(w->packers[STREAM_LABELS], strlen(text));
    packer_bytes(w->packers[STREAM_LABELS], text, strlen(text));
}

static void put_words(struct script_writer *w, uint32_t label)
{
    const struct script_label *l = labels_get(&w->labels, label);
    w->told = label;
    packer_number(w->packers[STREAM_LABELS], (uint64_t)l->process);
    put_text(w, l->operation);
    put_text(w, l->outcome);
}

static void put_label(struct script_writer *w, unsigned code, uint32_t label)
{
    if (code == 2)
        packer_number(w->packers[STREAM_LABELS], label);
    if (code == 3)
        put_words(w, label);
}

/* A number; of a label that was not told before its words, too. */
static void put_number_or_words(struct script_writer *w, uint32_t label)
{
    packer_number(w->packers[STREAM_LABELS], label);
    if (label > w->told)
        put_words(w, label);
}

void script_start_fini(struct script_start *s)
{
    free(s->path);
    free(s->told);
    *s = (struct script_start){ 0 };
}

void script_write_start(struct script_writer *w, const struct script_start *start)
{
    uint64_t *states = memory_get(start->depth * sizeof *states);
    uint32_t *arrived = memory_get(2 * start->depth * sizeof *arrived), *previous = arrived + start->depth;
    w->part = true;
    w->first = start->next;
    fields_add(&w->place, "part", "entries from %llu", (unsigned long long)start->entry);
    fields_add(&w->place, "next-state", "%llu", (unsigned long long)start->next);
    packer_number(w->packers[STREAM_STATES], start->depth);
    for (uint32_t i = 0; i < start->depth; i++) {
        const struct script_place *p = &start->path[i];
        packer_number(w->packers[STREAM_STATES], states[i] = p->state);
        packer_number(w->packers[STREAM_STATES], p->told_count);
        put_number_or_words(w, arrived[i] = p->label);
        for (uint32_t j = 0; j < p->told_count; j++)
            put_number_or_words(w, previous[i] = start->told[p->told + j]);
    }
    twin_begin(w->twin, states, arrived, previous, start->depth, start->next);
    free(states);
    free(arrived);
}

void script_write_elsewhere(struct script_writer *w, uint64_t state) { script_write_references(w, state, INT32_MIN); }

static unsigned label_code(const struct script_writer *w, uint32_t label)
{
    return label > w->told ? 3 : label == twin_label(w->twin) ? 0 : label == twin_other_label(w->twin) ? 1 : 2;
}

static unsigned state_code(const struct script_writer *w, uint32_t label, uint64_t to)
{
    if (w->kind == SCRIPT_TRUSTFUL || to == twin_state(w->twin, label))
        return 0;
    return to == twin_new_state(w->twin) ? 1 : to == twin_other_state(w->twin, label) ? 2 : 3;
}

static uint64_t zigzag(int64_t n) { return (uint64_t)n << 1 ^ (uint64_t)(n >> 63); }

void script_write_references(struct script_writer *w, uint64_t state, int32_t more)
{
    if (state < w->first)            /* of another part */
        return;
    state -= w->first;
    while (state >= w->room) {
        uint64_t room = w->room ? 2 * w->room : 1024;
        w->references = memory_resize(w->references, room * sizeof *w->references);
        memset(w->references + w->room, 0, (room - w->room) * sizeof *w->references);
        w->room = room;
    }
    w->references[state] += (uint32_t)more;
}

void script_write_step(struct script_writer *w, uint32_t label, uint64_t to)
{
    unsigned code = label_code(w, label), state = state_code(w, label, to);
    packer_byte(w->packers[STREAM_ENTRIES], (uint8_t)(code | state << 2));
    put_label(w, code, label);
    if (state == 3) {
        packer_number(w->packers[STREAM_STATES], zigzag((int64_t)(to - twin_near(w->twin, label))));
        twin_told(w->twin, label, to);
    }
    twin_step(w->twin, label, to);
    script_write_references(w, to, 1);
    w->transitions++;
    w->entries++;
}

void script_write_back(struct script_writer *w, uint64_t region)
{
    unsigned code = label_code(w, BACK), state = region == UINT64_MAX || region == twin_region(w->twin) ? 0 : 3;
    packer_byte(w->packers[STREAM_ENTRIES], (uint8_t)(code | state << 2));
    put_label(w, code, BACK);
    if (state)
        packer_number(w->packers[STREAM_STATES], region);
    twin_back(w->twin);
    w->entries++;
}

/* ---- the file ---- */

struct making { struct script_writer *writer; uint64_t bytes[STREAM_COUNT]; char *header; size_t header_bytes; };

static int copy(FILE *from, FILE *to)
{
    char bytes[1 << 16];
    rewind(from);
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, from)) > 0;)
        if (fwrite(bytes, 1, got, to) != got)
            return -(errno ? errno : EIO);
    return ferror(from) ? -(errno ? errno : EIO) : 0;
}

static int write_all(const void *arg, FILE *out)
{
    const struct making *m = arg;
    errno = 0;
    int rc = fwrite(m->header, 1, m->header_bytes, out) == m->header_bytes ? 0 : -(errno ? errno : EIO);
    for (int i = 0; i < STREAM_COUNT && !rc; i++)
        rc = copy(m->writer->spools[i], out);
    return rc;
}

/* It says how long the rest is, so it is made last, and written first. */
static void make_header(struct making *m, const struct fields *fields)
{
    const struct script_writer *w = m->writer;
    struct fields all = { 0 };
    fields_add(&all, "kind", "%s", script_kinds[w->kind]);
    fields_add_all(&all, fields);
    fields_add_all(&all, &w->place);
    if (w->part)
        fields_add(&all, "entries", "%llu", (unsigned long long)w->entries);
    fields_add(&all, "states", "%llu", (unsigned long long)(twin_new_state(w->twin) - w->first));
    fields_add(&all, "transitions", "%llu", (unsigned long long)w->transitions);
    for (int i = 0; i < STREAM_COUNT; i++)
        fields_add(&all, script_streams[i], "%llu", (unsigned long long)m->bytes[i]);
    char *text = fields_text(&all);
    m->header = prose_make("verisoft-scc %d\n%s", SCRIPT_VERSION, text);
    m->header_bytes = strlen(m->header);
    free(text);
    fields_fini(&all);
}

static int finish_streams(struct script_writer *w, uint64_t bytes[STREAM_COUNT])
{
    int rc = 0;
    uint64_t states = twin_new_state(w->twin) - w->first;
    script_write_references(w, w->first + states, 0);            /* there is room for all */
    for (uint64_t i = 0; i < states && w->kind == SCRIPT_SEARCH; i++) {
        uint32_t count = w->references[i] & INT32_MAX, elsewhere = w->references[i] >> 31;
        packer_number(w->packers[STREAM_REFERENCES], w->part ? 2 * (uint64_t)count + elsewhere : w->references[i]);
    }
    for (int i = 0; i < STREAM_COUNT; i++) {
        int bad = packer_finish(w->packers[i]);
        w->packers[i] = NULL;
        bytes[i] = (uint64_t)ftello(w->spools[i]);
        rc = rc ? rc : bad;
    }
    return rc;
}

int script_writer_finish(struct script_writer *w, const struct fields *fields, const char *file, uint64_t *bytes, struct err *err)
{
    struct making m = { .writer = w };
    int rc = finish_streams(w, m.bytes);
    make_header(&m, fields);
    if (rc) {
        errno = -rc;
        rc = fail_errno(err, "%s: the certificate cannot be written", file);
    } else {
        rc = file_write(file, "the certificate", write_all, &m, err);
    }
    *bytes = m.header_bytes;
    for (int i = 0; i < STREAM_COUNT; i++)
        *bytes += m.bytes[i];
    free(m.header);
    return rc;
}
