/* SPDX-License-Identifier: MIT */
#include "certifier/script.h"

#include "base/file.h"
#include "base/memory.h"
#include "certifier/again.h"
#include "certifier/part.h"
#include "certifier/passing.h"
#include "certifier/telling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct script {
    enum script_kind kind;
    char            *file;
    struct fields    fields;
    struct labels    labels;
    uint64_t         states, transitions, number;
    uint64_t         told;           /* transitions until now */
    struct coder    *coder;          /* of a whole script; NULL: it is a part */
    struct telling  *telling;
    struct part     *part;           /* else NULL */
    struct again    *again;          /* what was read, to be read again; NULL: it is not kept */
    bool             second;         /* it is read again */
    struct beside   *beside;         /* who reads it; NULL: this process */
    struct passing   passing;
    uint64_t        *path;           /* where it stands, when it is read by another */
    uint32_t         depth, room;
};

static int damaged(struct err *err, int rc)      /* it is a certificate, but */
{
    if (rc < 0)
        err->code = -EBADMSG;
    return rc < 0 ? -EBADMSG : 0;
}

/* ---- opening ---- */

static int read_version(FILE *in, const char *file, struct err *err)
{
    char line[64] = "";
    int version;
    if (!fgets(line, sizeof line, in) || sscanf(line, "verisoft-scc %d", &version) != 1)
        return fail(err, "%s: is no certificate: its first line is not 'verisoft-scc %d'", file, SCRIPT_VERSION);
    if (version != SCRIPT_VERSION)
        return damaged(err, fail(err, "it is of version %d of the format, and this certifier reads version %d", version, SCRIPT_VERSION));
    return 0;
}

static int find_kind(struct script *s, struct err *err)
{
    const char *kind = fields_get(&s->fields, "kind", 0);
    for (int i = SCRIPT_SEARCH; kind && i <= SCRIPT_TRUSTFUL; i++)
        if (!strcmp(kind, script_kinds[i])) {
            s->kind = (enum script_kind)i;
            return 0;
        }
    return fail(err, "its header says 'kind: %.40s', which this certifier does not know", kind ? kind : "");
}

static int open_coder(struct script *s, FILE *in, uint64_t bytes, struct err *err)
{
    if (s->transitions / CODER_LEAST > bytes || s->states > s->transitions + 1)
        return fail(err, "its header says that there are %llu states and %llu transitions, for which %llu bytes are not enough",
                    (unsigned long long)s->states, (unsigned long long)s->transitions, (unsigned long long)bytes);
    s->coder = coder_reader(in, bytes);
    s->telling = telling_new(&s->labels, s->coder);
    return 0;
}

/* Takes the file, which stands behind the header. */
static int open_body(struct script *s, FILE *in, struct err *err)
{
    uint64_t at = (uint64_t)ftello(in), size, bytes;
    int rc = -EINVAL;
    fseeko(in, 0, SEEK_END);
    size = (uint64_t)ftello(in);
    fseeko(in, (off_t)at, SEEK_SET);
    if (fields_number(&s->fields, "states", &s->states, err) || fields_number(&s->fields, "transitions", &s->transitions, err)
        || fields_number(&s->fields, "script-bytes", &bytes, err)) {
        fclose(in);
        return rc;
    }
    if (bytes != size - at)
        rc = fail(err, "its header speaks of %llu bytes, and it has %llu bytes: it was cut off, or changed", (unsigned long long)bytes,
                  (unsigned long long)(size - at));
    else if (fields_get(&s->fields, "part", 0))
        rc = (s->part = part_open(s->file, at, bytes, &s->fields, &s->labels, err)) ? 0 : -EINVAL;
    else
        rc = open_coder(s, in, bytes, err);
    if (rc || s->part)
        fclose(in);
    return rc;
}

/* From its first byte on; all but the name is empty. */
static int begin(struct script *s, struct err *err)
{
    FILE *in = file_open(s->file, "the certificate", err);
    if (!in)
        return err_code(err);
    int rc = read_version(in, s->file, err);
    if (!rc && (fields_read(&s->fields, in, err) || find_kind(s, err)))
        rc = damaged(err, -EINVAL);
    if (rc)
        fclose(in);
    else
        rc = damaged(err, open_body(s, in, err));
    return rc;
}

struct script *script_open(const char *file, struct err *err)
{
    struct script *s = memory_get(sizeof *s);
    s->file = memory_text(file);
    if (!begin(s, err))
        return s;
    script_close(s);
    return NULL;
}

static void end(struct script *s)
{
    beside_end(s->beside);
    free(s->path);
    again_free(s->again);
    telling_free(s->telling);
    coder_free(s->coder);
    part_close(s->part);
    labels_fini(&s->labels);
    fields_fini(&s->fields);
}

void script_close(struct script *s)
{
    if (!s)
        return;
    end(s);
    free(s->file);
    free(s);
}

const char          *script_file(const struct script *s)        { return s->file; }
const struct fields *script_fields(const struct script *s)      { return &s->fields; }
const struct script_start *script_start(const struct script *s) { return s->part ? part_start(s->part) : NULL; }
enum script_kind     script_kind(const struct script *s)        { return s->kind; }
uint64_t             script_states(const struct script *s)      { return s->states; }
uint64_t             script_transitions(const struct script *s) { return s->transitions; }
const struct labels *script_labels(const struct script *s)      { return &s->labels; }

