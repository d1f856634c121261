/* Checks one program against what its first comment expects, with every search and every reduction.
 *
 *     case PROJECT BUILD FILE       in an empty folder; PROJECT and BUILD are absolute paths
 *
 * Ends with 0 when all is as expected, 77 when the test cannot be run, else 1; what is wrong is printed with the command that
 * shows it. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SKIP = 77 };
#define SHALLOW " --max-depth 8"     /* for what would take too long */

static const struct way ways[] = {
    { "auto",       "auto",      "source",     "" },
    { "none",       "iterative", "none",       "--search iterative --reduction none" },
    { "sleep",      "iterative", "sleep",      "--search iterative --reduction sleep" },
    { "persistent", "iterative", "persistent", "--search iterative --reduction persistent" },
    { "source",     "iterative", "source",     "--search iterative" },
    { "none",       "dfs",       "none",       "--search dfs --reduction none" },
    { "sleep",      "dfs",       "sleep",      "--search dfs --reduction sleep" },
    { "persistent", "dfs",       "persistent", "--search dfs --reduction persistent" },
    { "source",     "dfs",       "source",     "--search dfs" },
    { "stateful",   "stateful",  "none",       "--search stateful" },
    { "bfs",        "bfs",       "none",       "--search bfs" },
    { "random",     "random",    "none",       "--search random --random-seed 1" },
    { "random",     "random",    "none",       "--search random --random-seed 2" },
    { "random",     "random",    "none",       "--search random --random-seed 3" },
};

/* Of programs that know nothing of VeriSoft. The first has the runtime linked in, in the others it is preloaded. */
static const struct way posix_ways[] = {
    { "auto",    "dfs",    "optimal", "" },
    { "none",    "dfs",    "none",    "--search dfs --reduction none" },
    { "sleep",   "dfs",    "sleep",   "--search dfs --reduction sleep" },
    { "source",  "dfs",    "source",  "--search dfs --reduction source" },
    { "optimal", "dfs",    "optimal", "" },
    { "random",  "random", "none",    "--search random --random-seed 1" },
};

/* ---- one search, to its first error ---- */

static bool to_be_run(const struct expect *e, const struct way *w)
{
    return !e->searches.count || expect_has(&e->searches, w->label);
}

/* What sees every order of a program with threads is run only where the program says so, and else not deep. */
static bool shallow(const struct test *t, const struct way *w)
{
    return t->source->posix && !t->expect->searches.count && (!strcmp(w->label, "none") || !strcmp(w->label, "sleep"));
}

/* It may find the error or not, but no other. */
static void search_shallow(struct test *t, const struct way *w)
{
    const json_t *error;
    size_t i;
    snprintf(t->command, sizeof t->command, "verisoft ./program%s %s" SHALLOW " --json report.json%s", t->options, w->options,
             t->arguments);
    if (!run_report(t))
        return;
    check_names(t, w);
    check_sums(t, w);
    json_array_foreach(json_object_get(t->report, "errors"), i, error)
        check_error(t, w, error);
    if (!json_array_size(json_object_get(t->report, "errors")) && t->status != 0 && t->status != 3)
        complain(t, "exit status %d", t->status);
}

static void search(struct test *t, const struct way *w)
{
    const struct expect *e = t->expect;
    bool random = !strcmp(w->search, "random"), once = strstr(w->options, "seed 1") != NULL;
    if (random && !is_error(e) && !once)
        return;
    snprintf(t->command, sizeof t->command, "verisoft %s%s%s %s --json report.json%s%s",
             !strcmp(w->label, "auto") ? t->name : "./program", !strcmp(w->label, "auto") ? t->flags : "", t->options,
             w->options, random && !is_error(e) ? " --stop-at-state 1000" : "", t->arguments);
    if (!run_report(t))
        return;
    check_names(t, w);
    check_sums(t, w);
    check_status(t, random && !is_error(e) ? "incomplete" : result_of(e));
    if (!strcmp(e->verdict, "incomplete") && *e->stops && !random && strcmp(text(t->report, "stopped_by"), e->stops))
        complain(t, "stopped by %s; expected %s", text(t->report, "stopped_by"), e->stops);
    if (is_error(e))
        check_first(t, w);
    if (is_limit(e) && !random)
        check_limit(t, w);
}

