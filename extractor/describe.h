/* A harness and its model as JSON, for who keeps them: what is in the model, what is left out, and each property with its *key*: what its
 * verdict depends on. Invariant: two properties with one key have one verdict, wherever and whenever they are checked.
 * SPDX-License-Identifier: MIT */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include "extractor/verify.h"

#include <jansson.h>

json_t *describe(const struct extraction *, struct err *);       /* gives; NULL with err: a property is wrong */
struct sha256_text describe_key(const struct extraction *, const struct property *);

/* What came of a property, with all forms of its counter-examples; gives. */
json_t *describe_checked(const struct extraction *, const struct checked *);
/* The same forms of a trail that was kept as the verifier replayed it; gives. NULL with err. */
json_t *describe_trails(const struct extraction *, const struct property *, const char *replay, struct err *);

#endif
