/* What a copy tells (aside.h), in a file without a name: a struct letter, and then the arrays that it counts. Both ends are one program, so they are as they
 * are in memory. Invariant: what cannot be read to its end is not used.
 * SPDX-License-Identifier: MIT */
#include "search/aside_internal.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static bool write_all(int file, const void *bytes, size_t size)
{
    for (const char *at = bytes; size;) {
        ssize_t done = write(file, at, size);
        if (done <= 0 && errno != EINTR)
            return false;
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

bool aside_write_letter(int file, struct letter l, const struct told *t)
{
    const struct insertions *q = &t->sequences;
    uint32_t *chosen = memory_get((t->record_count + 1) * sizeof *chosen);
    l.records = aside_choose_records(t, chosen);
    l.sequences = q->sequences.count;
    l.moves = q->moves.count;
    l.steps = q->step_count;
    l.clocks = q->clock_count;
    l.entries = t->entry_count;
    l.witnesses = t->witness_count;
    l.walked = t->walked_count;
    bool fine = write_all(file, &l, sizeof l) && write_all(file, q->all, l.sequences * sizeof *q->all)
             && write_all(file, q->of, l.moves * sizeof *q->of) && write_all(file, q->steps, l.steps * sizeof *q->steps) && write_all(file, q->clocks, l.clocks * sizeof *q->clocks)
             && write_all(file, t->entries, l.entries * sizeof *t->entries)
             && write_all(file, t->witnesses, l.witnesses * sizeof *t->witnesses) && write_all(file, t->walked, l.walked * sizeof *t->walked);
    for (uint32_t i = 0; i < l.records && fine; i++)
        fine = write_all(file, &t->records[chosen[i]], sizeof *t->records);
    free(chosen);
    return fine;
}

static bool read_all(int file, void **to, size_t size)
{
    *to = size ? memory_get(size) : NULL;
    for (char *at = *to; size;) {
        ssize_t done = read(file, at, size);
        if (done <= 0 && errno != EINTR)
            return false;
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

bool aside_read_letter(int file, struct letter *l, struct told *t)
{
    void *head = NULL;
    *t = (struct told){ 0 };
    bool fine = lseek(file, 0, SEEK_SET) == 0 && read_all(file, &head, sizeof *l);
    if (fine) {
        struct insertions *q = &t->sequences;
        *l = *(struct letter *)head;
        q->sequences.count = l->sequences;
        q->moves.count = l->moves;
        t->record_count = l->records;
        t->witness_count = l->witnesses;
        fine = read_all(file, (void **)&q->all, l->sequences * sizeof *q->all) && read_all(file, (void **)&q->of, l->moves * sizeof *q->of)
            && read_all(file, (void **)&q->steps, l->steps * sizeof *q->steps) && read_all(file, (void **)&q->clocks, l->clocks * sizeof *q->clocks)
            && read_all(file, (void **)&t->entries, l->entries * sizeof *t->entries)
            && read_all(file, (void **)&t->witnesses, l->witnesses * sizeof *t->witnesses) && read_all(file, (void **)&t->walked, l->walked * sizeof *t->walked)
            && read_all(file, (void **)&t->records, l->records * sizeof *t->records);
    }
    free(head);
    return fine;
}
