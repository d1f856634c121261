/* SPDX-License-Identifier: MIT */
#include "cli/commands.h"

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

int command_failed(int code, const struct err *err)
{
    if (code == -EINTR) {
        fputs("verisoft: interrupted\n", stderr);
        return EXIT_INTERRUPTED;
    }
    fprintf(stderr, "verisoft: %s\n", err->text);
    return EXIT_UNUSABLE;
}
