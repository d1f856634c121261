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

const char *const script_kinds[] = { [SCRIPT_SEARCH] = "search", [SCRIPT_TRUSTFUL] = "trustful" };

struct script_writer {
    enum script_kind kind;
    struct labels    labels;
    uint32_t         told;           /* labels whose words are in the file */
    struct twin     *twin;
    FILE            *spool;
    struct packer   *packer;         /* NULL: the script is finished */
    uint32_t        *references;     /* for each state: entries that lead to it */
    uint64_t         room, transitions;
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
    FILE *spool = open_spool(near);
    if (!spool) {
        fail_errno(err, "%s: no file can be made in its folder for the certificate", near);
        return NULL;
    }
    struct script_writer *w = memory_get(sizeof *w);
    *w = (struct script_writer){ .kind = kind, .spool = spool, .packer = packer_new(spool) };
    w->twin = twin_new(&w->labels);
    return w;
}

void script_writer_free(struct script_writer *w)
{
    if (!w)
        return;
    if (w->packer)
        packer_finish(w->packer);
    fclose(w->spool);
    twin_free(w->twin);
    labels_fini(&w->labels);
    free(w->references);
    free(w);
}

struct labels *script_writer_labels(struct script_writer *w) { return &w->labels; }

/* ---- an entry ---- */

static void put_text(struct script_writer *w, const char *text)
{
    packer_number(w->packer, strlen(text));
    packer_bytes(w->packer, text, strlen(text));
}

static void put_label(struct script_writer *w, unsigned code, uint32_t label)
{
    if (code == 2)
        packer_number(w->packer, label);
    if (code != 3)
        return;
    const struct script_label *l = labels_get(&w->labels, label);
    w->told = label;
    packer_number(w->packer, (uint64_t)l->process);
    put_text(w, l->operation);
    put_text(w, l->outcome);
}

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
    packer_byte(w->packer, (uint8_t)(code | state << 2));
    put_label(w, code, label);
    if (state == 3)
        packer_number(w->packer, zigzag((int64_t)(twin_here(w->twin) - to)));
    twin_step(w->twin, label, to);
    script_write_references(w, to, 1);
    w->transitions++;
}

void script_write_back(struct script_writer *w, uint64_t region)
{
    unsigned code = label_code(w, BACK), state = region == UINT64_MAX || region == twin_region(w->twin) ? 0 : 3;
    packer_byte(w->packer, (uint8_t)(code | state << 2));
    put_label(w, code, BACK);
    if (state)
        packer_number(w->packer, region);
    twin_back(w->twin);
}

/* ---- the file ---- */

struct making { struct script_writer *writer; uint64_t script, bytes; char *header; size_t header_bytes; };

static int copy(FILE *from, uint64_t count, FILE *to)
{
    char bytes[1 << 16];
    rewind(from);
    for (size_t got; count; count -= got) {
        got = fread(bytes, 1, count < sizeof bytes ? (size_t)count : sizeof bytes, from);
        if (!got || fwrite(bytes, 1, got, to) != got)
            return -(errno ? errno : EIO);
    }
    return 0;
}

static int write_all(const void *arg, FILE *out)
{
    const struct making *m = arg;
    errno = 0;
    if (fwrite(m->header, 1, m->header_bytes, out) != m->header_bytes)
        return -(errno ? errno : EIO);
    return copy(m->writer->spool, m->bytes, out);
}

/* It says how long the rest is, so it is made last, and written first. */
static void make_header(struct making *m, const struct fields *fields)
{
    const struct script_writer *w = m->writer;
    struct fields all = { 0 };
    fields_add(&all, "kind", "%s", script_kinds[w->kind]);
    fields_add_all(&all, fields);
    fields_add(&all, "states", "%llu", (unsigned long long)twin_new_state(w->twin));
    fields_add(&all, "transitions", "%llu", (unsigned long long)w->transitions);
    fields_add(&all, "script-bytes", "%llu", (unsigned long long)m->script);
    fields_add(&all, "references-bytes", "%llu", (unsigned long long)(m->bytes - m->script));
    char *text = fields_text(&all);
    m->header = prose_make("verisoft-scc %d\n%s", SCRIPT_VERSION, text);
    m->header_bytes = strlen(m->header);
    free(text);
    fields_fini(&all);
}

static int finish_streams(struct script_writer *w, uint64_t *script, uint64_t *all)
{
    int rc = packer_finish(w->packer);
    w->packer = NULL;
    *script = (uint64_t)ftello(w->spool);
    struct packer *references = packer_new(w->spool);
    script_write_references(w, twin_new_state(w->twin), 0);      /* there is room for all */
    for (uint64_t i = 0; i < twin_new_state(w->twin) && w->kind == SCRIPT_SEARCH; i++)
        packer_number(references, w->references[i]);
    int rc2 = packer_finish(references);
    *all = (uint64_t)ftello(w->spool);
    return rc ? rc : rc2;
}

int script_writer_finish(struct script_writer *w, const struct fields *fields, const char *file, uint64_t *bytes, struct err *err)
{
    struct making m = { .writer = w };
    int rc = finish_streams(w, &m.script, &m.bytes);
    make_header(&m, fields);
    if (rc) {
        errno = -rc;
        rc = fail_errno(err, "%s: the certificate cannot be written", file);
    } else {
        rc = file_write(file, "the certificate", write_all, &m, err);
    }
    *bytes = m.header_bytes + m.bytes;
    free(m.header);
    return rc;
}
