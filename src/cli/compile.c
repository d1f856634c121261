/* SPDX-License-Identifier: MIT */
#include "cli/compile.h"

#include "base/memory.h"
#include "cli/assembly.h"
#include "cli/home.h"
#include "cli/instrument.h"
#include "cli/values.h"
#include "cli/several.h"
#include "cli/signals.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_RUN = 127 };           /* exit status of our child when there is no such compiler, as a shell's */

struct build {
    const struct sources *sources;
    const struct scratch *scratch;
    struct home           home;
    enum instrument       how;       /* every source is compiled apart, unless NOT */
    bool                  silent;    /* the compiler has said nothing so far */
    struct err           *err;
};

static bool has_standard(const struct words *user)
{
    for (uint32_t i = 0; i < user->count; i++)
        if (!strncmp(user->items[i], "-std", 4))
            return true;
    return false;
}

static void add_flags(struct words *command, const struct build *b, enum language l)
{
    words_add(command, "-g");
    words_add(command, "-DVERIFY");
    if (l == LANGUAGE_C) {
        /* Newer compilers refuse what the C of old sources is made of, and read f() as f(void). */
        if (!has_standard(b->sources->options))
            words_add(command, "-std=gnu11");
        words_add(command, "-Wno-error=implicit-int");
        words_add(command, "-Wno-error=implicit-function-declaration");
    }
}

/* Behind the files, as libraries must be; our header last, so that no header of the user's is hidden by one of ours. */
static void add_user(struct words *command, const struct build *b)
{
    for (uint32_t i = 0; i < b->sources->options->count; i++)
        if (!b->how || !instrument_drops(b->sources->options->items[i]))
            words_add(command, b->sources->options->items[i]);
    words_add_format(command, "-I%s", b->home.include);
}

static _Noreturn void become(const struct words *command, const struct scratch *s, const char *log)
{
    setpgid(0, 0);
    scratch_watch(s, getpid());
    setenv("TMPDIR", s->folder, 1);
    int null = open("/dev/null", O_RDONLY);
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(null, 0);
    dup2(out, 1);
    dup2(out, 2);
    execvp(command->items[0], command->items);
    _exit(CANNOT_RUN);
}

/* Shows what the compiler said; says whether it missed a main. */
static bool show(const char *log)
{
    FILE *file = fopen(log, "re");
    char *line = NULL;
    size_t room = 0;
    bool no_main = false;
    while (file && getline(&line, &room, file) > 0) {
        fputs(line, stderr);
        const char *missing = strstr(line, "undefined reference to");
        const char *main = missing ? strstr(missing, "main") : NULL;
        no_main |= main && !isalnum((unsigned char)main[-1]) && !isalnum((unsigned char)main[4]) && main[4] != '_';
    }
    free(line);
    if (file)
        fclose(file);
    return no_main;
}

static int explain(const struct build *b, const struct words *command, const char *log, int status)
{
    if (*signals_interrupt())
        return -EINTR;
    if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_RUN)
        return fail(b->err, "%s: no such compiler; install it, or set CC (CXX for C++) to yours", command->items[0]);
    char *files = words_command(b->sources->files), *line = words_command(command);
    if (show(log))
        fail(b->err, "%s: there is no function main; name all the files of the program", files);
    else if (WIFSIGNALED(status))
        fail(b->err, "%s: the compiler was killed by signal %d: %s", files, WTERMSIG(status), line);
    else
        fail(b->err, "%s: the compiler failed, for the reason above: %s", files, line);
    free(files);
    free(line);
    return -EINVAL;
}

/* Gives its status, or a negative errno. */
static int start(const struct build *b, const struct words *command, const char *log)
{
    pid_t child = fork();
    if (child < 0)
        return fail_errno(b->err, "cannot start the compiler");
    if (child == 0)
        become(command, b->scratch, log);
    setpgid(child, child);           /* as the child does: whoever comes first, the group is there to be killed */
    int status = signals_wait(child);
    scratch_watch(b->scratch, 0);
    return status;
}

static bool is_empty(const char *log)
{
    struct stat now;
    return !stat(log, &now) && !now.st_size;
}

static int run(struct build *b, const struct words *command)
{
    char log[PATH_MAX + 16];
    snprintf(log, sizeof log, "%s/messages", b->scratch->folder);
    int status = start(b, command, log);
    if (status)
        return status < 0 ? status : b->how && !*signals_interrupt() ? -ENOTSUP : explain(b, command, log, status);
    b->silent &= is_empty(log);
    if (!b->how)
        show(log);                   /* warnings */
    return 0;
}

