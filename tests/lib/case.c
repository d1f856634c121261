/* Checks one program against what its first comment expects, with every search and every reduction.
 *
 *     case PROJECT BUILD FILE       in an empty folder; PROJECT and BUILD are absolute paths
 *
 * Ends with 0 when all is as expected, 77 when the test cannot be run, else 1; what is wrong is printed with the command that
 * shows it. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "expect.h"

#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 1500, SKIP = 77, NO_NUMBER = -1, MOST_COMPLAINTS = 6 };        /* seconds, to end a hang */
#define SHALLOW " --max-depth 8"     /* for what would take too long */

/* One way to search. */
struct way { const char *label, *search, *reduction, *options; };

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

struct test {
    const char          *project, *build;
    const struct source *source;
    const struct expect *expect;
    const char          *name;               /* of the source in this folder */
    char                *flags;              /* for the compiler, "" or " -DWRONG" */
    char                *options, *arguments;        /* "" or " --nproc 3", " -- 5" */
    long                 unreduced;          /* transitions of the search without reduction, -1: not run */
    char                 command[4096];      /* the one that was run last */
    json_t              *report;
    int                  status;
    int                  failures;
};

/* ---- saying what is wrong ---- */

__attribute__((format(printf, 2, 3))) static void complain(struct test *t, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    if (t->failures++ >= MOST_COMPLAINTS)
        return;
    printf("%s:%d: ", t->source->path, t->expect->line);
    vprintf(format, rest);
    printf("\n    %s\n", t->command);
}

