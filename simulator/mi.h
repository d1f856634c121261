/* What gdb says, in the words of its machine interface (GDB/MI): one line, one record.
 *
 * Invariant: any bytes give a record; what is no MI is MI_OTHER. Strings come as UTF-8: a byte that is none becomes U+FFFD.
 * SPDX-License-Identifier: MIT */
#ifndef MI_H
#define MI_H

#include <jansson.h>

enum mi_kind {
    MI_RESULT,                       /* 7^done,...     the answer to a command */
    MI_EXEC,                         /* *stopped,...   the program runs, or does not any more */
    MI_STATUS,                       /* +download,... */
    MI_NOTIFY,                       /* =thread-created,... */
    MI_CONSOLE, MI_TARGET, MI_LOG,   /* ~"...", @"...", &"..." */
    MI_PROMPT,                       /* (gdb) */
    MI_OTHER
};

struct mi_record {
    enum mi_kind kind;
    long         token;              /* of the command that it answers; -1: none */
    char         word[32];           /* done, error, stopped, ... */
    json_t      *value;              /* the results, an object; of a stream its text, a string; else NULL */
};

void mi_read(struct mi_record *, const char *line, size_t length);      /* without the line's end */
void mi_fini(struct mi_record *);
/* gives: the command's argument as an MI string in its quotes; line breaks and other control characters become blanks */
char *mi_quote(const char *text);

#endif
