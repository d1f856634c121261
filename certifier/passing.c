/* SPDX-License-Identifier: MIT */
#include "certifier/passing.h"

#include <stdlib.h>

/* An entry that is not BACK is a label and where it leads, in one to three words. */
enum { NEW = 0, OLD = 1, FAR = 2, WAYS = 4, NEAR_BITS = 32 };    /* to the next new state; to one whose number follows, in one word or in two */
#define NEXT_LABEL UINT32_MAX
#define END        (UINT32_MAX - 1)
_Static_assert((MOST_LABELS + UINT64_C(1)) * WAYS < END, "a label and a way are one word");

static void put_labels(struct passing *p, const struct labels *all)
{
    for (; p->told < all->count; p->told++) {
        beside_put(p->line, NEXT_LABEL);
        beside_put(p->line, (uint32_t)all->all[p->told].process);
        beside_put_text(p->line, all->all[p->told].operation);
        beside_put_text(p->line, all->all[p->told].outcome);
    }
}

void passing_put(struct passing *p, const struct labels *all, uint32_t label, uint64_t to)
{
    if (label == BACK) {
        beside_put(p->line, BACK);
        return;
    }
    if (label > p->told)
        put_labels(p, all);
    uint32_t way = to == p->next ? NEW : to >> NEAR_BITS ? FAR : OLD;
    p->next += way == NEW;
    beside_put(p->line, label * WAYS + way);
    if (way == OLD)
        beside_put(p->line, (uint32_t)to);
    else if (way == FAR)
        beside_put_long(p->line, to);
}

void passing_put_end(struct passing *p) { beside_put(p->line, END); }

static bool get_label(struct passing *p, struct labels *all)
{
    uint32_t process;
    char *operation = beside_get(p->line, &process) ? beside_get_text(p->line) : NULL;
    char *outcome = operation ? beside_get_text(p->line) : NULL;
    bool well = outcome && labels_add(all, (int)process, operation, outcome);
    free(operation);
    free(outcome);
    p->told++;
    return well;
}

static bool get_state(struct passing *p, uint32_t way, uint64_t *to)
{
    uint32_t near;
    if (way == FAR)
        return beside_get_long(p->line, to);
    if (way == OLD && !beside_get(p->line, &near))
        return false;
    *to = way == OLD ? near : p->next++;
    return true;
}

int passing_get(struct passing *p, struct labels *all, uint32_t *label, uint64_t *to)
{
    uint32_t word;
    while (beside_get(p->line, &word)) {
        if (word == END)
            return 0;
        if (word == NEXT_LABEL) {
            if (!get_label(p, all))
                return -1;
            continue;
        }
        *label = word / WAYS;
        return word == BACK || get_state(p, word % WAYS, to) ? 1 : -1;
    }
    return -1;
}
