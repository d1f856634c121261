/* One source file as libclang sees it: expanded from @-format if need be, through the preprocessor, parsed. Every offset is one
 * into the preprocessed text, every place one in the file that the user wrote.
 * SPDX-License-Identifier: MIT */
#ifndef SOURCE_H
#define SOURCE_H

#include "base/err.h"
#include "extractor/at.h"

#include <clang-c/Index.h>
#include <stdbool.h>
#include <sys/types.h>

struct source {
    const char       *file;          /* as it was named */
    struct at         at;            /* its control states; none in plain C */
    pid_t             preprocessor;  /* that runs; 0: it has ended */
    int               pipe;          /* from it */
    char             *text;          /* preprocessed */
    CXIndex           index;
    CXTranslationUnit unit;
    char             *label;         /* what stands before names that other sources have, too (apart.h); or NULL */
    char            **apart;         /* those names, in order */
    int               apart_count, apart_room;
};

struct place { const char *file; unsigned line, column; };       /* file: kept by whoever asks first, for as long as we run */

/* `options` for the preprocessor, which is started, and ended by NULL. Mistakes in @-format and the compiler's own are told on standard error. Several
 * may be started before the first is opened. After a failure, too, return it with source_close. */
int          source_start(struct source *, const char *file, char *const *options, struct err *);
int          source_open(struct source *, struct err *);         /* waits for the preprocessor, and parses */
void         source_close(struct source *);

struct place source_place(CXCursor);
struct place source_end_place(CXCursor);                         /* of its last character */
unsigned     source_begin(CXCursor);
unsigned     source_end(CXCursor);
char        *source_between(const struct source *, unsigned start, unsigned end);       /* in one line; gives */
char        *source_text(const struct source *, CXCursor);       /* gives */

char        *source_name(const struct source *, CXCursor declaration);           /* "count", or "b.c:count"; gives */

struct cursors { CXCursor *items; int count, room; };
struct cursors source_children(CXCursor);                        /* gives; free its items */

#endif