/* ---- one search, to its end ---- */

static bool stated(const struct expect *e, const struct way *w)
{
    for (int i = 0; i < e->count_count; i++)
        if (!strcmp(e->counts[i].search, w->label) || (!strcmp(w->label, "bfs") && !strcmp(e->counts[i].search, "stateful")))
            return true;
    return e->error_count || (e->local_count && !strcmp(w->label, "stateful"));
}

static void search_all(struct test *t, const struct way *w)
{
    const struct expect *e = t->expect;
    if (!stated(e, w) || !strcmp(w->label, "random"))
        return;
    snprintf(t->command, sizeof t->command, "verisoft ./program%s %s --stop-at-error 0 --json report.json%s", t->options,
             w->options, t->arguments);
    if (!run_report(t))
        return;
    check_sums(t, w);
    check_status(t, result_of(e));
    check_counts(t, w);
    check_reduced(t, w);
    if (e->error_count)
        check_tally(t);
    if (e->local_count && !strcmp(w->label, "stateful"))
        check_local(t);
}

/* ---- the two ways of going back ---- */

static void search_both_ways(struct test *t)
{
    static const struct way optimal = { .label = "optimal" };
    if (!to_be_run(t->expect, &optimal))
        return;
    snprintf(t->command, sizeof t->command, "verisoft ./program%s --stop-at-error 0 --json report.json%s", t->options,
             t->arguments);
    if (!run_report(t))
        return;
    json_t *put_back = json_incref(t->report);
    snprintf(t->command, sizeof t->command, "verisoft ./program%s --restart --stop-at-error 0 --json report.json%s", t->options,
             t->arguments);
    if (run_report(t))
        compare_ways(t, put_back);
    json_decref(put_back);
}

/* ---- an example: its own command line ---- */

/* The command with the report written to files, and with more options behind it. */
static void example_command(struct test *t, const char *more)
{
    const char *command = t->expect->command, *at = strstr(command, "verisoft ");
    snprintf(t->command, sizeof t->command, "%.*sverisoft --json report.json %s%s%s", (int)(at - command), command,
             at + strlen("verisoft "), *more ? " " : "", more);
}

static void example_says_so(struct test *t)
{
    example_command(t, "");
    if (!run_report(t))
        return;
    check_status(t, result_of(t->expect));
    if (!is_error(t->expect))
        return;
    const json_t *error = json_array_get(json_object_get(t->report, "errors"), 0);
    if (strcmp(text(error, "kind"), t->expect->verdict))
        return complain(t, "the error is of kind %s; expected %s", text(error, "kind"), t->expect->verdict);
    check_scenario(t, error, text(error, "scenario"));
    check_replay(t, NULL, error);
}

static void example_is_shortest(struct test *t)
{
    example_command(t, "--search bfs");
    if (t->expect->depth < 0 || !run_report(t))
        return;
    const json_t *error = json_array_get(json_object_get(t->report, "errors"), 0);
    if (strcmp(text(error, "kind"), t->expect->verdict) || number(error, "depth") != t->expect->depth)
        complain(t, "%s at depth %ld; expected %s at depth %ld", text(error, "kind"), number(error, "depth"),
                 t->expect->verdict, t->expect->depth);
}

static void example_counts(struct test *t)
{
    static const struct way example_ways[] = {
        { "stateful", "stateful", "none", "--search stateful --stop-at-error 0" },
        { "none", "dfs", "none", "--search dfs --reduction none --stop-at-error 0" },
    };
    for (int i = 0; i < 2; i++) {
        example_command(t, example_ways[i].options);
        if (stated(t->expect, &example_ways[i]) && run_report(t))
            check_counts(t, &example_ways[i]);
    }
}

