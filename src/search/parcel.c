/* SPDX-License-Identifier: MIT */
#include "search/parcel.h"

#include "base/memory.h"
#include "base/prose.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

#define MARK UINT64_C(0x31206f7574706f73)        /* the first word: raise it when what is in a parcel changes */

void parcel_put(struct parcel *l, uint64_t word)
{
    if (!l->count) {
        ARRAY_GROW(l->words, l->count, l->room);
        l->words[l->count++] = MARK;
    }
    ARRAY_GROW(l->words, l->count, l->room);
    l->words[l->count++] = word;
}

static uint64_t sum_of(const struct parcel *l, uint32_t count) { return XXH3_64bits(l->words, count * sizeof *l->words); }

void parcel_seal(struct parcel *l)
{
    assert(l->count);                /* there is something in it */
    parcel_put(l, sum_of(l, l->count));
}

bool parcel_open(struct parcel *l)
{
    assert(!l->count || l->words);
    l->torn = l->count < 2 || l->words[0] != MARK || l->words[l->count - 1] != sum_of(l, l->count - 1);
    l->at = 1;
    l->count -= l->torn ? 0 : 1;
    return !l->torn;
}

uint64_t parcel_get(struct parcel *l)
{
    l->torn |= l->at >= l->count;
    return l->torn ? 0 : l->words[l->at++];
}

uint32_t parcel_count(struct parcel *l)
{
    uint64_t count = parcel_get(l);
    l->torn |= count > l->count - l->at;
    assert(l->torn || l->at <= l->count);        /* nothing is read beyond the end */
    return l->torn ? 0 : (uint32_t)count;
}

int parcel_store(const char *file, const uint64_t *words, uint32_t count, struct err *err)
{
    char *part = prose_make("%s.part", file);
    FILE *to = fopen(part, "we");
    bool fine = to && fwrite(words, sizeof *words, count, to) == count;
    fine = to && !fclose(to) && fine && !rename(part, file);
    int bad = fine ? 0 : fail_errno(err, "%s cannot be written", file);
    if (bad)
        unlink(part);
    free(part);
    return bad;
}

bool parcel_load(const char *file, struct parcel *l)
{
    FILE *in = fopen(file, "re");
    uint64_t word;
    *l = (struct parcel){ 0 };
    while (in && l->count < UINT32_MAX && fread(&word, sizeof word, 1, in) == 1) {
        ARRAY_GROW(l->words, l->count, l->room);
        l->words[l->count++] = word;
    }
    if (in)
        fclose(in);
    return in != NULL;
}

void parcel_fini(struct parcel *l)
{
    free(l->words);
    *l = (struct parcel){ 0 };
}