bool script_shares(const struct script *s)
{
    const char *memory = fields_get(&s->fields, "memory", 0);
    return memory && !strcmp(memory, "shared");
}

/* ---- entries ---- */

static int bad_entry(const struct script *s, struct err *err)
{
    return damaged(err, fail(err, "entry %llu cannot be read: the file is damaged, or cut off", (unsigned long long)s->number));
}

static int at_end(struct script *s, struct err *err)
{
    return coder_over(s->coder) ? 0
         : damaged(err, fail(err, "there is something behind the last of its %llu entries", (unsigned long long)s->number));
}

static int read_entry(struct script *s, struct script_entry *e, struct err *err)
{
    if (telling_over(s->telling))
        return at_end(s, err);
    *e = (struct script_entry){ .number = ++s->number, .from = telling_here(s->telling) };
    uint64_t new = telling_new_state(s->telling);
    e->label = telling_entry(s->telling, s->kind == SCRIPT_TRUSTFUL ? TELLING_TREE : TELLING_ALL, BACK, &e->to);
    e->is_new = e->label != BACK && e->to == new;
    return e->label == UINT32_MAX ? bad_entry(s, err) : 1;
}

/* ---- twice ---- */

void script_keep(struct script *s)
{
    if (!s->part && s->transitions <= AGAIN_MOST)
        s->again = again_new(s->file);
}

int script_again(struct script *s, struct err *err)
{
    if (s->again && again_begin(s->again)) {
        s->second = true;
        return 0;
    }
    end(s);
    *s = (struct script){ .file = s->file };
    return begin(s, err);
}

static int next_again(struct script *s, struct script_entry *e, struct err *err)
{
    int more = again_next(s->again, e);
    return more >= 0 ? more : fail(err, "%s: what was read of it cannot be read again from a temporary file", s->file);
}

static int next_here(struct script *s, struct script_entry *e, struct err *err)
{
    int more = s->part ? part_next(s->part, e) : read_entry(s, e, err);
    if (s->part && more < 0)
        return damaged(err, fail(err, "an entry of this part cannot be read: the file is damaged, or cut off"));
    uint64_t first = s->part ? part_start(s->part)->next : 0;
    s->told += more > 0 && e->label != BACK;
    if (s->told > s->transitions)    /* or a short file could go on for long */
        return damaged(err, fail(err, "entry %llu is one more transition than the %llu that the header speaks of", (unsigned long long)e->number,
                                 (unsigned long long)s->transitions));
    if (more > 0 && e->label != BACK && e->is_new && e->to - first >= s->states)
        return damaged(err, fail(err, "entry %llu enters a state number %llu, and the header says that there are only %llu states",
                                 (unsigned long long)e->number, (unsigned long long)e->to, (unsigned long long)s->states));
    if (more > 0 && s->again)
        again_add(s->again, e);
    return more;
}

/* ---- by a copy of this process ---- */

/* The copy: until there is no more, or the other one is gone. */
static void read_beside(void *script, struct beside *b)
{
    struct script *s = script;
    struct script_entry e;
    struct err err = { .text = "" };
    int more;
    s->passing.line = b;
    while ((more = next_here(s, &e, &err)) > 0 && !b->lost)
        passing_put(&s->passing, &s->labels, e.label, e.to);
    passing_put_end(&s->passing);
    beside_put_text(b, more < 0 ? err.text : "");
}

void script_read_beside(struct script *s)
{
    enum { SHORTEST = 1 << 13 };
    if (s->part || s->second || s->number || s->transitions < SHORTEST)
        return;
    s->passing = (struct passing){ .next = 1 };
    s->passing.line = s->beside = beside_start(read_beside, s);
    ARRAY_GROW(s->path, s->depth, s->room);
    s->path[s->depth++] = 0;
}

static int end_beside(struct script *s, int more, struct err *err)
{
    char *wrong = more ? NULL : beside_get_text(s->beside);
    int rc = !wrong ? fail(err, "%s: the process that reads it has ended; was memory, or processor time, too short?", s->file)
           : *wrong ? damaged(err, fail(err, "%s", wrong)) : 0;
    free(wrong);
    return rc;
}

static int next_beside(struct script *s, struct script_entry *e, struct err *err)
{
    *e = (struct script_entry){ .number = s->number + 1, .from = s->depth ? s->path[s->depth - 1] : 0 };
    uint64_t new = s->passing.next;
    int more = passing_get(&s->passing, &s->labels, &e->label, &e->to);
    if (more <= 0)
        return end_beside(s, more, err);
    s->number++;
    if (e->label == BACK) {
        s->depth--;
        return 1;
    }
    e->is_new = e->to == new;
    if (e->is_new) {
        ARRAY_GROW(s->path, s->depth, s->room);
        s->path[s->depth++] = e->to;
    }
    return 1;
}

int script_next(struct script *s, struct script_entry *e, struct err *err)
{
    return s->second ? next_again(s, e, err) : s->beside ? next_beside(s, e, err) : next_here(s, e, err);
}

int script_next_needed(struct script *s, uint64_t *state, struct err *err)
{
    int more = part_next_needed(s->part, state);
    return more < 0 ? damaged(err, fail(err, "the states that other parts speak of cannot be read: the file is damaged, or cut off")) : more;
}
