/* Any bytes as a scenario file: they are refused, or read, written and read again as the same scenario.
 * SPDX-License-Identifier: MIT */
#include "report/path.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void must(bool true_is)
{
    if (!true_is)
        abort();
}

static bool same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static void read_again(const struct path *path)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    struct path again;
    must(out && path_write(path, out) == 0);
    fclose(out);
    must(path_parse(&again, bytes, length, "again", NULL) == 0);
    must(again.count == path->count && same(again.program, path->program) && same(again.error, path->error));
    for (uint32_t i = 0; i < path->count; i++) {
        must(again.steps[i].process == path->steps[i].process);
        must(same(again.steps[i].operation, path->steps[i].operation));
        must(same(again.steps[i].result, path->steps[i].result));
    }
    path_fini(&again);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct path path;
    struct err err;
    if (path_parse(&path, (const char *)data, size, "fuzz", &err) == 0)
        read_again(&path);
    path_fini(&path);
    return 0;
}
