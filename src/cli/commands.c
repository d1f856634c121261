/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define X(name) &command_##name,
const struct command *const commands[] = { COMMANDS(X) NULL };
#undef X

const struct command *command_find(const char *name)
{
    for (int i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

/* Words of the program under test may be among them: they are not to drive the terminal. */
static void say(const char *text)
{
    fputs("verisoft: ", stderr);
    for (; *text; text++)
        fputc(iscntrl((unsigned char)*text) && *text != '\t' && *text != '\n' ? '?' : *text, stderr);
    fputc('\n', stderr);
}

int command_failed(int code, const struct err *err)
{
    if (code == -EINTR) {
        fputs("verisoft: interrupted\n", stderr);
        return EXIT_INTERRUPTED;
    }
    say(err->text);
    return EXIT_UNUSABLE;
}
