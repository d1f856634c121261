/* The close command: an open program made closed.
 * SPDX-License-Identifier: MIT */
#include "extractor/close.h"

#include "base/file.h"
#include "cli/commands.h"
#include "cli/words.h"
#include "cli/workshop.h"
#include "extractor/extract.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct close_request { struct words from, options, inputs; const char *out; };

static int read_words(struct close_request *r, int count, char **words, struct err *err)
{
    words_add(&r->options, "");      /* so that there is a list */
    free(words_take_last(&r->options));
    for (int i = 0; i < count; i++) {
        bool valued = !strcmp(words[i], "--input") || !strcmp(words[i], "-o");
        if (valued && i + 1 == count)
            return fail(err, "%s: the value is missing", words[i]);
        if (!strcmp(words[i], "--input"))
            words_add(&r->inputs, words[++i]);
        else if (!strcmp(words[i], "-o"))
            r->out = words[++i];
        else if (shop_is_preprocessors(words[i]))
            words_add(&r->options, words[i]);
        else if (words[i][0] == '-')
            return fail(err, "%s: close has no such option (verisoft close --help lists them)", words_shown(words[i]).text);
        else
            words_add(&r->from, words[i]);
    }
    if (r->from.count != 1)
        return fail(err, "which source? Type: verisoft close FILE.c --input FUNCTION|VARIABLE");
    return r->inputs.count ? 0 : fail(err, "%s: what comes from its environment? Name a function or a variable: --input NAME", r->from.items[0]);
}

static int give(const struct close_request *r, const char *closed, const char *changes, struct err *err)
{
    fputs(changes, stderr);
    return shop_give(r->out, "the closed program", closed, err);
}

static int close_one(const void *request, struct extraction *x, const struct workshop *w, struct err *err)
{
    const struct close_request *r = request;
    char *closed = NULL, *changes = NULL;
    int bad = extract_read(x, r->from.items, 1, r->options.items, err);
    if (!bad) {
        harness_make_program(&x->harness);       /* what stands behind pointers stays there */
        bad = extract_stage_one(x, w, err);
    }
    if (!bad && !machines_function(&x->machines, "main"))
        bad = fail(err, "%s: there is no main(): who calls its functions, and with what, is not known; a whole program in one source is closed", r->from.items[0]);
    char *source = bad ? NULL : file_text(r->from.items[0], "the source", err);
    if (!bad && !source)
        bad = -EINVAL;
    struct closing c = { &x->machines, r->inputs.items, (int)r->inputs.count, r->from.items[0], source };
    if (!bad)
        bad = close_program(&c, &closed, &changes, err);
    if (!bad)
        bad = give(r, closed, changes, err);
    free(source);
    free(closed);
    free(changes);
    return bad;
}

static int run(const char *self, int count, char **words)
{
    (void)self;
    struct close_request r = { 0 };
    struct err err;
    int code = shop_make(read_words(&r, count, words, &err), close_one, &r, &err);
    words_fini(&r.from);
    words_fini(&r.options);
    words_fini(&r.inputs);
    return code;
}

static void help(void)
{
    fputs("\n"
          "  --input NAME             a function whose result, or a variable whose value, comes from the environment; may be given several times\n"
          "  -o FILE                  where the closed program goes (default: standard output); what was changed is told on standard error\n\n"
          "To the preprocessor go -D -U -I -std -f -m.\n", stdout);
}

const struct command command_close = {
    .name     = "close",
    .synopsis = "close FILE.c --input FUNCTION|VARIABLE [-o CLOSED.c]",
    .summary  = "make an open C program closed: choices that depend on its environment become choices of the search",
    .help     = help,
    .run      = run,
};
