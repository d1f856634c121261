/* SPDX-License-Identifier: MIT */
#include "cli/instrument.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* A read before a write to the same place counts; volatile is told apart; what is of the linker alone is no mistake. */
static const char *const clang[] = {
    "-Xclang", "-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile", "-mllvm", "-tsan-instrument-read-before-write",
    "-mllvm", "-tsan-instrument-func-entry-exit=0", "-fno-plt", "-Wno-unused-command-line-argument", NULL };
/* What gcc makes of copies itself it does not tell. */
static const char *const gcc[] = { "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", "-fno-builtin-memcmp", "-fno-plt", NULL };
static const char *const none[] = { NULL };
static const char *const *const flags[] = { [INSTRUMENT_NOT] = none, [INSTRUMENT_CLANG] = clang, [INSTRUMENT_GCC] = gcc };

/* As in runtime/accessed.inc. */
static const char *const wrapped[] = { "memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp", "strcpy", "__memcpy_chk", "__memmove_chk",
                                       "__memset_chk", "__strcpy_chk", NULL };

void instrument_add(struct words *command, enum instrument how, const struct home *home)
{
    assert(how < INSTRUMENT_COUNT);
    if (how == INSTRUMENT_GCC)
        words_add_format(command, "-specs=%s", home->specs);
    for (const char *const *flag = flags[how]; *flag; flag++)
        words_add(command, *flag);
}

void instrument_add_link(struct words *command, enum instrument how)
{
    for (const char *const *name = wrapped; how && *name; name++)
        words_add_format(command, "-Wl,--wrap=%s", *name);
}

void instrument_add_trial(struct words *command, enum language l, enum instrument how, const struct home *home)
{
    assert(how != INSTRUMENT_NOT && !command->count);
    compiler_add(command, l);
    instrument_add(command, how, home);
    words_add(command, "-fsyntax-only");
    words_add(command, "-xc");
    words_add(command, "/dev/null");
}

bool instrument_refused(const struct words *options)
{
    for (uint32_t i = 0; i < options->count; i++)
        if (!strncmp(options->items[i], "-fsanitize=", 11))
            return true;
    return false;
}
