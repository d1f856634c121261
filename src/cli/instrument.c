/* SPDX-License-Identifier: MIT */
#include "cli/instrument.h"
#include "cli/values.h"

#include "base/ask.h"
#include "base/library.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A read before a write to the same place counts; volatile is told apart; what is of the linker alone is no mistake. */
static const char *const clang[] = {
    "-Xclang", "-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile", "-mllvm", "-tsan-instrument-read-before-write",
    "-mllvm", "-tsan-instrument-func-entry-exit=0", "-fno-plt", "-Wno-unused-command-line-argument", NULL };
/* What gcc makes of copies and strings of constant size itself it does not tell. */
#define NOT(name) "-fno-builtin-" name
static const char *const gcc[] = {
    NOT("memcpy"), NOT("memmove"), NOT("memset"), NOT("memcmp"), NOT("strcmp"), NOT("strncmp"), NOT("bzero"), NOT("strcpy"), NOT("stpcpy"), NOT("strncpy"), NOT("strcat"), NOT("sprintf"),
    NOT("snprintf"), NOT("__memcpy_chk"), NOT("__memmove_chk"), NOT("__memset_chk"), NOT("__strcpy_chk"), NOT("__stpcpy_chk"), NOT("__strncpy_chk"),
    NOT("__strcat_chk"), NOT("__sprintf_chk"), NOT("__snprintf_chk"), "-fno-plt", NULL };
/* Nor where it is told to, as a C library's headers do that check how much room there is. In C++ a header names these functions (verisoft-builtins.h). */
#define IGNORED(warning) "_Pragma(\"GCC diagnostic ignored \\\"" warning "\\\"\")"
#define CALLED(name, types, result, given, passed) \
    "-D__builtin_" name "(" given ")=__extension__({_Pragma(\"GCC diagnostic push\")" IGNORED("-Wnested-externs") IGNORED("-Wredundant-decls") \
    "extern " result " " name "(" types ");_Pragma(\"GCC diagnostic pop\")" name "(" passed ");})"
#define NAMED(name, given, types, result)  CALLED(name, types, result, given, given)
#define PRINTS(name, given, types)         CALLED(name, types ",...", "int", given ",...", given ",##__VA_ARGS__")
#define SIZE "__SIZE_TYPE__"
static const char *const gcc_c[] = {
    NAMED("memcpy", "a,b,c", "void*,const void*," SIZE, "void*"),
    NAMED("memmove", "a,b,c", "void*,const void*," SIZE, "void*"),
    NAMED("memset", "a,b,c", "void*,int," SIZE, "void*"),
    NAMED("strcpy", "a,b", "char*,const char*", "char*"),
    NAMED("__memcpy_chk", "a,b,c,d", "void*,const void*," SIZE "," SIZE, "void*"),
    NAMED("__memmove_chk", "a,b,c,d", "void*,const void*," SIZE "," SIZE, "void*"),
    NAMED("__memset_chk", "a,b,c,d", "void*,int," SIZE "," SIZE, "void*"),
    NAMED("__strcpy_chk", "a,b,c", "char*,const char*," SIZE, "char*"),
    NAMED("__stpcpy_chk", "a,b,c", "char*,const char*," SIZE, "char*"),
    NAMED("__strncpy_chk", "a,b,c,d", "char*,const char*," SIZE "," SIZE, "char*"),
    PRINTS("__sprintf_chk", "a,b,c,d", "char*,int," SIZE ",const char*"),
    PRINTS("__snprintf_chk", "a,b,c,d,e", "char*," SIZE ",int," SIZE ",const char*"), NULL };
static const char *const none[] = { NULL };
static const char *const *const flags[] = { [INSTRUMENT_NOT] = none, [INSTRUMENT_CLANG] = clang, [INSTRUMENT_GCC] = gcc };
static const char *const *const flags_of_c[] = { [INSTRUMENT_NOT] = none, [INSTRUMENT_CLANG] = none, [INSTRUMENT_GCC] = gcc_c };

#define NAME(name) #name,
static const char *const wrapped[] = { LIBRARY_WRAPPED(NAME) NULL };

static void add_all(struct words *command, const char *const *list)
{
    for (; *list; list++)
        words_add(command, *list);
}

void instrument_add(struct words *command, enum language l, enum instrument how, const struct home *home)
{
    assert(how < INSTRUMENT_COUNT);
    if (how == INSTRUMENT_GCC) {
        words_add_format(command, "-specs=%s", home->specs);
        values_add(command);
    }
    add_all(command, flags[how]);
    if (l == LANGUAGE_C)
        add_all(command, flags_of_c[how]);
    else if (how == INSTRUMENT_GCC) {
        words_add(command, "-include");
        words_add_format(command, "%s/verisoft-builtins.h", home->include);
    }
}

void instrument_add_link(struct words *command, enum instrument how)
{
    for (const char *const *name = wrapped; how && *name; name++)
        words_add_format(command, "-Wl,--wrap=%s", *name);
}

enum instrument instrument_way(enum language l)
{
    struct words question = { 0 };
    compiler_add(&question, l);
    words_add(&question, "--version");
    char *answer = ask_all(question.items);
    enum instrument how = !answer ? INSTRUMENT_NOT : strstr(answer, "Free Software Foundation") ? INSTRUMENT_GCC : INSTRUMENT_CLANG;      /* others refuse what only clang knows */
    words_fini(&question);
    free(answer);
    return how;
}

void instrument_add_trial(struct words *command, enum language l, enum instrument how, const struct home *home)
{
    assert(how != INSTRUMENT_NOT && !command->count);
    compiler_add(command, l);
    instrument_add(command, l, how, home);
    words_add(command, "-fsyntax-only");
    words_add(command, "-xc");
    words_add(command, "/dev/null");
}

bool instrument_drops(const char *option) { return !strncmp(option, "-flto", 5); }

bool instrument_refused(const struct words *options)
{
    for (uint32_t i = 0; i < options->count; i++)
        if (!strncmp(options->items[i], "-fsanitize=", 11))
            return true;
    return false;
}
