/* What went wrong with the user's input or the machine, in words: filled by whoever can fail, printed by cli/ only.
 * SPDX-License-Identifier: MIT */
#ifndef ERR_H
#define ERR_H

struct err {
    char text[1024];
    int  code;                       /* a negative errno, for those who do different things about it */
};

int err_code(const struct err *);                        /* -EIO when nobody said, or err is NULL */

/* Fills err (which may be NULL) and returns -EINVAL: `return fail(err, "%s: no such queue", name);` */
int fail(struct err *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with the words of errno behind it and the limits that may be the cause, and returns -errno. */
int fail_errno(struct err *, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
