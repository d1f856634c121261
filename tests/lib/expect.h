/* What a program says about itself in its first comment (tests/cases/README is the grammar).
 *
 * Invariant: a word that the grammar does not have ends the test; nothing stated is left unread.
 * SPDX-License-Identifier: MIT */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdbool.h>

enum { MANY = 64 };

struct words { char *items[MANY]; int count; };

struct count { char search[24], what[24]; long value; };         /* none: 18 transitions */
struct tally { char kind[24]; long value; };                     /* deadlock 1 */

struct expect {
    int          line;                       /* in the source, where it begins */
    struct words flags;                      /* for the compiler */
    char         verdict[24];                /* complete, incomplete or the kind of the error */
    long         depth, process;             /* -1: not said; a process of 0: all */
    struct count counts[MANY];
    int          count_count;
    struct tally errors[MANY];
    int          error_count;                /* 0: not said */
    long         native;                     /* -1: not said */
    long         local[MANY];
    int          local_count;
    struct words options, arguments, searches, messages, notes, files;
    char         stops[24];                  /* "" when not said */
    struct words needs;                      /* of the machine: tracing, addresses */
    char        *command;                    /* of an example; NULL: none */
};

struct source {
    const char   *path;
    bool          posix;                     /* it knows nothing of VeriSoft: its name begins with posix- */
    struct expect expects[16];
    int           expect_count;
    int           marked[MANY];              /* lines with the word ERROR in a comment of their own */
    int           marked_count;
};

void expect_read(struct source *, const char *path);             /* exits with a message when it is not as it should be */
bool expect_has(const struct words *, const char *word);
char *expect_join(const struct words *);                         /* gives: the words with a blank before each */

#endif
