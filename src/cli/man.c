/* The man command: verisoft(1) in roff, from the same tables as the help. For the build, not for users.
 * SPDX-License-Identifier: MIT */
#include "cli/commands.h"
#include "cli/config.h"

#include <stdio.h>

/* Text as roff takes it: a dash is a dash, and no line begins with a control character. */
static void put(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; text++)
        switch (*text) {
        case '-':  fputs("\\-", stdout); break;
        case '\\': fputs("\\e", stdout); break;
        default:   putchar(*text);
        }
}

static void line(const char *text)
{
    put(text);
    putchar('\n');
}

static void example(const char *text)
{
    puts(".PP\n.nf\n.RS");
    line(text);
    puts(".RE\n.fi");
}

static void item(const char *name, const char *value, const char *help)
{
    printf(".TP\n\\fB");
    put(name);
    printf("\\fR");
    if (value) {
        printf(" \\fI");
        put(value);
        printf("\\fR");
    }
    putchar('\n');
    line(help);
}

static void opening(void)
{
    puts(".TH VERISOFT 1 \"\" \"VeriSoft " VERSION "\" \"User Commands\"\n.SH NAME\n"
         "verisoft \\- find the errors of concurrent C and C++ programs, and replay them\n.SH SYNOPSIS");
    for (int i = 0; commands[i]; i++) {
        if (!commands[i]->summary)
            continue;
        printf(".B verisoft\n");
        line(commands[i]->synopsis);
        puts(".br");
    }
    puts(".SH DESCRIPTION");
    line("VeriSoft runs a real concurrent program in all the ways in which its processes can interleave, and with all the values "
         "that VS_toss can give, leaves out those that cannot differ, and reports each deadlock, livelock, divergence, crash and "
         "violated assertion with a scenario that replays it.");
    puts(".PP");
    line("PROGRAM is one or more C or C++ source files, with object files and archives, compiled by $CC or $CXX with -g and "
         "-DVERIFY; or any one dynamically linked executable. Several programs, all sources or all executables, with + between them, are checked together. Options that begin with -D -U -I -L -l -std -f -W -O -g -m or "
         "-pthread go to the compiler. What stands behind -- are arguments of the program.");
    puts(".SH COMMANDS");
    for (int i = 0; commands[i]; i++)
        if (commands[i]->summary)
            item(commands[i]->name, NULL, commands[i]->summary);
}

static void option_item(enum option_id id)
{
    struct option_text number;
    const char *standard = option_default(id, &number);
    item(option_on_command_line(id).text, options[id].value, options[id].help);
    if (standard) {
        printf("(default ");
        put(standard);
        puts(")");
    }
}

static void option_items(void)
{
    puts(".SH OPTIONS");
    line("A value may also be joined to its option by an equals sign. A 0|1 may be left out and then is 1. The parameters that may "
         "stand in " CONFIG_NAME " too are named there with underscores: --max-depth 100 is max_depth 100.");
    for (int group = 0; group < GROUP_COUNT; group++) {
        printf(".SS %s\n", option_group_titles[group]);
        for (int id = 0; id < OPTION_COUNT; id++)
            if ((int)options[id].group == group)
                option_item(id);
    }
}

static void choice_items(const char *title, enum option_id id)
{
    int count;
    const struct choice *choices = option_choices(id, &count);
    printf(".SH %s\n", title);
    for (int i = 0; i < count; i++)
        item(choices[i].name, NULL, choices[i].help);
}

static void closing(void)
{
    puts(".SH EXIT STATUS");
#define X(name, status, help) item(#status, NULL, help);
    EXITS(X)
#undef X
    puts(".SH FILES");
    item(CONFIG_NAME, NULL, "parameters and structural properties, read from the current folder when it is there; "
         "verisoft help " CONFIG_NAME " prints one with all parameters");
    item("error1.path, error2.path, ...", NULL, "the scenarios of the errors that were found; a name that an earlier run has taken is passed over");
    item("unsupported1.path, unconfirmed1.path, ...", NULL, "of what is not controlled; of what could not be replayed");
    item("sss.VS", NULL, "the state space, with --save-state-space");
    puts(".SH ENVIRONMENT");
    item("CC, CXX", NULL, "the compilers (default gcc and g++)");
    item("TMPDIR", NULL, "where programs are compiled (default /tmp); nothing is left there");
    item("NO_COLOR", NULL, "when set, no colours");
    puts(".SH EXAMPLES");
    example("verisoft main.c");
    example("verisoft main.c -DN=4 -lm --search stateful --json report.json -- 3");
    example("verisoft replay main.c error1.path");
}

static int run(const char *self, int count, char **words)
{
    (void)self, (void)count, (void)words;
    opening();
    option_items();
    choice_items("SEARCHES", OPTION_search);
    choice_items("REDUCTIONS", OPTION_reduction);
    closing();
    return 0;
}

const struct command command_man = { .name = "man", .synopsis = "man", .run = run };
