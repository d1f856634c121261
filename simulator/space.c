/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/space.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/texts.h"

#include <errno.h>
#include <limits.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, PROCESSES = 64 };

static const char magic[] = "verisoft-sss ";

/* What is read, and where. */
struct reader {
    struct space *space;
    const char   *name;
    const char   *at, *end;              /* of the line */
    uint32_t      line, last_line;       /* last_line: the one with the largest state */
    struct texts *texts;
    uint32_t      room, note_room;
    bool          body;                  /* past the lines `name: value` */
    bool          over;                  /* `end:` was read */
    struct err   *err;
};

static int bad(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int bad(struct reader *r, const char *format, ...)
{
    char words[512];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    return fail(r->err, "%s:%u: %s", r->name, r->line, words);
}

/* ---- parts of a line ---- */

static bool take(struct reader *r, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length))
        return false;
    r->at += length;
    return true;
}

static bool take_number(struct reader *r, uint32_t *number)
{
    uint64_t value = 0;
    const char *first = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && value < UINT32_MAX)
        value = 10 * value + (uint64_t)(*r->at++ - '0');
    *number = (uint32_t)value;
    return r->at > first && value < UINT32_MAX;          /* one less: states are counted, too */
}

static char *copy(const char *from, const char *to)
{
    char *text = memory_get((size_t)(to - from) + 1);
    memcpy(text, from, (size_t)(to - from));
    return text;
}

/* ---- lines ---- */

static void see_state(struct reader *r, uint32_t state)
{
    if (state < r->space->states)
        return;
    r->space->states = state + 1;
    r->last_line = r->line;
}

static int read_process(struct reader *r, uint32_t *process)
{
    if (!take_number(r, process) || !*process || *process > PROCESSES)
        return bad(r, "a process is a number from 1 to %d", PROCESSES);
    return 0;
}

static int read_transition(struct reader *r)
{
    struct space *s = r->space;
    struct space_transition t;
    if (!take_number(r, &t.from) || !take(r, " ") || !take_number(r, &t.to) || !take(r, " "))
        return bad(r, "a transition begins with the numbers of two states");
    int rc = read_process(r, &t.process);
    if (rc)
        return rc;
    if (!take(r, " ") || r->at == r->end)
        return bad(r, "an operation is missing");
    t.label = texts_number_of(r->texts, r->at, (size_t)(r->end - r->at)) - 1;
    see_state(r, t.from);
    see_state(r, t.to);
    ARRAY_GROW(s->transitions, s->count, r->room);
    s->transitions[s->count++] = t;
    return 0;
}

static int read_note(struct reader *r)
{
    struct space *s = r->space;
    struct space_note note = { 0 };
    static const char by[] = ", process ";
    if (!take_number(r, &note.state) || !take(r, ": ") || r->at == r->end)
        return bad(r, "a note is `state NUMBER: WHAT`");
    const char *what = r->at, *comma = memmem(what, (size_t)(r->end - what), by, sizeof by - 1);
    r->at = comma ? comma + sizeof by - 1 : r->end;
    int rc = comma ? read_process(r, &note.process) : 0;
    if (!rc && r->at < r->end)
        rc = bad(r, "a note is `state NUMBER: WHAT, process PROCESS`");
    if (rc)
        return rc;
    note.what = copy(what, comma ? comma : r->end);
    see_state(r, note.state);
    ARRAY_GROW(s->notes, s->note_count, r->note_room);
    s->notes[s->note_count++] = note;
    return 0;
}

static void keep(struct reader *r, char **where)
{
    free(*where);
    *where = copy(r->at, r->end);
}

static int read_about(struct reader *r)
{
    if (take(r, "program: "))
        keep(r, &r->space->program);
    else if (take(r, "search: "))
        keep(r, &r->space->search);
    else if (take(r, "reduction: "))
        keep(r, &r->space->reduction);
    else if (!memmem(r->at, (size_t)(r->end - r->at), ": ", 2))
        return bad(r, "neither a transition, nor a note, nor `name: value`");
    return 0;
}

static int read_first(struct reader *r)
{
    uint32_t version;
    if (!take(r, magic))
        return bad(r, "not a state-space file: it does not begin with \"%s%d\"", magic, VERSION);
    if (!take_number(r, &version) || r->at < r->end)
        return bad(r, "the version of the format is not a number");
    return version == VERSION ? 0 : bad(r, "version %u of the format; this command reads version %d", version, VERSION);
}

