/* Feeds files to a fuzz target without a fuzzer: what once went wrong must not do so again.
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void feed(FILE *file)
{
    static uint8_t bytes[1 << 22];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    uint8_t *exact = malloc(size ? size : 1);                    /* so that a sanitizer sees who reads too far */
    if (!exact)
        abort();
    for (size_t i = 0; i < size; i++)
        exact[i] = bytes[i];
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        printf("%s\n", argv[i]);
        fflush(stdout);
        if (!file)
            return 1;
        feed(file);
        fclose(file);
    }
    return argc < 2;
}
