/* The farm command: the database of a harness's properties, what came of them, and who works on it.
 * SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#include <stdio.h>

#ifndef HAVE_SQLITE

static int run(const char *self, int count, char **words)
{
    struct err err;
    (void)self, (void)count, (void)words;
    return command_failed(fail(&err, "this VeriSoft was built without the farm, for SQLite or libcrypt was missing; install them (apt-get install libsqlite3-dev libcrypt-dev), and "
                               "build again (make)"), &err);
}

#else

#include "cli/farm_actions.h"

#include "base/prose.h"
#include "base/suggest.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the command line ---- */

static const struct farm_action *action_of(const char *name)
{
    for (const struct farm_action *a = farm_actions; a->name; a++)
        if (!strcmp(a->name, name))
            return a;
    return NULL;
}

static int no_action(const char *name, struct err *err)
{
    struct suggestion nearest;
    suggest_start(&nearest, name);
    for (const struct farm_action *a = farm_actions; a->name; a++)
        suggest_offer(&nearest, a->name);
    return fail(err, "farm HARNESS %s: there is no such action%s (verisoft farm --help lists them)", words_shown(name).text, suggest_text(&nearest).text);
}

static int read_number(const char *option, const char *value, double least, double *to, struct err *err)
{
    char *end;
    *to = strtod(value, &end);
    return *value && !*end && *to >= least && *to <= 1e7 ? 0 : fail(err, "%s %s: a number of at least %g is expected", option, words_shown(value).text, least);
}

static int read_take(struct farm_request *r, const char *value, struct err *err)
{
    r->take = !strcmp(value, "ours") ? EDIT_OURS : !strcmp(value, "theirs") ? EDIT_THEIRS : EDIT_NEITHER;
    return r->take ? 0 : fail(err, "--take %s: write ours (what the harness has) or theirs (what is imported)", words_shown(value).text);
}

/* 1: this is no option with a value. */
static int read_option(struct farm_request *r, const char *option, const char *value, struct err *err)
{
    const struct { const char *name, **to; } texts[] = {
        { "--json", &r->json }, { "--junit", &r->junit }, { "--sarif", &r->sarif }, { "--database", &r->database }, { "--form", &r->form },
        { "--state", &r->filter.state }, { "--feature", &r->filter.feature }, { "--text", &r->filter.text }, { "--mail", &r->mail },
        { "--mail-to", &r->mail_to }, { "--link", &r->link }, { "--cluster", &r->cluster }, { "--listen", &r->listen },
        { "--role", &r->role } };
    const struct { const char *name; double least, *to; } numbers[] = {
        { "-j", 1, &r->jobs }, { "--memory", 16, &r->memory }, { "--time-limit", 0, &r->seconds }, { "--trails", 1, &r->trails }, { "--port", 0, &r->port } };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(option, texts[i].name)) {
            *texts[i].to = value;
            return value ? 0 : fail(err, "%s: the value is missing", option);
        }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(option, numbers[i].name))
            return value ? read_number(option, value, numbers[i].least, numbers[i].to, err) : fail(err, "%s: the value is missing", option);
    if (!strcmp(option, "--take"))
        return value ? read_take(r, value, err) : fail(err, "%s: the value is missing", option);
    return 1;
}

static bool read_flag(struct farm_request *r, const char *word)
{
    const struct { const char *name; bool *to; } flags[] = {
        { "--all", &r->all }, { "--once", &r->once }, { "--watch", &r->watch }, { "--no-browser", &r->no_browser },
        { "--no-page", &r->no_page } };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(word, flags[i].name)) {
            *flags[i].to = true;
            return true;
        }
    return false;
}

static int read_words(struct farm_request *r, int count, char **words, struct err *err)
{
    words_add(&r->names, "");        /* so that there is a list */
    free(words_take_last(&r->names));
    for (int i = 0; i < count; i++) {
        if (read_flag(r, words[i]))
            continue;
        int bad = read_option(r, words[i], i + 1 < count ? words[i + 1] : NULL, err);
        if (bad < 0)
            return bad;
        if (!bad)
            i++;
        else if (words[i][0] == '-' && words[i][1])
            return fail(err, "%s: farm has no such option (verisoft farm --help lists them)", words_shown(words[i]).text);
        else if (!r->harness)
            r->harness = words[i];
        else if (r->action)
            words_add(&r->names, words[i]);
        else if (!(r->action = action_of(words[i])))
            return no_action(words[i], err);
    }
    if (!r->harness)
        return fail(err, "which harness? Type: verisoft farm NAME.harness [action] [options]");
    if (r->action && (r->once || r->watch))
        return fail(err, "%s has no action beside it", r->once ? "--once" : "--watch");
    if (r->once && r->watch)
        return fail(err, "--once ends, and --watch goes on; leave one of them out");
    if (r->cluster && strcmp(r->cluster, "slurm"))
        return fail(err, "--cluster %s: there is slurm", words_shown(r->cluster).text);
    if (r->listen && (r->action || r->once || r->no_page || r->port))
        return fail(err, "--listen is about the page, and says its port");
    if (r->role && (!r->action || strcmp(r->action->name, "user")))
        return fail(err, "--role goes with user add");
    if (!r->watch && (r->mail || r->no_page))
        return fail(err, "%s goes with --watch", r->mail ? "--mail" : "--no-page");
    return 0;
}

