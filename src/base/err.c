/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include "base/limits.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_code(const struct err *err) { return err && err->code ? err->code : -EIO; }

int fail(struct err *err, const char *format, ...)
{
    if (!err)
        return -EINVAL;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return err->code = -EINVAL;
}

int fail_errno(struct err *err, const char *format, ...)
{
    int code = errno ? errno : EIO;
    if (!err)
        return -code;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    size_t used = strlen(err->text);
    snprintf(err->text + used, sizeof err->text - used, ": %s", strerror(code));
    limits_behind(err, code);
    return err->code = -code;
}
