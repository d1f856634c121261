/* The farm's accounts: user add, remove, list. A password is asked for on a terminal, where nobody sees it, or is the first line of standard input.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cli/farm_actions.h"

#include "farm/accounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static void end_line(char *line)
{
    line[strcspn(line, "\r\n")] = '\0';
}

/* Gives; NULL with err. */
static char *read_password(const char *name, struct err *err)
{
    struct termios before, silent;
    bool terminal = isatty(0) && !tcgetattr(0, &before);
    char *line = NULL;
    size_t room = 0;
    if (terminal) {
        silent = before;
        silent.c_lflag &= ~(tcflag_t)ECHO;
        fprintf(stderr, "Password of %s: ", name);
        tcsetattr(0, TCSAFLUSH, &silent);
    }
    bool there = getline(&line, &room, stdin) > 0;
    if (terminal) {
        tcsetattr(0, TCSAFLUSH, &before);
        fputc('\n', stderr);
    }
    if (there) {
        end_line(line);
        return line;
    }
    free(line);
    fail(err, "user add %s: there is no password on standard input", name);
    return NULL;
}

static int add(struct farm_context *c, const char *name, struct err *err)
{
    const char *as = c->request->role;
    enum rights role = !as ? RIGHTS_NONE : !strcmp(as, "editor") ? RIGHTS_EDITOR : !strcmp(as, "reader") ? RIGHTS_READER : RIGHTS_NONE;
    if (role == RIGHTS_NONE)
        return fail(err, "user add: say what it may do, --role reader or --role editor");
    char *password = read_password(name, err);
    int bad = password ? accounts_add(c->farm.store, name, role, password, err) : -1;
    if (password)
        explicit_bzero(password, strlen(password));
    free(password);
    return bad;
}

static int list(struct farm_context *c, struct err *err)
{
    json_t *all = accounts_list(c->farm.store, err), *one;
    size_t i;
    int bad = all ? 0 : -1;
    if (all && c->request->json)
        bad = farm_print(c->request, all, err);
    else
        json_array_foreach(all, i, one)
            printf("%-20s %s\n", json_string_value(json_object_get(one, "name")), json_string_value(json_object_get(one, "role")));
    json_decref(all);
    return bad;
}

int farm_user(struct farm_context *c, int *status, struct err *err)
{
    const char *what = c->request->names.items[0], *name = c->request->names.count > 1 ? c->request->names.items[1] : NULL;
    (void)status;
    if (!strcmp(what, "list") && !name)
        return list(c, err);
    if (!strcmp(what, "add") && name)
        return add(c, name, err);
    if (!strcmp(what, "remove") && name)
        return accounts_remove(c->farm.store, name, err);
    return fail(err, "farm HARNESS user: write user add NAME --role reader|editor, user remove NAME, or user list");
}
