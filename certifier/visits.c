/* SPDX-License-Identifier: MIT */
#include "certifier/visits.h"

#include "base/memory.h"
#include "certifier/spool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct print { uint64_t words[2]; };
struct sighting { struct print print; uint64_t first; };         /* of a state: its first visit, plus 1; 0: free */

struct visits {
    FILE         *prints, *numbers;
    uint64_t      count;
    bool          failed;
    uint64_t     *states;            /* mapped from `numbers`: of each visit the state, times 2, plus 1 if it was there before */
    struct sighting *sightings;      /* while they are compared */
    uint64_t      mask, used;
};

struct visits *visits_new(const char *near)
{
    struct visits *v = memory_get(sizeof *v);
    v->prints = spool_open(near);
    v->numbers = v->prints ? spool_open(near) : NULL;
    if (v->numbers)
        return v;
    int because = errno;
    visits_free(v);
    errno = because;
    return NULL;
}

void visits_free(struct visits *v)
{
    if (!v)
        return;
    if (v->states)
        munmap(v->states, v->count * sizeof *v->states);
    if (v->prints)
        fclose(v->prints);
    if (v->numbers)
        fclose(v->numbers);
    free(v->sightings);
    free(v);
}

void visits_add(struct visits *v, const uint64_t fingerprint[2])
{
    assert(!v->states);
    v->failed |= fwrite(fingerprint, sizeof(struct print), 1, v->prints) != 1;
    v->count++;
}

/* ---- comparing ---- */

static int map_numbers(struct visits *v)
{
    size_t bytes = v->count * sizeof *v->states;
    int rc = posix_fallocate(fileno(v->numbers), 0, (off_t)bytes);       /* or there would be a signal when the disk is full */
    if (rc)
        return rc;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(v->numbers), 0);
    if (at == MAP_FAILED)
        return errno;
    v->states = at;
    return 0;
}

/* The first visit of the state with that fingerprint: this one, if there was none. */
static uint64_t first_visit(struct visits *v, const struct print *print, uint64_t visit)
{
    uint64_t at = print->words[1] & v->mask;
    while (v->sightings[at].first && (v->sightings[at].print.words[0] != print->words[0] || v->sightings[at].print.words[1] != print->words[1]))
        at = (at + 1) & v->mask;
    if (!v->sightings[at].first) {
        assert(v->used < v->mask);
        v->used++;
        v->sightings[at] = (struct sighting){ *print, visit + 1 };
    }
    assert(v->sightings[at].first <= visit + 1);
    return v->sightings[at].first - 1;
}

/* Room for twice as many as a turn has on average. */
static void make_sightings(struct visits *v, uint64_t turns)
{
    v->mask = 1023;
    while (v->mask < 2 * (v->count / turns + 1))
        v->mask = 2 * v->mask + 1;
    v->sightings = memory_get((v->mask + 1) * sizeof *v->sightings);
    v->used = 0;
}

/* Those whose fingerprint belongs to this turn. */
static void compare(struct visits *v, uint64_t turn, uint64_t turns)
{
    struct print print;
    make_sightings(v, turns);
    v->failed |= fseeko(v->prints, 0, SEEK_SET) != 0;
    for (uint64_t i = 0; i < v->count && !v->failed; i++) {
        v->failed = fread(&print, sizeof print, 1, v->prints) != 1;
        if (!v->failed && print.words[0] % turns == turn)
            v->states[i] = first_visit(v, &print, i);
    }
    free(v->sightings);
    v->sightings = NULL;
}

/* So far it is the first visit that stands at each. It comes before the others, so its state has a number when theirs is asked for. */
static void number(struct visits *v)
{
    uint64_t next = 0;
    for (uint64_t i = 0; i < v->count; i++)
        v->states[i] = v->states[i] == i ? 2 * next++ : v->states[v->states[i]] | 1;
}

int visits_compare(struct visits *v, struct err *err)
{
    uint64_t turns = v->count / VISITS_AT_A_TIME + 1;
    int rc = v->count ? map_numbers(v) : 0;
    for (uint64_t turn = 0; turn < turns && v->count && !rc; turn++)
        compare(v, turn, turns);
    if (rc || v->failed) {
        errno = rc ? rc : errno ? errno : EIO;
        return fail_errno(err, "the states that were entered several times could not be compared in a temporary file");
    }
    number(v);
    return 0;
}

uint64_t visits_state(const struct visits *v, uint64_t visit) { return v->states[visit] / 2; }
bool     visits_again(const struct visits *v, uint64_t visit) { return v->states[visit] & 1; }
