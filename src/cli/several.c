/* SPDX-License-Identifier: MIT */
#include "cli/several.h"

#include "cli/loadable.h"
#include "cli/program.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool is_mark(const char *word) { return !strcmp(word, SEVERAL_MARK); }

static uint32_t marks_in(const struct words *words)
{
    uint32_t marks = 0;
    for (uint32_t i = 0; i < words->count; i++)
        marks += is_mark(words->items[i]);
    return marks;
}

bool several_programs(const struct words *files) { return marks_in(files); }
uint32_t several_count(const struct words *files) { return marks_in(files) + 1; }

bool several_executables(const struct words *files)
{
    return several_programs(files) && files->count && program_is_executable(files->items[0]);
}

int several_check(const struct words *files, struct err *err)
{
    bool named = false, executables = several_executables(files);
    if (!several_programs(files))
        return 0;
    for (uint32_t i = 0; i <= files->count; i++) {
        bool ends = i == files->count || is_mark(files->items[i]);
        if (ends && !named)
            return fail(err, "%s: stands between two programs, and there is none on one side of it", SEVERAL_MARK);
        if (!ends && executables && named)
            return fail(err, "%s: a program that is an executable is that one file alone", files->items[i]);
        if (!ends && program_is_executable(files->items[i]) != executables)
            return fail(err, "%s: several programs are made one, and for that either all are executables, or all are sources, object files (.o) "
                        "and archives (.a)", files->items[i]);
        named = !ends;
    }
    return 0;
}

/* ---- executables ---- */

int several_load(const struct words *files, const struct words *arguments, const struct scratch *s, struct words *out, struct words *usual, struct err *err)
{
    int failed = 0;
    assert(several_executables(files));
    words_add_format(out, "%u", several_count(files));
    for (uint32_t i = 0, program = 0; i < files->count && !failed; i++) {
        char copy[PATH_MAX + 32];
        if (is_mark(files->items[i]))
            continue;
        snprintf(copy, sizeof copy, "%s/program%u.so", s->folder, program++);
        failed = loadable_make(files->items[i], copy, out, usual, err);
        words_add(out, SEVERAL_MARK);
    }
    words_add_all(out, arguments);
    for (uint32_t marks = several_count(arguments); marks < several_count(files); marks++)
        words_add(out, SEVERAL_MARK);
    return failed;
}

/* ---- one object of each program ---- */

static void add_linking(struct words *command, const struct scratch *s, uint32_t program)
{
    words_add(command, "ld");
    words_add(command, "-r");
    words_add(command, "-o");
    words_add_format(command, "%s/program%u.o", s->folder, program);
}

/* Its main gets a name of its own, and is all that others see. */
static int hide(const struct scratch *s, const struct several_tools *tools, uint32_t program)
{
    struct words command = { 0 };
    words_add(&command, "objcopy");
    words_add_format(&command, "--redefine-sym=main=verisoft_main_%u", program);
    words_add_format(&command, "--keep-global-symbol=verisoft_main_%u", program);
    words_add_format(&command, "%s/program%u.o", s->folder, program);
    int failed = tools->run(tools->self, &command);
    words_fini(&command);
    return failed;
}

/* The files from `*at` to the next mark. */
static int make_one(const struct words *files, const struct scratch *s, const struct several_tools *tools, uint32_t program, uint32_t *at)
{
    struct words command = { 0 };
    int failed = 0;
    add_linking(&command, s, program);
    for (; *at < files->count && !is_mark(files->items[*at]) && !failed; ++*at) {
        char object[PATH_MAX + 32];
        failed = tools->object(tools->self, *at, object, sizeof object);
        words_add(&command, object);
    }
    if (!failed)
        failed = tools->run(tools->self, &command);
    if (!failed)
        failed = hide(s, tools, program);
    words_fini(&command);
    ++*at;                           /* the mark */
    return failed;
}

/* ---- who starts them ---- */

static const char starter[] =
    "/* Starts each program with its arguments, those between two marks, and waits for all. */\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <sys/wait.h>\n"
    "#include <unistd.h>\n"
    "extern char **environ;\n"
    "static int next_mark(int count, char **words, int from)\n"
    "{\n"
    "    while (from < count && strcmp(words[from], \"" SEVERAL_MARK "\"))\n"
    "        from++;\n"
    "    return from;\n"
    "}\n"
    "int main(int count, char **words)\n"
    "{\n"
    "    int from, end = 0;\n"
    "    for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {\n"
    "        char *none[] = { (char *)programs[i].name, NULL }, **own = none;\n"
    "        from = end;\n"
    "        if (from < count) {\n"
    "            end = next_mark(count, words, from + 1);\n"
    "            own = words + from;\n"
    "            own[0] = (char *)programs[i].name;\n"
    "            words[end] = NULL;\n"
    "        }\n"
    "        pid_t child = fork();\n"
    "        if (child < 0)\n"
    "            return 2;\n"
    "        if (child == 0)\n"
    "            exit(programs[i].main(own == none ? 1 : end - from, own, environ));\n"
    "    }\n"
    "    while (wait(NULL) > 0)\n"
    "        ;\n"
    "    return 0;\n"
    "}\n";

static void declare(FILE *f, const struct words *files)
{
    uint32_t program = 0;
    for (uint32_t i = 0; i < several_count(files); i++)
        fprintf(f, "int verisoft_main_%u(int, char **, char **);\n", i);
    fprintf(f, "static const struct { const char *name; int (*main)(int, char **, char **); } programs[] = {\n");
    for (uint32_t i = 0; i < files->count; i++) {
        if (i && !is_mark(files->items[i - 1]))
            continue;
        fprintf(f, "    { \"");
        for (const char *c = files->items[i]; *c; c++)
            fprintf(f, "\\%03o", (unsigned char)*c);
        fprintf(f, "\", verisoft_main_%u },\n", program++);
    }
    fprintf(f, "};\n");
    assert(program == several_count(files));
}

static int write_starter(const struct words *files, const char *path, struct err *err)
{
    FILE *f = fopen(path, "we");
    if (!f)
        return fail_errno(err, "%s", path);
    declare(f, files);
    fputs(starter, f);
    return fclose(f) ? fail_errno(err, "%s", path) : 0;
}

int several_add(const struct words *files, const struct scratch *s, const struct several_tools *tools, struct words *command, struct err *err)
{
    uint32_t at = 0, count = several_count(files);
    int failed = 0;
    char source[PATH_MAX + 32];
    snprintf(source, sizeof source, "%s/starter.c", s->folder);
    failed = write_starter(files, source, err);
    words_add_format(command, "%s/starter.o", s->folder);
    if (!failed)
        failed = tools->compile(tools->self, source, command->items[command->count - 1]);
    for (uint32_t i = 0; i < count && !failed; i++) {
        failed = make_one(files, s, tools, i, &at);
        words_add_format(command, "%s/program%u.o", s->folder, i);
    }
    return failed;
}
