/* verisoft-extract: stage one of model extraction, C into the annotated state machine of doc/machine.md. A program of its own, so
 * that nothing else needs libclang.
 *
 *     verisoft-extract [preprocessor's options] FILE...
 *
 * SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "extractor/clang/apart.h"
#include "extractor/clang/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sources { struct source *items; int count; };

static int tell(const struct err *err)
{
    fprintf(stderr, "verisoft: %s\n", err->text);
    return 2;
}

/* The next ones are preprocessed while one is parsed. */
static int open_all(struct sources *all, int count, char **words, char *const *options)
{
    enum { AHEAD = 4 };
    struct err err;
    int opened = 0;
    for (int i = 0; i < count || opened < all->count;) {
        bool more = i < count && all->count < opened + AHEAD;
        const char *word = more ? words[i++] : NULL;
        if (word && word[0] != '-' && source_start(&all->items[all->count++], word, options, &err))
            return tell(&err);
        if (!word && source_open(&all->items[opened++], &err))
            return tell(&err);
    }
    return apart_find(all->items, all->count, &err) ? tell(&err) : 0;
}

static void put_all(const struct sources *all, struct prose *out)
{
    prose_add(out, "verisoft machine 1\n");
    for (int i = 0; i < all->count; i++) {
        struct variables globals = { 0 };
        graph_file(out, &all->items[i], &globals);
        variables_fini(&globals);
    }
}

int main(int argc, char **argv)
{
    char **options = memory_get(((size_t)argc + 1) * sizeof *options);
    struct sources all = { .items = memory_get(((size_t)argc + 1) * sizeof *all.items) };
    struct prose out = { 0 };
    int count = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-')
            options[count++] = argv[i];
    int status = open_all(&all, argc - 1, argv + 1, options);
    if (!status && !all.count) {
        fprintf(stderr, "verisoft: which file? Type: verisoft-extract FILE...\n");
        status = 2;
    }
    if (!status)
        put_all(&all, &out);
    if (!status && (fputs(out.text, stdout) < 0 || fflush(stdout))) {
        perror("verisoft: standard output");
        status = 2;
    }
    for (int i = 0; i < all.count; i++)
        source_close(&all.items[i]);
    prose_fini(&out);
    free(all.items);
    free(options);
    return status;
}
