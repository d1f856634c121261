/* The arguments of a request, each of the kind that it must be; the error names the one that is not.
 * SPDX-License-Identifier: MIT */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "base/err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* 0: it is not there, and the value stays as it is (a text: NULL); 1: it is. */
int argument_number(const json_t *request, const char *key, uint32_t *, struct err *);
int argument_text(const json_t *request, const char *key, const char **, struct err *);
int argument_flag(const json_t *request, const char *key, bool *, struct err *);         /* never 1 */
/* It must be there. */
int argument_need_number(const json_t *request, const char *key, uint32_t *, struct err *);
int argument_need_text(const json_t *request, const char *key, const char **, struct err *);

#endif