/* ---- all of it ---- */

static bool compile(struct test *t)
{
    bool plusplus = strstr(t->name, ".cc") != NULL;
    const char *compiler = getenv(plusplus ? "CXX" : "CC");
    if (!compiler || !*compiler)
        compiler = plusplus ? "g++" : "gcc";
    char *there = make("command -v %s", compiler);
    if (plusplus && shell(there)) {
        printf("no %s\n", compiler);
        exit(SKIP);
    }
    char *ours = t->source->posix ? strdup("") : make(" -I%s/include %s/verisoft-rt.o", t->project, t->build);
    snprintf(t->command, sizeof t->command, "%s -g -DVERIFY %s -w -o program %s%s%s", compiler, plusplus ? "" : "-std=gnu11",
             t->name, t->flags, ours);
    free(ours);
    free(there);
    if (shell(t->command) == 0)
        return true;
    char *err = contents("err");
    complain(t, "does not compile: %s", err);
    free(err);
    return false;
}

static void copy(struct test *t, const char *name)
{
    const char *slash = strrchr(t->source->path, '/');
    char *command = make("cp '%.*s/%s' .", (int)(slash - t->source->path), t->source->path, name);
    if (shell(command)) {
        printf("%s: cannot be copied\n", name);
        exit(1);
    }
    free(command);
}

static void run_case(struct test *t)
{
    bool posix = t->source->posix;
    const struct way *list = posix ? posix_ways : ways;
    size_t count = posix ? sizeof posix_ways / sizeof *posix_ways : sizeof ways / sizeof *ways;
    for (int i = 0; i < t->expect->files.count; i++)
        copy(t, t->expect->files.items[i]);
    if (!compile(t))
        return;
    for (size_t i = 0; i < count; i++)
        if (to_be_run(t->expect, &list[i]))
            (shallow(t, &list[i]) ? search_shallow : search)(t, &list[i]);
    for (size_t i = 0; i < count; i++)
        if (to_be_run(t->expect, &list[i]) && !shallow(t, &list[i]))
            search_all(t, &list[i]);
    if (posix)
        search_both_ways(t);
}

static void run_example(struct test *t)
{
    example_says_so(t);
    example_is_shortest(t);
    example_counts(t);
}

/* ---- what the machine allows ---- */

static bool in_a_child(bool (*try)(void))
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(!try());
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool trace(void)         { return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0; }
static bool fix_addresses(void) { return personality(ADDR_NO_RANDOMIZE) >= 0; }

static bool is_allowed(const struct expect *e)
{
    return (!expect_has(&e->needs, "tracing") || in_a_child(trace)) && (!expect_has(&e->needs, "addresses") || in_a_child(fix_addresses));
}

int main(int argc, char **argv)
{
    static struct source source;
    static struct replays replays;
    int failures = 0, compared = 0;
    if (argc != 4)
        return 1;
    expect_read(&source, argv[3]);
    for (int i = 0; i < source.expect_count; i++) {
        const struct expect *e = &source.expects[i];
        struct test t = { .project = argv[1], .build = argv[2], .source = &source, .expect = e, .unreduced = -1, .replays = &replays };
        if (!is_allowed(e))
            continue;
        compared++;
        char *arguments = expect_join(&e->arguments), *flags = expect_join(&e->flags);
        t.flags = source.posix ? make(" -pthread%s", flags) : flags;
        t.name = strrchr(source.path, '/') + 1;
        t.options = expect_join(&e->options);
        t.arguments = *arguments ? make(" --%s", arguments) : "";
        if (!e->command)
            copy(&t, t.name);
        (e->command ? run_example : run_case)(&t);
        json_decref(t.report);
        failures += t.failures;
    }
    if (!compared)
        puts("the system refuses here what is needed: tracing, or fixed addresses");
    return failures ? 1 : compared ? 0 : SKIP;
}
