/* Lists of strings, and how a string looks in a message and on a shell's command line.
 * SPDX-License-Identifier: MIT */
#ifndef WORDS_H
#define WORDS_H

#include <stdint.h>

struct words {
    char   **items;                  /* owned; items[count] is NULL as soon as there is one, and there is room for that */
    uint32_t count, room;
};

void  words_add(struct words *, const char *);                   /* copies */
void  words_add_all(struct words *, const struct words *);
void  words_add_format(struct words *, const char *format, ...) __attribute__((format(printf, 2, 3), nonnull));
void  words_fini(struct words *);
char *words_take_last(struct words *);                           /* gives; return it with free. There must be one */
char *words_command(const struct words *);                       /* one line that a shell takes apart again; gives */
char *words_copy(const char *);                                  /* gives */

/* A user's bytes as they may stand in a message: short, and nothing in them that a terminal would obey. */
struct shown_word { char text[64]; };
struct shown_word words_shown(const char *);

#endif
