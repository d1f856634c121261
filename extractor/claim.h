/* Properties as never claims, all in one model: which of them is checked is said when the verifier runs.
 * SPDX-License-Identifier: MIT */
#ifndef CLAIM_H
#define CLAIM_H

#include "extractor/extract.h"

char *claim_name(const struct harness *, const struct property *);               /* gives */
char *claims_make(const struct extraction *, const struct workshop *, struct err *);     /* Promela, to stand behind the model; gives, or NULL */

#endif