/* Wherever it is typed, the farm lives in the harness's folder: places are told in the same way then, and names of files in the harness mean the same. */
static int move_in(struct farm_request *r, struct words *kept, struct err *err)
{
    const char **files[] = { &r->json, &r->junit, &r->sarif, &r->database, r->mail && strchr(r->mail, '/') ? &r->mail : &r->json };
    char here[PATH_MAX], *slash = strrchr(r->harness, '/');
    if (!slash)
        return 0;
    if (!getcwd(here, sizeof here))
        return fail_errno(err, "the current folder cannot be told");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (*files[i] && **files[i] != '/' && strcmp(*files[i], "-")) {
            words_add_format(kept, "%s/%s", here, *files[i]);
            *files[i] = kept->items[kept->count - 1];
        }
    int file = r->action ? r->action->file : -1;
    if (file >= 0 && (uint32_t)file < r->names.count && *r->names.items[file] != '/' && strcmp(r->names.items[file], "-")) {
        char *whole = prose_make("%s/%s", here, r->names.items[file]);
        free(r->names.items[file]);
        r->names.items[file] = whole;
    }
    char *folder = prose_make("%.*s", (int)(slash - r->harness) + 1, r->harness);
    int bad = chdir(folder) ? fail_errno(err, "%s: the harness cannot be read", r->harness) : 0;
    free(folder);
    r->harness = slash + 1;
    return bad;
}

static int run(const char *self, int count, char **words)
{
    struct words kept = { 0 };       /* names of files, made whole */
    struct farm_request r = { .jobs = 2, .memory = 1024, .trails = 5, .form = "chart" };
    struct err err;
    (void)self;
    if (count > 1 && !strcmp(words[1], "run"))
        return farm_run(words[0], count - 2, words + 2);
    int code, bad = read_words(&r, count, words, &err);
    if (!bad)
        bad = move_in(&r, &kept, &err);
    code = bad ? command_failed(bad, &err) : farm_act(&r);
    words_fini(&r.names);
    words_fini(&kept);
    return code;
}

#endif

static void help(void)
{
    fputs("\nActions:\n"
          "  (none)               the page in the browser, and work on what is started there\n"
          "  list                 all properties, each pending, running, verified or failed\n"
          "  show NAME            one of them, with its runs and its counter-example\n"
          "  start NAME...        put it in the queue (--all: all that are pending)\n"
          "  abort NAME...        take it out of the queue, or stop it (--all)\n"
          "  delete NAME...       forget a result: of a failure the counter-example that is\n"
          "                       shown, so that the next shortest is\n"
          "  export FILE          write all properties to a file; - is standard output\n"
          "  import FILE          take in properties; what differs is a conflict, and shown\n"
          "  put NAME FILE        one property, from a file, in the place of what is there\n"
          "  remove NAME          take a property out of the harness's file\n"
          "  map STATEMENT TEXT   what becomes of a statement that is left out: skip, true, false,\n"
          "                       keep, or Promela\n"
          "  user add NAME --role reader|editor, user remove NAME, user list\n"
          "                       accounts, for --listen; the password is asked for, or read\n"
          "                       from standard input\n"
          "  queue, history, features, model\n"
          "                       what runs and waits; what broke when; precedences; what is\n"
          "                       left out of the model\n\n"
          "  --once               verify what is pending, and end: for continuous integration\n"
          "  --junit FILE, --sarif FILE   with --once\n"
          "  --watch              verify again whenever sources, map or harness change\n"
          "  --mail COMMAND       with --watch: give a mail about what broke to this command,\n"
          "                       for instance /usr/sbin/sendmail (default: no mail)\n"
          "  --mail-to ADDRESS    to this one, not to who changed the lines, as git says\n"
          "  --link ADDRESS       of the page, to be told in mails\n"
          "  --no-page            with --watch: no page, only the work\n"
          "  -j N                 runs at one time (default 2)\n"
          "  --cluster slurm      as jobs of Slurm, N at a time, not here\n"
          "  --memory MB, --time-limit S, --trails N   of one run, as verify has them\n"
          "  --state S, --feature F, --text T   which properties list shows\n"
          "  --form NAME          of show: chart, statements, variables\n"
          "  --take ours|theirs   of import: which side of a conflict\n"
          "  --database FILE      (default: beside the harness, NAME.farm)\n"
          "  --json FILE          what an action shows, for programs; - is standard output\n"
          "  --port N, --no-browser   of the page\n"
          "  --listen ADDRESS:PORT   the page for other machines, too, for who has an account\n\n"
          "Exit status: 0 all verified, 1 some failed (import: conflicts), 2 unusable, 3 nothing\nfailed but not all is verified.\n", stdout);
}

const struct command command_farm = {
    .name     = "farm",
    .synopsis = "farm NAME.harness [action] [property ...] [options]",
    .summary  = "keep properties and their verdicts in a database, verify them side by side, again whenever the code changes",
    .help     = help,
    .run      = run,
};
