/* The help command.
 * SPDX-License-Identifier: MIT */
#include "cli/help.h"

#include "cli/config.h"
#include "base/prose.h"
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, COLUMN = 28 };       /* of what every terminal has */

void help_usage(void)
{
    fputs("verisoft finds the errors of concurrent C and C++ programs, and replays them.\n\n"
          "  verisoft main.c                     search every way in which the processes or\n"
          "                                      threads of main.c can interleave\n"
          "  verisoft ./program -- 3             the same of an executable\n"
          "  verisoft replay main.c error1.path  see how the first error came about\n"
          "  verisoft main.c --stop-at-error 0   find all errors\n\n"
          "verisoft --help lists everything else.\n", stderr);
}

/* Text from COLUMN on, where `used` columns of the first line are taken. */
static void wrapped(const char *text, int used)
{
    if (used >= COLUMN) {
        putchar('\n');
        used = 0;
    }
    int at = COLUMN;
    printf("%*s", COLUMN - used, "");
    for (size_t word; *text; text += word + (text[word] == ' ')) {
        word = strcspn(text, " ");
        if (at > COLUMN && at + 1 + (int)word > WIDTH) {
            printf("\n%*s", COLUMN, "");
            at = COLUMN;
        }
        at += printf("%s%.*s", at > COLUMN ? " " : "", (int)word, text);
    }
    putchar('\n');
}

static void option_line(enum option_id id)
{
    const struct option *o = &options[id];
    struct option_text number;
    const char *standard = option_default(id, &number);
    char text[400];
    snprintf(text, sizeof text, "%s%s%s%s", o->help, standard ? " (default " : "", standard ? standard : "", standard ? ")" : "");
    wrapped(text, printf("  %s %s", option_on_command_line(id).text, o->value ? o->value : ""));
}

static void option_lines(unsigned where)
{
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool titled = false;
        for (int id = 0; id < OPTION_COUNT; id++) {
            if ((int)options[id].group != group || !(options[id].where & where))
                continue;
            if (!titled)
                printf("\n%s:\n", option_group_titles[group]);
            titled = true;
            option_line(id);
        }
    }
    puts("\nTo the compiler go -D -U -I -L -l -std -f -W -O -g -m -pthread.");
}

static void choice_lines(const char *title, enum option_id id)
{
    int count;
    const struct choice *choices = option_choices(id, &count);
    printf("\n%s:\n", title);
    for (int i = 0; i < count; i++)
        wrapped(choices[i].help, printf("  %s", choices[i].name));
}

static void exit_lines(void)
{
    puts("\nExit status:");
#define X(name, status, help) wrapped(help, printf("  %d", status));
    EXITS(X)
#undef X
}

static void command_lines(const struct command *c)
{
    char line[256];
    snprintf(line, sizeof line, "verisoft %s", c->synopsis);
    prose_wrap(stdout, line, 2, 4, WIDTH);
    prose_wrap(stdout, c->summary, 6, 6, WIDTH);
}

void help_all(void)
{
    puts("verisoft finds the errors of concurrent C and C++ programs, and replays them.\n");
    for (int i = 0; commands[i]; i++)
        if (commands[i]->summary)
            command_lines(commands[i]);
    prose_wrap(stdout, "\nPROGRAM is one or more C or C++ source files (and object files), or any one dynamically linked executable; several programs, all sources or all executables, with + between them, "
               "are checked together. "
               "Parameters may also stand in " CONFIG_NAME " in the current folder (verisoft help " CONFIG_NAME " prints one).",
               0, 0, WIDTH);
    option_lines(ALL);
    choice_lines("Searches", OPTION_search);
    choice_lines("Reductions", OPTION_reduction);
    exit_lines();
}

void help_command(const struct command *c)
{
    if (c->summary)
        command_lines(c);
    if (c->help)
        c->help();
    if (!c->options)
        return;
    option_lines(c->options);
    if (c->options & (IN_CHECK | IN_TEST)) {
        choice_lines("Searches", OPTION_search);
        choice_lines("Reductions", OPTION_reduction);
    }
    exit_lines();
}

static void sample_parameter(enum option_id id)
{
    const struct option *o = &options[id];
    struct option_text number;
    const char *standard = option_default(id, &number);
    int count = 0;
    struct prose help = { 0 };
    prose_add(&help, "%s", o->help);
    const struct choice *choices = o->kind == KIND_CHOICE ? option_choices(id, &count) : NULL;
    for (int i = 0; i < count; i++)
        prose_add(&help, "%s %s", i ? "," : ":", choices[i].name);
    putchar('\n');
    for (const char *at = help.text; *at;) {
        size_t part = prose_fitting(at, WIDTH - 2);
        printf("# %.*s\n", (int)part, at);
        at += part + strspn(at + part, " ");
    }
    prose_fini(&help);
    printf("# %s %s\n", o->name, standard ? standard : o->value);
}

/* Every line a comment: a default that is written down counts as given, and some defaults depend on what is given. */
void help_sample(void)
{
    printf("%s%d\n# One parameter and its value a line; # begins a comment. What is given on the\n# command line wins.\n",
           CONFIG_HEADER, CONFIG_VERSION);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (options[id].where & IN_FILE)
            sample_parameter(id);
    puts("\n# Structural properties: which process may do which operation on which object.\n"
         "# Where nothing is said of an operation on an object, every process may do it.\n"
         "# Objects count from 0 and processes from 1; process 0 is none.\n"
         "# send_to_queue 0 1       queue 0, process 1\n"
         "# semwait 0 1 2           semaphore 0, index 1, process 2");
}

static int no_topic(const char *topic)
{
    struct suggestion near;
    struct err err;
    suggest_start(&near, topic);
    for (int i = 0; commands[i]; i++)
        suggest_offer(&near, commands[i]->name);
    suggest_offer(&near, CONFIG_NAME);
    return command_failed(fail(&err, "there is no help on '%s'%s", words_shown(topic).text, suggest_text(&near).text), &err);
}

static int run(const char *self, int count, char **words)
{
    (void)self;
    const struct command *c = count ? command_find(words[0]) : NULL;
    if (!count)
        help_all();
    else if (c)
        help_command(c);
    else if (!strcmp(words[0], CONFIG_NAME))
        help_sample();
    else
        return no_topic(words[0]);
    return 0;
}

const struct command command_help = {
    .name     = "help",
    .synopsis = "help [COMMAND | " CONFIG_NAME "]",
    .summary  = "explain a command, or print a sample " CONFIG_NAME " with all parameters",
    .run      = run,
};
