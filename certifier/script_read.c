/* SPDX-License-Identifier: MIT */
#include "certifier/script.h"

#include "base/file.h"
#include "base/memory.h"
#include "certifier/stream.h"
#include "certifier/twin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TEXT = 1 << 16 };

struct script {
    enum script_kind kind;
    struct fields    fields;
    struct labels    labels;
    struct twin     *twin;
    struct unpacker *streams[STREAM_COUNT];
    uint64_t         states, transitions, number, first_references;
    struct script_start start;       /* depth 0: it is whole */
    uint64_t         last;           /* the number of the last entry of a part; UINT64_MAX: the first state is left in it */
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

/* A byte of zstd stands for no more than this many; so a small file cannot claim to be a large script. */
enum { MOST_TO_A_BYTE = 1 << 17 };

static int open_streams(struct script *s, const char *file, uint64_t at, const uint64_t bytes[STREAM_COUNT], struct err *err)
{
    for (int i = 0; i < STREAM_COUNT; at += bytes[i++]) {
        FILE *in = file_open(file, "the certificate", err);
        if (!in)
            return -EINVAL;
        s->streams[i] = unpacker_new(in, at, bytes[i]);
    }
    bool whole = !fields_get(&s->fields, "part", 0);
    if (s->kind == SCRIPT_SEARCH && whole && !unpacker_number(s->streams[STREAM_REFERENCES], &s->first_references))
        return fail(err, "its list of references is damaged at state 0");
    return 0;
}

static int open_parts(struct script *s, const char *file, FILE *in, struct err *err)
{
    uint64_t bytes[STREAM_COUNT], at = (uint64_t)ftello(in), all = at, size;
    fseeko(in, 0, SEEK_END);
    size = (uint64_t)ftello(in);
    if (fields_number(&s->fields, "states", &s->states, err) || fields_number(&s->fields, "transitions", &s->transitions, err))
        return -EINVAL;
    for (int i = 0; i < STREAM_COUNT; i++) {
        if (fields_number(&s->fields, script_streams[i], &bytes[i], err))
            return -EINVAL;
        all = bytes[i] > size - all ? size + 1 : all + bytes[i];
        if (all > size)
            break;
    }
    if (all != size)
        return fail(err, "its header does not speak of the %llu bytes that it has", (unsigned long long)size);
    if (s->transitions / MOST_TO_A_BYTE > bytes[STREAM_ENTRIES] || s->states > s->transitions + 1)
        return fail(err, "its header says that there are %llu states and %llu transitions, for which %llu bytes are not enough",
                    (unsigned long long)s->states, (unsigned long long)s->transitions, (unsigned long long)bytes[STREAM_ENTRIES]);
    return open_streams(s, file, at, bytes, err);
}

void script_close(struct script *s)
{
    if (!s)
        return;
    for (int i = 0; i < STREAM_COUNT; i++)
        unpacker_free(s->streams[i]);
    twin_free(s->twin);
    script_start_fini(&s->start);
    labels_fini(&s->labels);
    fields_fini(&s->fields);
    free(s);
}

const struct fields *script_fields(const struct script *s)           { return &s->fields; }
const struct script_start *script_start(const struct script *s)      { return s->start.depth ? &s->start : NULL; }
enum script_kind     script_kind(const struct script *s)             { return s->kind; }
uint64_t             script_states(const struct script *s)           { return s->states; }
uint64_t             script_transitions(const struct script *s)      { return s->transitions; }
uint64_t             script_first_references(const struct script *s) { return s->first_references; }
const struct labels *script_labels(const struct script *s)           { return &s->labels; }

bool script_shares(const struct script *s)
{
    const char *memory = fields_get(&s->fields, "memory", 0);
    return memory && !strcmp(memory, "shared");
}

/* ---- labels ---- */

static bool get_text(struct script *s, char *text)
{
    uint64_t length;
    struct unpacker *from = s->streams[STREAM_LABELS];
    if (!unpacker_number(from, &length) || length >= LONGEST_TEXT || !unpacker_bytes(from, text, length))
        return false;
    text[length] = '\0';
    for (uint64_t i = 0; i < length; i++)        /* it may be printed */
        if ((unsigned char)text[i] < ' ' || text[i] == 127)
            return false;
    return true;
}

static uint32_t get_new_label(struct script *s)
{
    uint64_t process;
    char *operation = memory_get(2 * LONGEST_TEXT), *outcome = operation + LONGEST_TEXT;
    uint32_t label = UINT32_MAX;
    if (unpacker_number(s->streams[STREAM_LABELS], &process) && process < MAX_PROCESSES && get_text(s, operation) && get_text(s, outcome)
        && !labels_find(&s->labels, (int)process, operation, outcome)
        && !(label = labels_add(&s->labels, (int)process, operation, outcome)))
        label = UINT32_MAX;
    free(operation);
    return label;
}

/* ---- where a part begins ---- */

/* UINT32_MAX: there is no such. */
static uint32_t get_number_or_words(struct script *s)
{
    uint64_t label;
    if (!unpacker_number(s->streams[STREAM_LABELS], &label) || label > s->labels.count + 1)
        return UINT32_MAX;
    return label == s->labels.count + 1 ? get_new_label(s) : (uint32_t)label;
}

enum { MOST_TOLD = 1 << 24 };        /* a file cannot ask for more memory */

static bool read_place(struct script *s, uint32_t depth)
{
    uint64_t state, told;
    uint32_t label;
    struct script_start *start = &s->start;
    if (start->told_count > MOST_TOLD || depth > MOST_TOLD)
        return false;
    if (!unpacker_number(s->streams[STREAM_STATES], &state) || !unpacker_number(s->streams[STREAM_STATES], &told)
        || state >= start->next || (label = get_number_or_words(s)) == UINT32_MAX || (label == BACK) != (depth == 0))
        return false;
    ARRAY_GROW(start->path, start->depth, start->path_room);
    start->path[start->depth++] = (struct script_place){ state, label, start->told_count, (uint32_t)told };
    for (; told; told--) {
        if (start->told_count > MOST_TOLD || (label = get_number_or_words(s)) == UINT32_MAX || label == BACK)
            return false;
        ARRAY_GROW(start->told, start->told_count, start->told_room);
        start->told[start->told_count++] = label;
    }
    return true;
}

static bool read_places(struct script *s)
{
    uint64_t depth;
    bool well = unpacker_number(s->streams[STREAM_STATES], &depth) && depth;
    for (uint64_t i = 0; i < depth && well; i++)
        well = read_place(s, (uint32_t)i);
    return well;
}

static void begin_part(struct script *s)
{
    const struct script_start *start = &s->start;
    uint64_t *states = memory_get(start->depth * sizeof *states);
    uint32_t *arrived = memory_get(2 * start->depth * sizeof *arrived), *previous = arrived + start->depth;
    for (uint32_t i = 0; i < start->depth; i++) {
        const struct script_place *p = &start->path[i];
        states[i] = p->state;
        arrived[i] = p->label;
        previous[i] = p->told_count ? start->told[p->told + p->told_count - 1] : BACK;
    }
    twin_begin(s->twin, states, arrived, previous, start->depth, start->next);
    free(states);
    free(arrived);
}

static int read_start(struct script *s, struct err *err)
{
    const char *part = fields_get(&s->fields, "part", 0);
    unsigned long long entry;
    uint64_t entries;
    s->last = UINT64_MAX;
    if (!part)
        return 0;
    if (sscanf(part, "entries from %llu", &entry) != 1 || fields_number(&s->fields, "next-state", &s->start.next, err)
        || fields_number(&s->fields, "entries", &entries, err) || !read_places(s))
        return fail(err, "where this part of a script begins cannot be read");
    s->number = s->start.entry = entry;
    s->last = entry + entries;
    begin_part(s);
    return 0;
}

struct script *script_open(const char *file, struct err *err)
{
    FILE *in = file_open(file, "the certificate", err);
    if (!in)
        return NULL;
    struct script *s = memory_get(sizeof *s);
    int rc = read_version(in, file, err);
    s->twin = twin_new(&s->labels);
    if (!rc && (fields_read(&s->fields, in, err) || find_kind(s, err) || open_parts(s, file, in, err) || read_start(s, err)))
        rc = damaged(err, -EINVAL);
    fclose(in);
    if (!rc)
        return s;
    script_close(s);
    return NULL;
}

/* ---- entries ---- */

/* UINT32_MAX: there is no such. */
static uint32_t get_label(struct script *s, unsigned code)
{
    uint64_t label;
    switch (code) {
    case 0:  return twin_label(s->twin);
    case 1:  return twin_other_label(s->twin);
    case 2:  return unpacker_number(s->streams[STREAM_LABELS], &label) && label <= s->labels.count ? (uint32_t)label : UINT32_MAX;
    default: return get_new_label(s);
    }
}

/* UINT64_MAX: there is none. */
static uint64_t get_state(struct script *s, unsigned code, uint32_t label)
{
    uint64_t from, more;
    if (s->kind == SCRIPT_TRUSTFUL)
        return code ? UINT64_MAX : twin_new_state(s->twin);
    switch (code) {
    case 0:  return twin_state(s->twin, label);
    case 1:  return twin_new_state(s->twin);
    case 2:  return twin_other_state(s->twin, label);
    default:
        if (!unpacker_number(s->streams[STREAM_STATES], &more))
            return UINT64_MAX;
        from = twin_near(s->twin, label) + (more >> 1 ^ -(more & 1));
        if (from <= twin_new_state(s->twin))
            twin_told(s->twin, label, from);
        return from;
    }
}

static int bad_entry(const struct script *s, struct err *err)
{
    return damaged(err, fail(err, "entry %llu cannot be read: the file is damaged, or cut off", (unsigned long long)s->number));
}

static int get_end(struct script *s, unsigned code, struct script_entry *e, struct err *err)
{
    e->counted = e->region = twin_region(s->twin);
    if (code && !unpacker_number(s->streams[STREAM_STATES], &e->region))
        return bad_entry(s, err);
    twin_back(s->twin);
    return 1;
}

static int get_step(struct script *s, unsigned code, struct script_entry *e, struct err *err)
{
    e->to = get_state(s, code, e->label);
    e->is_new = e->to == twin_new_state(s->twin);
    if (e->to > twin_new_state(s->twin))
        return bad_entry(s, err);
    if (e->is_new && e->to - s->start.next >= s->states)
        return damaged(err, fail(err, "entry %llu enters a state number %llu, and the header says that there are only %llu states",
                                 (unsigned long long)s->number, (unsigned long long)e->to, (unsigned long long)s->states));
    if (e->is_new && s->kind == SCRIPT_SEARCH && !unpacker_number(s->streams[STREAM_REFERENCES], &e->references))
        return damaged(err, fail(err, "its list of references is damaged at state %llu", (unsigned long long)e->to));
    if (e->is_new && s->start.depth) {
        e->elsewhere = e->references & 1;
        e->references >>= 1;
    }
    twin_step(s->twin, e->label, e->to);
    return 1;
}

static int at_end(struct script *s, struct err *err)
{
    for (int i = 0; i < STREAM_COUNT; i++)
        if (!unpacker_over(s->streams[i]))
            return damaged(err, fail(err, "there is something behind the last of its %llu entries", (unsigned long long)s->number));
    return 0;
}

int script_next(struct script *s, struct script_entry *e, struct err *err)
{
    if (twin_over(s->twin) || s->number == s->last)
        return s->number == s->last || s->last == UINT64_MAX ? at_end(s, err) : bad_entry(s, err);
    *e = (struct script_entry){ .number = ++s->number, .from = twin_here(s->twin) };
    int code = unpacker_byte(s->streams[STREAM_ENTRIES]);
    if (code < 0 || code > 15)
        return bad_entry(s, err);
    e->label = get_label(s, (unsigned)code & 3);
    if (e->label == UINT32_MAX)
        return bad_entry(s, err);
    return e->label == BACK ? get_end(s, (unsigned)code >> 2, e, err) : get_step(s, (unsigned)code >> 2, e, err);
}
