/* SPDX-License-Identifier: MIT */
#include "cli/instrument.h"

#include <string.h>

/* A read before a write to the same place counts; volatile is told apart; what is of the linker alone is no mistake. */
static const char *const clang[] = {
    "-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile", "-mllvm", "-tsan-instrument-read-before-write",
    "-mllvm", "-tsan-instrument-func-entry-exit=0", "-Wno-unused-command-line-argument", NULL };
static const char *const gcc[] = { "-fsanitize=thread", "--param=tsan-distinguish-volatile=1", "--param=tsan-instrument-func-entry-exit=0", NULL };
static const char *const none[] = { NULL };
static const char *const *const flags[] = { [INSTRUMENT_NOT] = none, [INSTRUMENT_CLANG] = clang, [INSTRUMENT_GCC] = gcc };

void instrument_add(struct words *command, enum instrument how)
{
    for (const char *const *flag = flags[how]; *flag; flag++)
        words_add(command, *flag);
}

bool instrument_refused(const struct words *options)
{
    for (uint32_t i = 0; i < options->count; i++)
        if (!strncmp(options->items[i], "-fsanitize=", 11))
            return true;
    return false;
}
