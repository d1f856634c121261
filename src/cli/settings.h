/* The values of all options, each with where it came from: a default, system_file.VS or the command line.
 * Invariant: every value is within its option's bounds, and the command line wins over the file in whatever order they are read.
 * SPDX-License-Identifier: MIT */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "base/err.h"
#include "cli/options.h"
#include "cli/words.h"

enum origin { FROM_DEFAULT, FROM_FILE, FROM_COMMAND };

struct value {
    int64_t      number;             /* of a number, switch, flag (1: given) or choice */
    char        *text;               /* owned; NULL: not given */
    struct words list;
    enum origin  origin;
    bool         in_bytes;           /* of an amount: it was given with a unit */
};

struct settings { struct value values[OPTION_COUNT]; };

void settings_init(struct settings *);
void settings_fini(struct settings *);

/* Sets an option from text; `where` begins the message when the text is no good: "system_file.VS:12: max_depth". */
int  settings_set(struct settings *, enum option_id, const char *text, enum origin, const char *where, struct err *);

static inline bool settings_given(const struct settings *s, enum option_id id)
{
    return s->values[id].origin != FROM_DEFAULT;
}

#endif
