/* SPDX-License-Identifier: MIT */
#include "simulator/arguments.h"

#include <string.h>

int argument_number(const json_t *q, const char *key, uint32_t *number, struct err *err)
{
    const json_t *value = json_object_get(q, key);
    if (!value || json_is_null(value))
        return 0;
    json_int_t given = json_integer_value(value);
    if (!json_is_integer(value) || given < 0 || given > UINT32_MAX)
        return fail(err, "\"%s\" must be a whole number from 0 to %u", key, UINT32_MAX);
    *number = (uint32_t)given;
    return 1;
}

int argument_text(const json_t *q, const char *key, const char **text, struct err *err)
{
    const json_t *value = json_object_get(q, key);
    *text = NULL;
    if (!value || json_is_null(value))
        return 0;
    if (!json_is_string(value) || strlen(json_string_value(value)) != json_string_length(value))
        return fail(err, "\"%s\" must be a text", key);
    *text = json_string_value(value);
    return 1;
}

int argument_flag(const json_t *q, const char *key, bool *flag, struct err *err)
{
    const json_t *value = json_object_get(q, key);
    if (value && !json_is_boolean(value) && !json_is_null(value))
        return fail(err, "\"%s\" must be true or false", key);
    if (json_is_boolean(value))
        *flag = json_is_true(value);
    return 0;
}

static int missing(const char *key, struct err *err) { return fail(err, "\"%s\" is missing", key); }

int argument_need_number(const json_t *q, const char *key, uint32_t *number, struct err *err)
{
    int rc = argument_number(q, key, number, err);
    return rc ? rc : missing(key, err);
}

int argument_need_text(const json_t *q, const char *key, const char **text, struct err *err)
{
    int rc = argument_text(q, key, text, err);
    return rc ? rc : missing(key, err);
}