static int read_line(struct reader *r)
{
    if (memchr(r->at, '\0', (size_t)(r->end - r->at)))
        return bad(r, "a byte 0, which is no text");
    if (r->line == 1)
        return read_first(r);
    if (r->over)
        return bad(r, "more behind the last line");
    if (*r->at >= '0' && *r->at <= '9' && r->at < r->end) {
        r->body = true;
        return read_transition(r);
    }
    if (take(r, "state "))
        return read_note(r);
    if (take(r, "end: ")) {
        r->over = true;
        r->space->complete = take(r, "complete") && r->at == r->end;
        return 0;
    }
    return r->body ? bad(r, "neither a transition nor a note") : read_about(r);
}

/* ---- the whole ---- */

/* A last line without its end was being written when the search was killed, and does not count. */
static int read_lines(struct reader *r, const char *bytes, size_t length)
{
    const char *end = bytes + length, *newline = NULL;
    for (const char *line = bytes; line < end; line = newline + 1) {
        r->line++;
        newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline)
            break;
        r->at = line;
        r->end = newline > line && newline[-1] == '\r' ? newline - 1 : newline;
        int rc = read_line(r);
        if (rc)
            return rc;
    }
    if (r->line == 0 || (r->line == 1 && !newline))
        return fail(r->err, "%s:1: not a state-space file: its first line is missing", r->name);
    return 0;
}

static void take_labels(struct space *s, struct texts *texts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->transitions[i].label >= count)
            count = s->transitions[i].label + 1;
    s->labels = memory_get((count + 1) * sizeof *s->labels);
    s->label_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const char *text = texts_string(texts, i + 1);           /* number 0 is the empty string */
        s->labels[i] = copy(text, text + strlen(text));
    }
}

/* Memory stays in proportion to the file. */
static int check_states(struct reader *r)
{
    uint64_t most = 2 * (uint64_t)r->space->count + r->space->note_count;
    if (!r->space->states)
        r->space->states = 1;                    /* the search began, and did not get on */
    if (r->space->states > most + 1)
        return fail(r->err, "%s:%u: state %u, but there are lines for %llu states at most", r->name, r->last_line,
                    r->space->states - 1, (unsigned long long)most);
    return 0;
}

int space_parse(struct space *s, const char *bytes, size_t length, const char *name, struct err *err)
{
    struct reader r = { .space = s, .name = name, .texts = texts_new(), .err = err };
    *s = (struct space){ 0 };
    int rc = read_lines(&r, bytes, length);
    if (!rc)
        rc = check_states(&r);
    if (rc)
        space_fini(s);
    else
        take_labels(s, r.texts);
    texts_free(r.texts);
    return rc;
}

static char *read_whole(FILE *file, size_t *length)
{
    enum { PIECE = 1 << 20 };
    char *bytes = NULL;
    size_t room = 0, got;
    *length = 0;
    do {
        if (room - *length < PIECE) {
            room = 2 * room + PIECE;
            bytes = memory_resize(bytes, room);
        }
        got = fread(bytes + *length, 1, room - *length, file);
        *length += got;
    } while (got);
    return bytes;
}

int space_read(struct space *s, const char *file, struct err *err)
{
    size_t length;
    *s = (struct space){ 0 };
    FILE *in = file_open(file, "the state space", err);
    if (!in)
        return -EINVAL;
    char *bytes = read_whole(in, &length);
    int rc = ferror(in) ? fail_errno(err, "%s: the state space cannot be read", file)
                        : space_parse(s, bytes, length, file, err);
    fclose(in);
    free(bytes);
    return rc;
}

void space_fini(struct space *s)
{
    for (uint32_t i = 0; i < s->label_count; i++)
        free(s->labels[i]);
    for (uint32_t i = 0; i < s->note_count; i++)
        free(s->notes[i].what);
    free(s->labels);
    free(s->notes);
    free(s->transitions);
    free(s->program);
    free(s->search);
    free(s->reduction);
    *s = (struct space){ 0 };
}

/* ---- the way to a state ---- */

enum { NO_WAY = UINT32_MAX, BEGINNING = UINT32_MAX - 1 };

/* Transitions by the state they leave: those of state i are order[first[i]] to before order[first[i + 1]]. */
struct leaving { uint32_t *first, *order; };

static void sort_leaving(const struct space *s, struct leaving *l)
{
    l->first = memory_get(((size_t)s->states + 2) * sizeof *l->first);
    l->order = memory_get(((size_t)s->count + 1) * sizeof *l->order);
    for (uint32_t i = 0; i < s->count; i++)
        l->first[s->transitions[i].from + 2]++;
    for (uint32_t i = 2; i < s->states + 2; i++)
        l->first[i] += l->first[i - 1];
    for (uint32_t i = 0; i < s->count; i++)
        l->order[l->first[s->transitions[i].from + 1]++] = i;
}

