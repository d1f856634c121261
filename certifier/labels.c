/* SPDX-License-Identifier: MIT */
#include "certifier/labels.h"

#include "base/memory.h"
#include "objects/types.h"
#include "base/prose.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

void labels_fini(struct labels *l)
{
    for (uint32_t i = 0; i < l->count; i++) {
        free(l->all[i].operation);
        free(l->all[i].outcome);
    }
    free(l->all);
    free(l->slots);
    *l = (struct labels){ 0 };
}

static uint64_t hash(int process, const char *operation, const char *outcome)
{
    return XXH3_64bits_withSeed(operation, strlen(operation), XXH3_64bits_withSeed(outcome, strlen(outcome), (uint64_t)process));
}

static uint32_t *slot_of(const struct labels *l, int process, const char *operation, const char *outcome)
{
    uint32_t at = (uint32_t)hash(process, operation, outcome) & l->mask;
    for (; l->slots[at]; at = (at + 1) & l->mask) {
        const struct script_label *one = labels_get(l, l->slots[at]);
        if (one->process == process && !strcmp(one->operation, operation) && !strcmp(one->outcome, outcome))
            break;
    }
    return &l->slots[at];
}

uint32_t labels_find(const struct labels *l, int process, const char *operation, const char *outcome)
{
    return l->slots ? *slot_of(l, process, operation, outcome) : 0;
}

static void make_slots(struct labels *l)
{
    enum { FIRST = 256 };
    free(l->slots);
    l->mask = l->mask ? 2 * l->mask + 1 : FIRST - 1;
    l->slots = memory_get(((size_t)l->mask + 1) * sizeof *l->slots);
    for (uint32_t i = 0; i < l->count; i++)
        *slot_of(l, l->all[i].process, l->all[i].operation, l->all[i].outcome) = i + 1;
}

uint32_t labels_add(struct labels *l, int process, const char *operation, const char *outcome)
{
    l->bytes += strlen(operation) + strlen(outcome);
    if (l->count == MOST_LABELS || l->bytes > MOST_LABEL_TEXT)
        return 0;
    if (l->count >= l->mask / 2)
        make_slots(l);
    ARRAY_GROW(l->all, l->count, l->room);
    uint32_t *slot = slot_of(l, process, operation, outcome);
    l->all[l->count++] = (struct script_label){ process, memory_text(operation), memory_text(outcome) };
    return *slot = l->count;
}

/* ---- words ---- */

char *labels_operation(const struct system *s, const struct op *op)
{
    char name[256], *out = NULL;
    system_object_name(s, op, name, sizeof name);
    PRINT_WHOLE(out, types_print(op, name, s->texts, out, room));
    prose_one_line(out);
    return out;
}

char *labels_outcome(const struct system *s, const struct op *op, uint32_t result)
{
    char *out = NULL;
    PRINT_WHOLE(out, types_print_result(op, result, s->texts, out, room));
    prose_one_line(out);
    return out;
}