static char *make(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *make(const char *format, ...)
{
    char *text = NULL;
    va_list rest;
    va_start(rest, format);
    if (vasprintf(&text, format, rest) < 0)
        abort();
    va_end(rest);
    return text;
}

/* ---- running ---- */

static pid_t running;

static void too_long(int signal)
{
    (void)signal;
    kill(-running, SIGTERM);
    sleep(1);
    kill(-running, SIGKILL);
}

/* Its output goes to the files out and err. Gives the exit status, or 128 + the signal. */
static int shell(const char *command)
{
    int status = 0;
    fflush(stdout);
    running = fork();
    if (running == 0) {
        setpgid(0, 0);
        if (!freopen("/dev/null", "r", stdin) || !freopen("out", "w", stdout) || !freopen("err", "w", stderr))
            _exit(126);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    setpgid(running, running);
    signal(SIGALRM, too_long);
    alarm(PATIENCE);
    while (waitpid(running, &status, 0) < 0)
        ;
    alarm(0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static char *contents(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file || getdelim(&text, &room, '\0', file) < 0)
        text = strdup("");
    if (file)
        fclose(file);
    return text;
}

static bool holds(const char *path, const char *text)
{
    char *all = contents(path);
    bool found = strstr(all, text) != NULL;
    free(all);
    return found;
}

/* The same, wherever lines are broken. */
static bool tells(const char *path, const char *text)
{
    char *all = contents(path), *to = all;
    for (const char *from = all; *from; from++)
        if (*from != '\n' && (*from != ' ' || (to > all && to[-1] != ' ')))
            *to++ = *from;
        else if (to > all && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
    bool found = strstr(all, text) != NULL;
    free(all);
    return found;
}

/* ---- the report ---- */

static long number(const json_t *report, const char *key)
{
    const json_t *value = json_object_get(report, key);
    return json_is_integer(value) ? (long)json_integer_value(value) : NO_NUMBER;
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

/* A limit of ours: no error, but something found, with its place and a scenario. */
static bool is_limit(const struct expect *e) { return !strcmp(e->verdict, "unsupported"); }

static bool is_error(const struct expect *e)
{
    return strcmp(e->verdict, "complete") && strcmp(e->verdict, "incomplete") && !is_limit(e);
}

static const char *result_of(const struct expect *e)
{
    return is_error(e) ? "errors" : is_limit(e) ? "incomplete" : e->verdict;
}

static bool run_report(struct test *t)
{
    json_error_t error;
    json_decref(t->report);
    unlink("report.json");
    if (system("rm -f error*.path unsupported*.path unconfirmed*.path"))
        abort();
    t->status = shell(t->command);
    t->report = json_load_file("report.json", 0, &error);
    if (t->report)
        return true;
    char *err = contents("err");
    complain(t, "exit status %d and no report: %s", t->status, err);
    free(err);
    return false;
}

static void check_names(struct test *t, const struct way *w)
{
    if (t->source->posix && !strcmp(w->label, "auto"))
        return;                      /* what is found before a thread is made is found as in any other program */
    if (strcmp(text(t->report, "search"), w->search) || strcmp(text(t->report, "reduction"), w->reduction))
        complain(t, "the report says search %s, reduction %s", text(t->report, "search"), text(t->report, "reduction"));
}

static void check_status(struct test *t, const char *result)
{
    int status = !strcmp(result, "complete") ? 0 : !strcmp(result, "errors") ? 1 : 3;
    if (strcmp(text(t->report, "result"), result))
        complain(t, "the result is %s; expected %s", text(t->report, "result"), result);
    if (t->status != status)
        complain(t, "exit status %d; expected %d", t->status, status);
    bool stopped = !json_is_null(json_object_get(t->report, "stopped_by"));
    if (!strcmp(result, "complete") && (stopped || strcmp(text(t->report, "coverage"), "all")))
        complain(t, "complete, but stopped by '%s' with coverage '%s'", text(t->report, "stopped_by"), text(t->report, "coverage"));
}

/* Between the numbers of any report. */
static void check_sums(struct test *t, const struct way *w)
{
    long states = number(t->report, "states"), transitions = number(t->report, "transitions");
    bool whole = !strcmp(w->search, "dfs") || !strcmp(w->search, "iterative");
    if (states == 0 && transitions == 0 && !strcmp(t->expect->verdict, "structure"))
        return;                      /* the program is not one that can be searched */
    if (states < 1 || transitions < 0)
        return complain(t, "%ld states, %ld transitions", states, transitions);
    if (whole && states != transitions + 1)
        complain(t, "a tree of %ld states has not %ld transitions", states, transitions);
    if (strcmp(w->search, "random") && strcmp(w->search, "auto") && transitions < states - 1)
        complain(t, "%ld states were entered by %ld transitions", states, transitions);
    if (number(t->report, "max_depth") > transitions)
        complain(t, "depth %ld with %ld transitions", number(t->report, "max_depth"), transitions);
    if (t->expect->native >= 0 && number(t->report, "native_transitions") > t->expect->native)
        complain(t, "the program itself ran %ld transitions; %ld are enough", number(t->report, "native_transitions"),
                 t->expect->native);
}

/* ---- errors ---- */

static bool expected_kind(const struct expect *e, const char *kind)
{
    for (int i = 0; i < e->error_count; i++)
        if (!strcmp(e->errors[i].kind, kind))
            return true;
    return !strcmp(e->verdict, kind);
}

/* Where nothing is marked, nothing may have a place. */
static bool marked(const struct test *t, const char *location)
{
    for (int i = 0; i < t->source->marked_count; i++) {
        char *place = make("%s:%d", t->name, t->source->marked[i]);
        bool same = !strcmp(place, location);
        free(place);
        if (same)
            return true;
    }
    return false;
}

/* The error, and where the processes stand that have a part in it. */
static void check_location(struct test *t, const json_t *error)
{
    size_t i;
    const json_t *step, *location = json_object_get(error, "location");
    if (!json_is_null(location) && !marked(t, text(error, "location")))
        complain(t, "the error is at %s, which is not marked /* ERROR */", text(error, "location"));
    if (json_is_null(location) && t->source->marked_count && strcmp(text(error, "kind"), "deadlock"))
        complain(t, "the error has no location");
    json_array_foreach(json_object_get(error, "steps"), i, step)
        if (json_is_null(json_object_get(step, "step")) && *text(step, "location") && !marked(t, text(step, "location")))
            complain(t, "a process stands at '%s', which is not marked /* ERROR */", text(step, "location"));
}

/* bfs finds a shortest one, the layers one within the layer; nothing finds a shorter one. */
static void check_depth(struct test *t, const struct way *w, long depth)
{
    long least = t->expect->depth;
    bool default_layers = !expect_has(&t->expect->options, "--depth-incr");
    bool layers = !strcmp(w->search, "iterative") && (!strcmp(w->label, "none") || !strcmp(w->label, "sleep"));
    if (least < 0)
        return;
    if (depth < least || (!strcmp(w->label, "bfs") && depth != least))
        complain(t, "an error at depth %ld; the shortest is at %ld", depth, least);
    if (layers && default_layers && depth > (least + 4) / 5 * 5)
        complain(t, "an error at depth %ld; there is one at %ld, in an earlier layer", depth, least);
}

static void check_words(struct test *t, const json_t *error)
{
    for (int i = 0; i < t->expect->messages.count; i++) {
        const char *wanted = t->expect->messages.items[i];
        if (!strstr(text(error, "message"), wanted) && !strstr(text(error, "explanation"), wanted))
            complain(t, "neither message nor explanation says \"%s\": %s\n%s", wanted, text(error, "message"),
                     text(error, "explanation"));
    }
}

/* What VS_print said is in the story and in the file. */
static void check_notes(struct test *t, const json_t *error, const char *scenario)
{
    char *story = json_dumps(json_object_get(error, "steps"), 0);
    for (int i = 0; i < t->expect->notes.count; i++) {
        const char *wanted = t->expect->notes.items[i];
        if (!strstr(story, wanted))
            complain(t, "the story has no note \"%s\"", wanted);
        if (!holds(scenario, wanted))
            complain(t, "%s has no note \"%s\"", scenario, wanted);
    }
    free(story);
}

/* Header, error and a line for each transition. */
static void check_scenario(struct test *t, const json_t *error, const char *scenario)
{
    char *all = contents(scenario), *rest = all, *line;
    long steps = 0;
    if (strncmp(all, "verisoft-path 1\n", 16))
        complain(t, "%s does not begin with its version", scenario);
    char *header = make("\nerror: %s at depth %ld: ", text(error, "kind"), number(error, "depth"));
    if (!strstr(all, header))
        complain(t, "%s does not name its error", scenario);
    while ((line = strsep(&rest, "\n")))
        steps += *line >= '1' && *line <= '9';
    if (steps != number(error, "depth"))
        complain(t, "%s has %ld transitions; the error is at depth %ld", scenario, steps, number(error, "depth"));
    free(header);
    free(all);
}

/* Types what the report says to type: the same error must come. */
static void check_replay(struct test *t, const json_t *error)
{
    char *report = contents("out"), *line = strstr(report, "see it happen:  ");
    if (!line) {
        complain(t, "the report does not say how to replay the error");
        free(report);
        return;
    }
    line += strlen("see it happen:  ");
    line[strcspn(line, "\n")] = '\0';
    int status = shell(line), expected = is_limit(t->expect) ? 3 : 1;
    if (status != expected)
        complain(t, "exit status %d of the replay, expected %d: %s", status, expected, line);
    if (strcmp(text(error, "kind"), "nondeterminism") && !tells("out", text(error, "message")))
        complain(t, "the replay does not say '%s': %s", text(error, "message"), line);
    free(report);
}

static void check_error(struct test *t, const struct way *w, const json_t *error)
{
    const struct expect *e = t->expect;
    const char *kind = text(error, "kind"), *scenario = text(error, "scenario");
    if (!expected_kind(e, kind))
        return complain(t, "the error is of kind %s; expected %s", kind, e->verdict);
    check_location(t, error);
    check_scenario(t, error, scenario);
    if (strcmp(kind, e->verdict))
        return;
    check_depth(t, w, number(error, "depth"));
    if (e->process >= 0 && number(error, "process") != e->process)
        complain(t, "the error is of process %ld; expected %ld", number(error, "process"), e->process);
    check_words(t, error);
    check_notes(t, error, scenario);
}

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

/* No error, and the first limit is the one that is expected. Found by every path that comes there, it is told once. */
static void check_limit(struct test *t, const struct way *w)
{
    const json_t *limits = json_object_get(t->report, "unsupported"), *limit = json_array_get(limits, 0), *other;
    size_t i, k;
    if (json_array_size(json_object_get(t->report, "errors")))
        return complain(t, "errors; expected none");
    if (!limit)
        return complain(t, "nothing is unsupported");
    check_location(t, limit);
    check_depth(t, w, number(limit, "depth"));
    check_words(t, limit);
    if (t->expect->process >= 0 && number(limit, "process") != t->expect->process)
        complain(t, "it is process %ld; expected %ld", number(limit, "process"), t->expect->process);
    if (!*text(limit, "function") || number(limit, "paths") < 1)
        complain(t, "the function is '%s', paths %ld", text(limit, "function"), number(limit, "paths"));
    if (strncmp(text(limit, "scenario"), "unsupported", 11))
        complain(t, "the scenario is %s", text(limit, "scenario"));
    json_array_foreach(limits, i, limit)
        json_array_foreach(limits, k, other)
            if (i < k && !strcmp(text(limit, "function"), text(other, "function"))
                && !strcmp(text(limit, "location"), text(other, "location")))
                complain(t, "%s at %s is there twice", text(limit, "function"), text(limit, "location"));
    check_replay(t, json_array_get(limits, 0));
}

static void check_first(struct test *t, const struct way *w)
{
    const json_t *errors = json_object_get(t->report, "errors");
    if (json_array_size(errors) < 1)
        return complain(t, "no error was found; expected %s", t->expect->verdict);
    check_error(t, w, json_array_get(errors, 0));
    check_replay(t, json_array_get(errors, 0));
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

static void check_tally(struct test *t)
{
    const json_t *error;
    size_t i;
    for (int k = 0; k < t->expect->error_count; k++) {
        long found = 0;
        json_array_foreach(json_object_get(t->report, "errors"), i, error)
            found += !strcmp(text(error, "kind"), t->expect->errors[k].kind);
        if (found != t->expect->errors[k].value)
            complain(t, "%ld errors of kind %s; expected %ld", found, t->expect->errors[k].kind, t->expect->errors[k].value);
    }
    json_array_foreach(json_object_get(t->report, "errors"), i, error)
        if (!expected_kind(t->expect, text(error, "kind")))
            complain(t, "an error of kind %s", text(error, "kind"));
}

/* What is stated of stateful is true of bfs too. */
static void check_counts(struct test *t, const struct way *w)
{
    for (int i = 0; i < t->expect->count_count; i++) {
        const struct count *c = &t->expect->counts[i];
        bool stated = !strcmp(c->search, w->label) || (!strcmp(c->search, "stateful") && !strcmp(w->label, "bfs"));
        bool layered = !strcmp(w->search, "iterative") && !strcmp(c->what, "depth_cut");
        if (stated && !layered && number(t->report, c->what) != c->value)
            complain(t, "%ld %s; expected %ld", number(t->report, c->what), c->what, c->value);
    }
}

static void check_local(struct test *t)
{
    const json_t *local = json_object_get(t->report, "local_states");
    bool same = (int)json_array_size(local) == t->expect->local_count;
    for (int i = 0; same && i < t->expect->local_count; i++)
        same = json_integer_value(json_array_get(local, (size_t)i)) == t->expect->local[i];
    char *are = json_dumps(local, 0);
    if (!same)
        complain(t, "the local states are %s", are);
    free(are);
}

/* No reduction explores more than none. */
static void check_reduced(struct test *t, const struct way *w)
{
    long transitions = number(t->report, "transitions");
    if (!strcmp(w->search, "dfs") && !strcmp(w->reduction, "none"))
        t->unreduced = transitions;
    else if (!strcmp(w->search, "dfs") && t->unreduced >= 0 && transitions > t->unreduced)
        complain(t, "%ld transitions; without reduction there are %ld", transitions, t->unreduced);
}

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

static const char *const same[] = { "states", "transitions", "executions", "sleep_cut", "depth_cut", "max_depth", NULL };

static char *kinds_of(const json_t *report)
{
    const json_t *error;
    size_t i;
    char *all = strdup("");
    json_array_foreach(json_object_get(report, "errors"), i, error) {
        char *more = make("%s %s at depth %ld;", all, text(error, "kind"), number(error, "depth"));
        free(all);
        all = more;
    }
    return all;
}

/* Memory that is put back, and a program that is started again, must give the same report. */
static void compare_ways(struct test *t, const json_t *put_back)
{
    for (int i = 0; same[i]; i++)
        if (number(put_back, same[i]) != number(t->report, same[i]))
            complain(t, "%ld %s; without --restart %ld", number(t->report, same[i]), same[i], number(put_back, same[i]));
    char *before = kinds_of(put_back), *after = kinds_of(t->report);
    if (strcmp(before, after))
        complain(t, "errors:%s without --restart:%s", after, before);
    if (strcmp(text(put_back, "result"), text(t->report, "result")))
        complain(t, "%s; without --restart %s", text(t->report, "result"), text(put_back, "result"));
    if (number(t->report, "restores") != 0)
        complain(t, "memory was put back %ld times", number(t->report, "restores"));
    free(before);
    free(after);
}

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
    check_replay(t, error);
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
    int failures = 0, compared = 0;
    if (argc != 4)
        return 1;
    expect_read(&source, argv[3]);
    for (int i = 0; i < source.expect_count; i++) {
        const struct expect *e = &source.expects[i];
        struct test t = { .project = argv[1], .build = argv[2], .source = &source, .expect = e, .unreduced = -1 };
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
