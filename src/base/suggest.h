/* "Did you mean max_depth?": of the names offered, the one that differs least from a misspelt word. Invariant: two words differ by no more
 * letters than the longer one has.
 * SPDX-License-Identifier: MIT */
#ifndef SUGGEST_H
#define SUGGEST_H

struct suggestion {
    const char *word;                /* borrowed */
    const char *best;                /* NULL: none is near enough */
    unsigned    distance;
};

void suggest_start(struct suggestion *, const char *word);
void suggest_offer(struct suggestion *, const char *name);       /* borrowed until suggest_text */

/* "; did you mean max_depth?" or "". */
struct suggestion_text { char text[80]; };
struct suggestion_text suggest_text(const struct suggestion *);

#endif
