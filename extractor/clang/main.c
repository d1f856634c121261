/* verisoft-extract: stage one of model extraction, C into the annotated state machine of doc/machine.md. A program of its own, so
 * that nothing else needs libclang.
 *
 *     verisoft-extract [preprocessor's options] FILE...
 *
 * SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "extractor/clang/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int one(struct prose *out, const char *file, char *const *options)
{
    struct source s;
    struct err err;
    struct variables globals = { 0 };
    if (source_open(&s, file, options, &err)) {
        fprintf(stderr, "verisoft: %s\n", err.text);
        return 2;
    }
    graph_file(out, &s, &globals);
    variables_fini(&globals);
    source_close(&s);
    return 0;
}

int main(int argc, char **argv)
{
    char **options = memory_get(((size_t)argc + 1) * sizeof *options);
    struct prose out = { 0 };
    int count = 0, files = 0, status = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-')
            options[count++] = argv[i];
    prose_add(&out, "verisoft machine 1\n");
    for (int i = 1; i < argc && !status; i++)
        if (argv[i][0] != '-') {
            status = one(&out, argv[i], options);
            files++;
        }
    if (!files) {
        fprintf(stderr, "verisoft: which file? Type: verisoft-extract FILE...\n");
        status = 2;
    }
    if (!status && (fputs(out.text, stdout) < 0 || fflush(stdout))) {
        perror("verisoft: standard output");
        status = 2;
    }
    prose_fini(&out);
    free(options);
    return status;
}
