/* The outcome of a verification for a program (doc/harness.md has the keys).
 * SPDX-License-Identifier: MIT */
#ifndef VERIFY_JSON_H
#define VERIFY_JSON_H

#include "extractor/verify.h"

int verify_json(const char *file, const struct extraction *, const struct verification *, int status, struct err *);    /* "-": standard output */

#endif
