/* Which label a step of a system has: its words are made once for each node and result.
 * SPDX-License-Identifier: MIT */
#ifndef WORDING_H
#define WORDING_H

#include "certifier/labels.h"

struct met { uint32_t process, node, result, label; };           /* label 0: free */
struct wording {                                                 /* all zero: nothing was met */
    struct met *met;
    uint32_t    count, mask;
    struct worded { uint32_t result, label; } *last[MAX_PROCESSES];      /* by node: what it gave last, for it mostly gives the same */
    uint32_t    room[MAX_PROCESSES];
};
enum unworded { UNWORDED_ADD, UNWORDED_LEAVE };                  /* what becomes of words that no label has */

void     wording_fini(struct wording *);
/* 0: no label has these words, or there is no room for more. */
uint32_t wording_find(struct wording *, const struct system *, struct labels *, enum unworded, uint32_t process, uint32_t node,
                      uint32_t result);
static inline uint32_t wording_label(struct wording *w, const struct system *s, struct labels *labels, enum unworded unworded, uint32_t process,
                                     uint32_t node, uint32_t result)
{
    const struct worded *last = node < w->room[process] ? &w->last[process][node] : NULL;
    return last && last->label && last->result == result ? last->label : wording_find(w, s, labels, unworded, process, node, result);
}

#endif
