/* The at command: Thompson's @-format into plain C.
 * SPDX-License-Identifier: MIT */
#include "extractor/at.h"

#include "base/file.h"
#include "cli/commands.h"
#include "cli/words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct at_request { const char *in, *out; };        /* out: NULL for standard output */

static int read_words(struct at_request *r, int count, char **words, struct err *err)
{
    for (int i = 0; i < count; i++) {
        if (!strcmp(words[i], "-o")) {
            if (++i == count)
                return fail(err, "-o: the value is missing; write -o FILE.c");
            r->out = words[i];
        } else if (words[i][0] == '-' && words[i][1]) {
            return fail(err, "%s: at has no such option (verisoft at --help lists them)", words_shown(words[i]).text);
        } else if (r->in) {
            return fail(err, "%s: one file at a time, and %s is named already", words_shown(words[i]).text, words_shown(r->in).text);
        } else {
            r->in = words[i];
        }
    }
    return r->in ? 0 : fail(err, "which file? Type: verisoft at FILE.at -o FILE.c");
}

static int put(const void *c, FILE *out)
{
    return fputs(c, out) < 0 || fflush(out) ? -errno : 0;
}

static int finish(const struct at_request *r, const struct at *at)
{
    struct err err;
    for (int i = 0; i < at->mistake_count; i++)
        fprintf(stderr, "%s:%d: %s\n", r->in, at->mistakes[i].line, at->mistakes[i].text);
    if (!at->c)
        return EXIT_UNUSABLE;
    int failed = 0;
    if (r->out)
        failed = file_write(r->out, "the C text", put, at->c, &err);
    else if ((failed = put(at->c, stdout)))
        failed = fail_errno(&err, "standard output: the C text cannot be written");
    return failed ? command_failed(failed, &err) : EXIT_COMPLETE;
}

static int run(const char *self, int count, char **words)
{
    (void)self;
    struct at_request r = { 0 };
    struct err err;
    int failed = read_words(&r, count, words, &err);
    char *text = failed ? NULL : file_text(r.in, "the source", &err);
    if (!text)
        return command_failed(-EINVAL, &err);
    struct at at;
    at_expand(&at, r.in, text);
    int code = finish(&r, &at);
    at_fini(&at);
    free(text);
    return code;
}

const struct command command_at = {
    .name     = "at",
    .synopsis = "at FILE.at [-o FILE.c]",
    .summary  = "write a state machine in Thompson's @-format as plain C (without -o to standard output)",
    .run      = run,
};
