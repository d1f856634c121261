/* Which label a step of a system has: its words are made once for each node and result.
 * SPDX-License-Identifier: MIT */
#ifndef WORDING_H
#define WORDING_H

#include "certifier/labels.h"

struct met { uint32_t process, node, result, label; };           /* label 0: free */
struct wording { struct met *met; uint32_t count, mask; };       /* all zero: nothing was met */
enum unworded { UNWORDED_ADD, UNWORDED_LEAVE };                  /* what becomes of words that no label has */

void     wording_fini(struct wording *);
/* 0: no label has these words, or there is no room for more. */
uint32_t wording_label(struct wording *, const struct system *, struct labels *, enum unworded, uint32_t process, uint32_t node,
                       uint32_t result);

#endif
