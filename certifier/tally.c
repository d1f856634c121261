/* SPDX-License-Identifier: MIT */
#include "certifier/tally.h"

#include "base/memory.h"
#include "base/prose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* That are read of each run, while they are merged: a part of it, so many at most; of one whose file is opened for it. */
enum { AHEAD_PART = 8, AHEAD = 1 << 6, AHEAD_ELSEWHERE = 1 << 10 };

struct print { uint64_t words[2]; };
struct pile {
    char        *name;               /* of its file; NULL: it stands in the spool */
    uint64_t     at, left;           /* where in it, and how many are not read */
    uint32_t     next, filled, ahead;
    struct print prints[];
};

struct tally {
    struct print *prints;
    uint32_t      count, room, at_a_time;
    FILE         *spool;             /* NULL: none was needed yet. Blocks of `at_a_time`, and a last one */
    uint64_t      spooled;           /* fingerprints */
    struct pile  **runs;              /* while they are merged a heap, the one with the lowest print first */
    uint32_t      run_count, run_room;
    bool          failed;
};

struct tally *tally_new(uint64_t expected)
{
    enum { PART = 8 };
    struct tally *t = memory_get(sizeof *t);
    t->at_a_time = expected / PART < TALLY_FEWEST ? TALLY_FEWEST : expected / PART > TALLY_MOST ? TALLY_MOST : (uint32_t)(expected / PART);
    return t;
}

uint32_t tally_at_a_time(const struct tally *t) { return t->at_a_time; }

void tally_free(struct tally *t)
{
    if (!t)
        return;
    for (uint32_t i = 0; i < t->run_count; i++) {
        free(t->runs[i]->name);
        free(t->runs[i]);
    }
    if (t->spool)
        fclose(t->spool);
    free(t->runs);
    free(t->prints);
    free(t);
}

static int compare(const void *a, const void *b)
{
    const struct print *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->words[i] != y->words[i])
            return x->words[i] < y->words[i] ? -1 : 1;
    return 0;
}

static void add_run(struct tally *t, char *name, uint64_t at, uint64_t count)    /* takes the name */
{
    uint32_t ahead = name ? AHEAD_ELSEWHERE : t->at_a_time / AHEAD_PART + 1 < AHEAD ? t->at_a_time / AHEAD_PART + 1 : AHEAD;
    struct pile *run = memory_get(sizeof *run + ahead * sizeof *run->prints);
    run->ahead = ahead;
    run->name = name;
    run->at = at;
    run->left = count;
    ARRAY_GROW(t->runs, t->run_count, t->run_room);
    t->runs[t->run_count++] = run;
}

/* Fingerprints are as if by chance: those that begin alike are few. */
static void sort(struct print *prints, uint32_t count)
{
    enum { BITS = 11 };
    uint32_t ends[1 << BITS] = { 0 }, begin = 0;
    struct print *sorted = memory_get(count * sizeof *sorted);
    for (uint32_t i = 0; i < count; i++)
        ends[prints[i].words[0] >> (64 - BITS)]++;
    for (uint32_t i = 0, end = 0; i < 1 << BITS; i++, end = ends[i - 1])
        ends[i] += end;
    for (uint32_t i = count; i-- > 0;)           /* from the end of each, down to its beginning */
        sorted[--ends[prints[i].words[0] >> (64 - BITS)]] = prints[i];
    for (uint32_t i = 1; i <= 1 << BITS; i++) {
        uint32_t end = i < 1 << BITS ? ends[i] : count;
        qsort(sorted + begin, end - begin, sizeof *sorted, compare);
        begin = end;
    }
    memcpy(prints, sorted, count * sizeof *sorted);
    free(sorted);
}

/* What is in memory, behind what was written. */
static void write_block(struct tally *t)
{
    if (!t->spool)
        t->spool = tmpfile();
    t->failed |= !t->spool || fwrite(t->prints, sizeof *t->prints, t->count, t->spool) != t->count;
    t->spooled += t->count;
    t->count = 0;
}

/* Into memory. False: there is none, or it cannot be read. */
static bool read_block(struct tally *t, uint64_t at)
{
    uint64_t left = t->spooled - at;
    if (at >= t->spooled || t->failed)
        return false;
    t->count = left < t->at_a_time ? (uint32_t)left : t->at_a_time;
    t->failed = fseeko(t->spool, (off_t)(at * sizeof *t->prints), SEEK_SET) || fread(t->prints, sizeof *t->prints, t->count, t->spool) != t->count;
    return !t->failed;
}

static int failed(const struct tally *t, struct err *err)
{
    return t->failed ? fail_errno(err, "fingerprints could not be written to a temporary file, or read from one") : 0;
}

