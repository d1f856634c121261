/* The commands cc and c++: a compiler for other people's build systems (make CC='verisoft cc'). It is the real one, told to make shared
 * variables visible, and what it links has a library of empty hooks, so that the program runs by itself, too.
 * SPDX-License-Identifier: MIT */
#include "cli/assembly.h"
#include "cli/commands.h"
#include "cli/instrument.h"
#include "cli/values.h"
#include "base/prose.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the options whose value is the next word, so that it is not taken for a file. */
static const char *const with_value[] = {
    "-o", "-I", "-L", "-l", "-x", "-D", "-U", "-include", "-imacros", "-isystem", "-idirafter", "-iquote", "-iprefix", "-iwithprefix",
    "-isysroot", "--sysroot", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang", "-mllvm", "-T", "-u", "-z", "-e", "-h",
    "-aux-info", "--param", "-arch", "-target", "-wrapper", "-B", "-A", "-dumpbase", "-dumpdir", "-framework", NULL };

/* With one of these nothing is linked. Those with a star only begin so. */
static const char *const no_link[] = { "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r", "-Wl,-r", "-Wl,--relocatable", "--version", "--help*",
                                       "-###", "-print-*", "--print-*", "-dump*", "--target-help", "-emit-llvm", NULL };

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++) {
        size_t length = strlen(*list);
        bool open = length > 1 && (*list)[length - 1] == '*';
        if (open ? !strncmp(word, *list, length - 1) : !strcmp(word, *list))
            return true;
    }
    return false;
}

static bool ends_with(const char *word, const char *end)
{
    size_t length = strlen(word), tail = strlen(end);
    return length >= tail && !strcmp(word + length - tail, end);
}

static bool is_header(const char *word)
{
    return ends_with(word, ".h") || ends_with(word, ".hh") || ends_with(word, ".hpp") || ends_with(word, ".hxx");
}

static const char *const c_sources[]   = { ".c", ".i", NULL };
static const char *const cxx_sources[] = { ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii", "c++", NULL };      /* the last: -xc++ */

static bool any_ends(int count, char **words, const char *const *ends)
{
    bool found = false;
    for (; *ends; ends++)
        for (int i = 0; i < count; i++)
            found |= ends_with(words[i], *ends);
    return found;
}

/* Are there sources that can be read twice, and is something made of them? */
static bool compiles(int count, char **words)
{
    static const char *const nothing[] = { "-E", "-M", "-MM", "-fsyntax-only", "-###", "-", NULL };
    for (int i = 0; i < count; i++)
        if (is_one_of(words[i], nothing))
            return false;
    return any_ends(count, words, c_sources) || any_ends(count, words, cxx_sources);
}

/* Something to link, and nothing that forbids it. */
static bool links(int count, char **words)
{
    bool file = false;
    for (int i = 0; i < count; i++) {
        if (is_one_of(words[i], no_link))
            return false;
        if (is_one_of(words[i], with_value))
            i++;
        else
            file |= (words[i][0] != '-' || !words[i][1]) && !is_header(words[i]);
    }
    return file;
}

static bool succeeds(const struct words *command)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        for (int fd = 0; fd <= STDERR_FILENO; fd++)
            dup2(nowhere, fd);
        execvp(command->items[0], command->items);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && status == 0;
}

/* Its own compiler may be too old, or another one: then the program is made without. */
static enum instrument find_out(enum language l, const struct home *home)
{
    struct words trial = { 0 };
    enum instrument how = instrument_way(l);
    if (how)
        instrument_add_trial(&trial, l, how, home);
    bool takes = how && succeeds(&trial);
    words_fini(&trial);
    return takes ? how : INSTRUMENT_NOT;
}

/* The user's words, but that the program is to be instrumented, so it is, and what does not combine with that. */
static bool add_theirs(struct words *command, int count, char **words)
{
    struct words theirs = { 0 };
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], "-fsanitize=thread") && !instrument_drops(words[i]))
            words_add(&theirs, words[i]);
    bool sanitized = instrument_refused(&theirs);
    words_add_all(command, &theirs);
    words_fini(&theirs);
    return !sanitized;
}

static void make_command(struct words *command, enum language l, const struct home *home, int count, char **words)
{
    struct words theirs = { 0 };
    assert(count >= 0 && !command->count);
    bool may = add_theirs(&theirs, count, words);
    enum instrument how = may && count ? find_out(l, home) : INSTRUMENT_NOT;
    compiler_add(command, l);
    if (how)
        words_add(command, "-g");
    instrument_add(command, any_ends(count, words, cxx_sources) ? LANGUAGE_CXX : l, how, home);        /* a C compiler takes these, too */
    if (how && compiles(count, words))
        assembly_note(command, &theirs, home);
    if (how == INSTRUMENT_CLANG && compiles(count, words))
        values_note(command, &theirs, home);
    words_add_all(command, &theirs);
    if (how && links(count, words)) {
        words_add(command, "-xnone");            /* what comes now is no source, whatever was said of those before */
        words_add(command, home->near);
        words_add(command, home->hooks);
        instrument_add_link(command, how);
    }
    words_fini(&theirs);
}

static int compile_as(enum language l, int count, char **words)
{
    struct words command = { 0 };
    struct home home;
    struct err err;
    if (count && !strcmp(words[0], VALUES_STAGE))
        return values_stage(count - 1, words + 1);
    int failed = home_find(&home, &err);
    if (failed)
        return command_failed(failed, &err);
    make_command(&command, l, &home, count, words);
    execvp(command.items[0], command.items);
    fail_errno(&err, "%s: this compiler cannot be run; install it, or set %s to yours", command.items[0],
               l == LANGUAGE_C ? "VERISOFT_CC or CC" : "VERISOFT_CXX or CXX");
    words_fini(&command);
    return command_failed(-EINVAL, &err);
}

static int run_c(const char *self, int count, char **words)   { return (void)self, compile_as(LANGUAGE_C, count, words); }
static int run_cxx(const char *self, int count, char **words) { return (void)self, compile_as(LANGUAGE_CXX, count, words); }

static void help(void)
{
    prose_wrap(stdout, "\nThe words are the compiler's, all of them: gcc or what $VERISOFT_CC or $CC says (g++, $VERISOFT_CXX, $CXX). For example: "
               "make CC='verisoft cc'; ./configure CC='verisoft cc' CXX='verisoft c++'; CC='verisoft cc' cmake -S . -B "
               "build. The program also runs by itself.", 0, 0, 80);
}

const struct command command_cc = {
    .name     = "cc",
    .synopsis = "cc [words of the compiler]",
    .summary  = "a C compiler for make, cmake and configure: what it makes tells VeriSoft of every access to memory",
    .run      = run_c, .help = help, .foreign = true,
};

const struct command command_cxx = {
    .name     = "c++",
    .synopsis = "c++ [words of the compiler]",
    .summary  = "the same of C++",
    .run      = run_cxx, .help = help, .foreign = true,
};
