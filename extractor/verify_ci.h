/* The outcome of a verification for continuous integration: JUnit XML, and SARIF.
 * SPDX-License-Identifier: MIT */
#ifndef VERIFY_CI_H
#define VERIFY_CI_H

#include "extractor/verify.h"

/* A test case for each property: failed, or, when it is not finished, in error. */
int verify_junit(const char *file, const struct extraction *, const struct verification *, struct err *);
/* A result for each property that failed, at the last statement of its trail, with the trail as a code flow. */
int verify_sarif(const char *file, const struct verification *, struct err *);

#endif
