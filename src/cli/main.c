/* The command `verisoft`: which of its commands is meant, and off.
 * SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "cli/help.h"
#include "cli/request.h"
#include "cli/signals.h"
#include "base/suggest.h"

#include <fcntl.h>
#include <poll.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A file opened in the place of a closed standard stream would be written to as if it were one. */
static void open_standard_streams(void)
{
    int fd;
    while ((fd = open("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO)
        ;
    if (fd >= 0)
        close(fd);
}

/* The command that the words name, or NULL; `-simul`, wherever it stands, is the simulator's. */
static const struct command *named(int *count, char ***words)
{
    const struct command *c = command_find((*words)[0]);
    if (c) {
        --*count;
        ++*words;
    }
    return (!c || c == &command_check) && request_has(*count, *words, "-simul") ? &command_simulate : c;
}

/* A first word that is neither command nor file, but nearly a command. */
static int misspelt(const char *word, struct err *err)
{
    struct suggestion near;
    suggest_start(&near, word);
    for (int i = 0; commands[i]; i++)
        if (commands[i]->summary)
            suggest_offer(&near, commands[i]->name);
    if (!near.best || !access(word, F_OK))
        return 0;
    return fail(err, "%s: is neither a command nor a file%s", word, suggest_text(&near).text);
}

/* What can be answered without running a command; false: nothing of the kind was asked. */
static bool answered(const struct command *c, int count, char **words)
{
    if (request_has(count, words, "--version"))
        puts("verisoft " VERSION);
    else if (!request_has(count, words, "--help") && !request_has(count, words, "-h"))
        return false;
    else if (c)
        help_command(c);
    else
        help_all();
    return true;
}

static int dispatch(const char *self, int count, char **words)
{
    struct err err;
    const struct command *c = named(&count, &words);
    if (!(c && c->foreign) && answered(c, count, words))
        return 0;
    int failed = c ? 0 : misspelt(words[0], &err);
    return failed ? command_failed(failed, &err) : (c ? c : &command_check)->run(self, count, words);
}

/* What was printed has reached somebody, or nobody reads it any more, which is no failure of ours. */
static int written(int code)
{
    bool bad = fflush(stdout) != 0 || ferror(stdout);
    struct pollfd out = { .fd = STDOUT_FILENO };
    if (!bad || code == EXIT_UNUSABLE || (poll(&out, 1, 0) > 0 && out.revents & POLLERR))
        return code;
    fputs("verisoft: standard output: not all of it could be written\n", stderr);
    return EXIT_UNUSABLE;
}

/* Or a deep call would end it without a word. */
static bool has_stack(void)
{
    enum { ENOUGH = 1 << 20 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= ENOUGH)
        return true;
    limit.rlim_cur = ENOUGH;
    return setrlimit(RLIMIT_STACK, &limit) == 0;
}

int main(int argc, char **argv)
{
    open_standard_streams();
    if (!has_stack()) {
        fputs("verisoft: the stack is too small (see ulimit -s): allow 1024 kB\n", stderr);
        return EXIT_UNUSABLE;
    }
    signals_catch();
    json_set_alloc_funcs(memory_get, free);      /* or a report would lack, without a word, what there was no memory for */
    if (argc >= 2)
        return written(dispatch(argv[0], argc - 1, argv + 1));
    help_usage();
    return EXIT_UNUSABLE;
}
