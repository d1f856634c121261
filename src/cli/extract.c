/* The extract command: a model from C.
 * SPDX-License-Identifier: MIT */
#include "extractor/extract.h"

#include "base/file.h"
#include "cli/commands.h"
#include "cli/words.h"
#include "cli/workshop.h"
#include "extractor/default_map.h"
#include "base/prose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum wanted { WANT_MODEL, WANT_MACHINE, WANT_DEFAULTS, WANT_STATEMENTS, WANT_MAP, WANT_C };

struct extract_request { struct words from, options; const char *out; enum wanted wanted; enum unmapped unmapped; int recursion; bool atomic; };

static int read_value(struct extract_request *r, const char *option, const char *value, struct err *err)
{
    if (!value)
        return fail(err, "%s: the value is missing", option);
    if (!strcmp(option, "-o"))
        r->out = value;
    else if (!strcmp(option, "--recursion") && (r->recursion = atoi(value)) >= 1 && r->recursion <= 100)
        return 0;
    else if (!strcmp(option, "--recursion"))
        return fail(err, "--recursion %s: a number from 1 to 100 is expected", words_shown(value).text);
    else if (!strcmp(value, "abstract"))
        r->unmapped = UNMAPPED_ABSTRACT;
    else if (!strcmp(value, "keep"))
        r->unmapped = UNMAPPED_KEEP;
    else
        return fail(err, "--unmapped %s: write abstract or keep", words_shown(value).text);
    return 0;
}

static int read_words(struct extract_request *r, int count, char **words, struct err *err)
{
    words_add(&r->options, "");      /* so that there is a list */
    free(words_take_last(&r->options));
    for (int i = 0; i < count; i++) {
        int bad = 0;
        if (!strcmp(words[i], "-o") || !strcmp(words[i], "--unmapped") || !strcmp(words[i], "--recursion"))
            bad = read_value(r, words[i], i + 1 < count ? words[i + 1] : NULL, err), i++;
        else if (!strcmp(words[i], "--defaults"))
            r->wanted = WANT_DEFAULTS;
        else if (!strcmp(words[i], "--default-map"))
            r->wanted = WANT_MAP;
        else if (!strcmp(words[i], "--c"))
            r->wanted = WANT_C;
        else if (!strcmp(words[i], "--atomic-statements"))
            r->atomic = true;
        else if (!strcmp(words[i], "--machine"))
            r->wanted = WANT_MACHINE;
        else if (!strcmp(words[i], "--statements"))
            r->wanted = WANT_STATEMENTS;
        else if (shop_is_preprocessors(words[i]))
            words_add(&r->options, words[i]);
        else if (words[i][0] == '-')
            bad = fail(err, "%s: extract has no such option (verisoft extract --help lists them)", words_shown(words[i]).text);
        else
            words_add(&r->from, words[i]);
        if (bad)
            return bad;
    }
    return r->from.count || r->wanted == WANT_MAP ? 0 : fail(err, "which source? Type: verisoft extract FILE..., or verisoft extract NAME.harness");
}

static int give(const struct extract_request *r, const char *text, struct err *err) { return shop_give(r->out, "the result", text, err); }

/* Of what is written: "" or with a / at its end. Gives. */
static char *folder_of(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? prose_make("%.*s", (int)(slash - file) + 1, file) : prose_make("%s", "");
}

static int show(const struct extract_request *r, const struct extraction *x, struct err *err)
{
    if (r->wanted == WANT_STATEMENTS) {
        extract_list(x, stdout);
        return 0;
    }
    if (r->wanted == WANT_C && !x->model.c)
        return fail(err, "--c: only the model of a program with threads or processes has a part in C");
    char *folder = folder_of(r->out);
    char *text = r->wanted == WANT_DEFAULTS ? extract_defaults(x, folder) : prose_make("%s", r->wanted == WANT_C ? x->model.c : x->model.text);
    int bad = give(r, text, err);
    free(folder);
    free(text);
    extract_warn(x, stderr);
    return bad;
}

static int extract(const void *request, struct extraction *x, const struct workshop *w, struct err *err)
{
    const struct extract_request *r = request;
    if (r->wanted == WANT_MAP)
        return give(r, default_map, err);
    int bad = extract_read(x, r->from.items, (int)r->from.count, r->options.items, err);
    if (r->unmapped)
        x->harness.unmapped = r->unmapped;
    if (r->recursion)
        x->harness.recursion = r->recursion;
    x->harness.atomic |= r->atomic;
    if (!bad)
        bad = extract_stage_one(x, w, err);
    if (!bad && r->wanted == WANT_MACHINE)
        return give(r, x->stage_one, err);
    if (!bad)
        bad = extract_stage_two(x, err);
    return bad ? bad : show(r, x, err);
}

static int run(const char *self, int count, char **words)
{
    (void)self;
    struct extract_request r = { 0 };
    struct err err;
    int code = shop_make(read_words(&r, count, words, &err), extract, &r, &err);
    words_fini(&r.from);
    words_fini(&r.options);
    return code;
}

static void help(void)
{
    fputs("\n"
          "  --defaults               write a first harness instead, which verify can run as it is\n"
          "  --machine                write stage one instead: the annotated state machine\n"
          "  --c                      of a program with threads: write what statements do, in C\n"
          "  --default-map            write the map by which such programs are read\n"
          "  --recursion N            how deep functions that call themselves are followed\n"
          "  --atomic-statements      a statement of a thread is one step, also x++\n"
          "  --statements             list every statement with what became of it\n"
          "  --unmapped abstract|keep what the map does not name: left out, or carried over\n"
          "  -o FILE                  where it goes (default: standard output)\n\n"
          "To the preprocessor go -D -U -I -std -f -m.\n", stdout);
}

const struct command command_extract = {
    .name     = "extract",
    .synopsis = "extract SOURCE... | NAME.harness [options]",
    .summary  = "make a model for Spin from event machines or threads and processes, and say what became of every statement",
    .help     = help,
    .run      = run,
};
