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

static size_t folder_length(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? (size_t)(slash - file) + 1 : 0;
}

static bool same_folder(const char *a, const char *b)
{
    return folder_length(a) == folder_length(b) && !strncmp(a, b, folder_length(a));
}

/* Those that follow each other and lie in one folder. */
static int open_batch(struct source *first, char **files, int count, char *const *options, struct err *err)
{
    struct preprocess batch = { 0 };
    int bad = 0;
    for (int i = 0; i < count && !bad; i++)
        bad = source_read(&first[i], files[i], &batch, err);
    if (!bad)
        bad = preprocess_start(&batch, files[0], options, err);
    for (int i = 0; i < count && !bad; i++)
        bad = source_open(&first[i], &batch, err);
    preprocess_fini(&batch);
    return bad;
}

static int open_all(struct sources *all, char **files, int count, char *const *options)
{
    struct err err;
    for (int from = 0; from < count; from = all->count) {
        while (all->count < count && same_folder(files[all->count], files[from]))
            all->count++;
        if (open_batch(&all->items[from], &files[from], all->count - from, options, &err))
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
    char **options = memory_get(((size_t)argc + 1) * sizeof *options), **files = memory_get(((size_t)argc + 1) * sizeof *files);
    struct sources all = { .items = memory_get(((size_t)argc + 1) * sizeof *all.items) };
    struct prose out = { 0 };
    int count = 0, file_count = 0;
    for (int i = 1; i < argc; i++)
        *(argv[i][0] == '-' ? &options[count++] : &files[file_count++]) = argv[i];
    int status = open_all(&all, files, file_count, options);
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
    free(files);
    return status;
}
