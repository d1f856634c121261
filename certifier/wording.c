/* SPDX-License-Identifier: MIT */
#include "certifier/wording.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void wording_fini(struct wording *w)
{
    free(w->met);
    for (int p = 0; p < MAX_PROCESSES; p++)
        free(w->last[p]);
    *w = (struct wording){ 0 };
}

static struct met *met_of(const struct wording *w, uint32_t process, uint32_t node, uint32_t result)
{
    uint64_t key = ((uint64_t)process << 58 ^ (uint64_t)node << 32 ^ result) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(key >> 32) & w->mask;
    for (; w->met[at].label; at = (at + 1) & w->mask)
        if (w->met[at].process == process && w->met[at].node == node && w->met[at].result == result)
            break;
    return &w->met[at];
}

static void make_room(struct wording *w)
{
    enum { FIRST = 1024 };
    struct met *old = w->met;
    uint32_t count = old ? w->mask + 1 : 0;
    if (old && w->count < count / 2)
        return;
    w->mask = old ? 2 * w->mask + 1 : FIRST - 1;
    w->met = memory_get(((size_t)w->mask + 1) * sizeof *w->met);
    for (uint32_t i = 0; i < count; i++)
        if (old[i].label)
            *met_of(w, old[i].process, old[i].node, old[i].result) = old[i];
    free(old);
}

static uint32_t label_of(const struct system *s, struct labels *labels, enum unworded unworded, uint32_t process, uint32_t node,
                         uint32_t result)
{
    const struct op *op = &s->graphs[process].nodes[node].op;
    char *operation = labels_operation(s, op), *outcome = labels_outcome(s, op, result);
    uint32_t label = labels_find(labels, (int)process, operation, outcome);
    if (!label && unworded == UNWORDED_ADD)
        label = labels_add(labels, (int)process, operation, outcome);
    free(operation);
    free(outcome);
    return label;
}

static void note_last(struct wording *w, const struct met *met)
{
    uint32_t *room = &w->room[met->process];
    struct worded **last = &w->last[met->process];
    while (met->node >= *room) {
        uint32_t more = memory_more(*room);
        *last = memory_resize(*last, more * sizeof **last);
        memset(*last + *room, 0, (more - *room) * sizeof **last);
        *room = more;
    }
    (*last)[met->node] = (struct worded){ met->result, met->label };
}

uint32_t wording_find(struct wording *w, const struct system *s, struct labels *labels, enum unworded unworded, uint32_t process,
                      uint32_t node, uint32_t result)
{
    make_room(w);
    struct met *met = met_of(w, process, node, result);
    if (!met->label && (met->label = label_of(s, labels, unworded, process, node, result))) {
        *met = (struct met){ process, node, result, met->label };
        w->count++;
    }
    if (met->label)
        note_last(w, met);
    return met->label;
}
