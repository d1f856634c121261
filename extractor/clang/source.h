/* One source file as libclang sees it: expanded from @-format if need be, through the preprocessor, parsed. Every offset is one
 * into the preprocessed text, every place one in the file that the user wrote.
 * SPDX-License-Identifier: MIT */
#ifndef SOURCE_H
#define SOURCE_H

#include "base/err.h"
#include "extractor/at.h"
#include "extractor/clang/preprocess.h"

#include <clang-c/Index.h>
#include <stdbool.h>

struct source {
    const char       *file;          /* as it was named */
    struct at         at;            /* its control states; none in plain C */
    char             *text;          /* preprocessed */
    CXIndex           index;
    CXTranslationUnit unit;
    char             *label;         /* what stands before names that other sources have, too (apart.h); or NULL */
    char            **apart;         /* those names, in order */
    int               apart_count, apart_room;
};

struct span  { unsigned begin, end; };
struct place { const char *file; unsigned line, column; };       /* file: kept by whoever asks first, for as long as we run */

/* First all of a batch are read, then it is started, then they are opened in the same order. Mistakes in @-format and the compiler's own are told on
 * standard error. After a failure, too, return it with source_close. */
int          source_read(struct source *, const char *file, struct preprocess *batch, struct err *);
int          source_open(struct source *, struct preprocess *batch, struct err *);       /* waits for its text, and parses */
void         source_close(struct source *);

struct place source_place(CXCursor);
struct place source_end_place(CXCursor);                         /* of its last character */
struct span  source_span(CXCursor);
unsigned     source_begin(CXCursor);
unsigned     source_end(CXCursor);
char        *source_between(const struct source *, unsigned start, unsigned end);       /* in one line; gives */
char        *source_text(const struct source *, CXCursor);       /* gives */

bool         source_has_statements(const struct source *, CXCursor);     /* may there be a ({ ... }) in it? False: surely not */
char        *source_name(const struct source *, CXCursor declaration);           /* "count", or "b.c:count"; gives */

struct cursors { CXCursor *items; int count, room; };
struct cursors source_children(CXCursor);                        /* gives; free its items */

#endif
