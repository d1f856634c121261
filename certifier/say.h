/* What came of a certification: for a person, for a program, and as one page for the file of evidence.
 * SPDX-License-Identifier: MIT */
#ifndef SAY_H
#define SAY_H

#include "certifier/certify.h"
#include "certifier/tree_file.h"

struct certify_report {
    const char                 *program, *certificate, *self;    /* as the user typed them */
    const char                 *options, *arguments;         /* what else a replay needs after the program ("" or "-lm --env X"), and after -- */
    const struct fields        *fields;          /* its header; NULL: it could not be read so far */
    const struct script        *script;          /* the one of these that it is; both NULL: as above */
    const struct tree_file     *tree;
    const struct certification *certification;
    bool                        trustful, ignore_deadlock;
    uint32_t                    variables;       /* that threads use without a lock, and that were followed */
    const struct invariants    *invariants;      /* NULL: none */
    const char                 *scenario;        /* file that shows what is wrong; NULL: none */
    const char                 *stopped_by;      /* of one that did not come to its end; else NULL */
    uint64_t                    memory_kb;
};

void say_text(FILE *, const struct certify_report *, int width, bool colour);
int  say_json(FILE *, const struct certify_report *);            /* 0, or negative errno */
int  say_page(const void *certify_report, FILE *);               /* the same; HTML in one file */

struct say_number { char text[32]; };
struct say_number say_number(uint64_t);                          /* 354,940,010 */

#endif
