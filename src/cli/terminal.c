/* SPDX-License-Identifier: MIT */
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_WIDTH = 80 };           /* columns, of what is no terminal */

static bool obeys_escapes(int fd)
{
    const char *kind = getenv("TERM");
    return isatty(fd) && kind && *kind && strcmp(kind, "dumb");
}

static bool colour_refused(const struct settings *s)
{
    const char *refused = getenv("NO_COLOR");
    return s->values[OPTION_no_color].number || (refused && *refused);
}

struct look terminal_look(const struct settings *s)
{
    struct winsize size = { 0 };
    bool terminal = isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    return (struct look){ .colour = obeys_escapes(STDOUT_FILENO) && !colour_refused(s), .width = terminal && size.ws_col ? size.ws_col : USUAL_WIDTH };
}

bool terminal_for_progress(const struct settings *s)
{
    return obeys_escapes(STDERR_FILENO) && !s->values[OPTION_quiet].number;
}
