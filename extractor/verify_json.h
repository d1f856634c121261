/* The outcome of a verification for a program (doc/harness.md has the keys).
 * SPDX-License-Identifier: MIT */
#ifndef VERIFY_JSON_H
#define VERIFY_JSON_H

#include "extractor/verify.h"

#include <jansson.h>

int verify_json(const char *file, const struct extraction *, const struct verification *, int status, struct err *);    /* "-": standard output */
json_t *verify_json_property(const struct extraction *, const struct checked *);            /* gives */
json_t *verify_json_steps(const struct trail *);                 /* gives */

#endif