/* Gives how many states the search began in. */
static uint32_t begin(const struct space *s, uint32_t *by, uint32_t *queue)
{
    uint32_t count = 0;
    bool walks = s->search && !strcmp(s->search, "random");
    for (uint32_t i = 0; i < s->states; i++)
        by[i] = walks ? BEGINNING : NO_WAY;
    for (uint32_t i = 0; i < s->count; i++)
        by[s->transitions[i].to] = NO_WAY;
    by[0] = BEGINNING;
    for (uint32_t i = 0; i < s->states; i++)
        if (by[i] == BEGINNING)
            queue[count++] = i;
    return count;
}

/* Breadth first; by[i] becomes the transition by which state i is reached first. */
static void spread(const struct space *s, const struct leaving *l, uint32_t *by)
{
    uint32_t *queue = memory_get((size_t)s->states * sizeof *queue);
    uint32_t last = begin(s, by, queue);
    for (uint32_t i = 0; i < last; i++)
        for (uint32_t k = l->first[queue[i]]; k < l->first[queue[i] + 1]; k++) {
            uint32_t to = s->transitions[l->order[k]].to;
            if (by[to] != NO_WAY)
                continue;
            by[to] = l->order[k];
            queue[last++] = to;
        }
    free(queue);
}

static uint32_t *collect(const struct space *s, const uint32_t *by, uint32_t state, uint32_t *count)
{
    uint32_t length = 0;
    for (uint32_t i = state; by[i] != BEGINNING; i = s->transitions[by[i]].from)
        length++;
    uint32_t *way = memory_get(((size_t)length + 1) * sizeof *way);
    *count = length;
    for (uint32_t i = state; by[i] != BEGINNING; i = s->transitions[by[i]].from)
        way[--length] = by[i];
    return way;
}

uint32_t *space_way(const struct space *s, uint32_t state, uint32_t *count, struct err *err)
{
    struct leaving leaving;
    uint32_t *way = NULL;
    *count = 0;
    if (state >= s->states) {
        fail(err, "no state %u; the state space has states 0 to %u", state, s->states ? s->states - 1 : 0);
        return NULL;
    }
    uint32_t *by = memory_get((size_t)s->states * sizeof *by);
    sort_leaving(s, &leaving);
    spread(s, &leaving, by);
    if (by[state] == NO_WAY)
        fail(err, "no transition of the state space leads from its beginning to state %u", state);
    else
        way = collect(s, by, state, count);
    free(leaving.first);
    free(leaving.order);
    free(by);
    return way;
}

/* ---- where a scenario leads ---- */

enum { NOWHERE = UINT32_MAX };

static uint32_t next_state(const struct space *s, const struct leaving *l, uint32_t state, const struct space_step *step)
{
    for (uint32_t k = l->first[state]; k < l->first[state + 1]; k++) {
        const struct space_transition *t = &s->transitions[l->order[k]];
        if (t->process == step->process && !strcmp(s->labels[t->label], step->label))
            return t->to;
    }
    return NOWHERE;
}

int64_t space_position(const struct space *s, const struct space_step *steps, uint32_t count, uint32_t state)
{
    struct leaving leaving;
    uint32_t *by = memory_get((size_t)s->states * sizeof *by), *starts = memory_get((size_t)s->states * sizeof *starts);
    uint32_t start_count = begin(s, by, starts);
    int64_t found = -1;
    sort_leaving(s, &leaving);
    for (uint32_t i = 0; i < start_count && found < 0; i++) {
        uint32_t at = starts[i], done = 0;
        while (at != state && at != NOWHERE && done < count)
            at = next_state(s, &leaving, at, &steps[done++]);
        if (at == state)
            found = done;
    }
    free(leaving.first);
    free(leaving.order);
    free(starts);
    free(by);
    return found;
}

/* ---- labels ---- */

int space_match(const struct space *s, const char *pattern, bool *matching, struct err *err)
{
    regex_t expression;
    char words[256];
    bool all = !strcmp(pattern, "*");
    int wrong = all ? 0 : regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB);
    if (wrong) {
        regerror(wrong, &expression, words, sizeof words);
        return fail(err, "\"%s\" is not a regular expression: %s", pattern, words);
    }
    for (uint32_t i = 0; i < s->label_count; i++)
        matching[i] = all || !regexec(&expression, s->labels[i], 0, NULL, 0);
    if (!all)
        regfree(&expression);
    return 0;
}