/* One source, to an object: to be instrumented, or because g++ would take it for C++. `own`: it is not the user's. */
static int compile_to(struct build *b, const char *source, enum language l, const char *object, bool own)
{
    struct words command = { 0 }, files = { 0 };
    compiler_add(&command, l);
    add_flags(&command, b, l);
    instrument_add(&command, l, b->how, &b->home);
    words_add(&files, source);
    add_user(&files, b);
    if (b->how && !own)
        assembly_note(&command, &files, &b->home);
    if (b->how == INSTRUMENT_CLANG && !own)
        values_note(&command, &files, &b->home);
    words_add(&command, "-c");
    words_add(&command, "-o");
    words_add(&command, object);
    words_add_all(&command, &files);
    words_fini(&files);
    if (own)
        words_add(&command, "-g0");                      /* its lines are nobody's business */
    int failed = run(b, &command);
    words_fini(&command);
    return failed;
}

static int compile_apart(struct build *b, uint32_t file, const char *object)
{
    return compile_to(b, b->sources->files->items[file], b->sources->parts[file] == PART_C ? LANGUAGE_C : LANGUAGE_CXX, object, false);
}

static bool any(const struct sources *s, enum program_part part)
{
    for (uint32_t i = 0; i < s->files->count; i++)
        if (s->parts[i] == part)
            return true;
    return false;
}

/* The files as the last command takes them: C sources become objects where the last command is a C++ compiler. */
static int add_files(struct build *b, struct words *command, bool mixed)
{
    const struct sources *s = b->sources;
    for (uint32_t i = 0; i < s->files->count; i++) {
        bool apart = b->how ? s->parts[i] == PART_C || s->parts[i] == PART_CXX : mixed && s->parts[i] == PART_C;
        if (!apart) {
            words_add(command, s->files->items[i]);
            continue;
        }
        words_add_format(command, "%s/%u.o", b->scratch->folder, i);
        int failed = compile_apart(b, i, command->items[command->count - 1]);
        if (failed)
            return failed;
    }
    return 0;
}

/* As several_tools have it. */
static int run_tool(void *build, const struct words *command) { return run(build, command); }

static int compile_starter(void *build, const char *source, const char *object) { return compile_to(build, source, LANGUAGE_C, object, true); }

static int make_object(void *build, uint32_t file, char *path, size_t room)
{
    struct build *b = build;
    if (b->sources->parts[file] == PART_OBJECT) {
        snprintf(path, room, "%s", b->sources->files->items[file]);
        return 0;
    }
    snprintf(path, room, "%s/%u.o", b->scratch->folder, file);
    return compile_apart(b, file, path);
}

static int add_program(struct build *b, struct words *command, bool plusplus)
{
    const struct several_tools tools = { b, run_tool, make_object, compile_starter };
    if (!several_programs(b->sources->files))
        return add_files(b, command, plusplus);
    return several_add(b->sources->files, b->scratch, &tools, command, b->err);
}

int compile(const struct sources *sources, const struct scratch *scratch, char **executable, bool *silent, struct err *err)
{
    struct build b = { .sources = sources, .scratch = scratch, .silent = true, .err = err };
    struct words command = { 0 }, path = { 0 };
    bool plusplus = any(sources, PART_CXX);
    int failed = home_find(&b.home, err);
    if (failed)
        return failed;
    words_add_format(&path, "%s/%s", scratch->folder, sources->instrument ? "watched" : "program");
    enum language language = plusplus ? LANGUAGE_CXX : LANGUAGE_C;
    b.how = sources->instrument && !instrument_refused(sources->options) ? instrument_way(language) : INSTRUMENT_NOT;
    if (sources->instrument && !b.how) {
        words_fini(&path);
        return -ENOTSUP;
    }
    compiler_add(&command, language);
    add_flags(&command, &b, language);
    words_add(&command, "-o");
    words_add(&command, path.items[0]);
    failed = add_program(&b, &command, plusplus);
    if (!failed) {
        add_user(&command, &b);
        words_add(&command, b.home.runtime);
        if (plusplus)
            words_add(&command, "-Wl,--no-as-needed");   /* or a program of new and delete alone, which the runtime has, is left without their library */
        instrument_add_link(&command, b.how);
        failed = run(&b, &command);
    }
    if (!failed)
        *executable = words_take_last(&path);
    if (silent)
        *silent = b.silent;
    words_fini(&path);
    words_fini(&command);
    return failed;
}