void tally_add(struct tally *t, const uint64_t fingerprint[2])
{
    if (t->count == t->at_a_time)
        write_block(t);
    ARRAY_GROW(t->prints, t->count, t->room);
    t->prints[t->count++] = (struct print){ { fingerprint[0], fingerprint[1] } };
}

int tally_each(struct tally *t, void (*each)(void *, const uint64_t [2]), void *arg, struct err *err)
{
    if (t->spooled)
        write_block(t);              /* only what is short enough is gone through where it is */
    for (uint32_t i = 0; !t->spooled && i < t->count; i++)
        each(arg, t->prints[i].words);
    for (uint64_t at = 0; read_block(t, at); at += t->count)
        for (uint32_t i = 0; i < t->count; i++)
            each(arg, t->prints[i].words);
    if (t->spooled) {
        t->count = 0;
        t->failed |= fseeko(t->spool, 0, SEEK_END) != 0;         /* more may be added */
    }
    return failed(t, err);
}

/* Each block, sorted, is a run. */
static void make_runs(struct tally *t)
{
    if (t->count)
        write_block(t);
    for (uint64_t at = 0; read_block(t, at); at += t->count) {
        sort(t->prints, t->count);
        t->failed |= fseeko(t->spool, (off_t)(at * sizeof *t->prints), SEEK_SET) || fwrite(t->prints, sizeof *t->prints, t->count, t->spool) != t->count;
        add_run(t, NULL, at * sizeof *t->prints, t->count);
    }
    t->failed |= t->spool && fflush(t->spool);
    t->count = 0;
}

void tally_add_run(struct tally *t, const char *file, uint64_t at, uint64_t count) { add_run(t, memory_text(file), at, count); }

/* ---- merging ---- */

static bool read_ahead(FILE *file, struct pile *run)     /* past the stream's own buffer, which is for one place */
{
    size_t bytes = run->filled * sizeof *run->prints;
    return file && pread(fileno(file), run->prints, bytes, (off_t)run->at) == (ssize_t)bytes;
}

/* The run has a next one. False: it is empty. */
static bool refill(struct tally *t, struct pile *run)
{
    if (run->next < run->filled)
        return true;
    run->filled = run->left < run->ahead ? (uint32_t)run->left : run->ahead;
    run->next = 0;
    if (!run->filled)
        return false;
    FILE *file = run->name ? fopen(run->name, "re") : t->spool;
    bool well = read_ahead(file, run);
    if (run->name && file)
        fclose(file);
    t->failed |= !well;
    if (!well)
        return false;
    run->at += run->filled * sizeof *run->prints;
    run->left -= run->filled;
    return true;
}

static bool lower(const struct pile *a, const struct pile *b) { return compare(&a->prints[a->next], &b->prints[b->next]) < 0; }

static void sink(struct pile **heap, uint32_t count, uint32_t i)
{
    for (uint32_t child; (child = 2 * i + 1) < count; i = child) {
        child += child + 1 < count && lower(heap[child + 1], heap[child]);
        if (!lower(heap[child], heap[i]))
            return;
        struct pile *moved = heap[i];
        heap[i] = heap[child];
        heap[child] = moved;
    }
}

/* An empty run goes behind the others, which count one less. */
static void retire(struct pile **heap, uint32_t *count, uint32_t i)
{
    struct pile *empty = heap[i];
    heap[i] = heap[--*count];
    heap[*count] = empty;
}

int tally_end(struct tally *t, FILE *out, uint64_t *different, struct err *err)
{
    struct print last = { { 0 } };
    uint32_t count;
    make_runs(t);
    count = t->run_count;
    for (uint32_t i = 0; i < count;)
        if (refill(t, t->runs[i]))
            i++;
        else
            retire(t->runs, &count, i);
    for (uint32_t i = count; i-- > 0;)
        sink(t->runs, count, i);
    for (*different = 0; count && !t->failed; sink(t->runs, count, 0)) {
        struct pile *first = t->runs[0];
        const struct print *print = &first->prints[first->next++];
        if (!*different || compare(print, &last)) {
            last = *print;
            ++*different;
            t->failed |= out && fwrite(print, sizeof *print, 1, out) != 1;
        }
        if (!refill(t, first))
            retire(t->runs, &count, 0);
    }
    return failed(t, err);
}

static void add_copy(void *copy, const uint64_t fingerprint[2]) { tally_add(copy, fingerprint); }

int tally_all_differ(struct tally *t, bool *differ, struct err *err)
{
    uint64_t all = t->spooled + t->count, different = 0;
    struct tally *copy = tally_new(0);
    copy->at_a_time = t->at_a_time;
    int rc = tally_each(t, add_copy, copy, err);
    if (!rc)
        rc = tally_end(copy, NULL, &different, err);
    tally_free(copy);
    *differ = different == all;
    return rc;
}
