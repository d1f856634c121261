/* What a certificate says in its header about what was searched: the program, how it is started, what decides what a state is. The
 * producer writes it; the certifier makes its own and compares.
 * SPDX-License-Identifier: MIT */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "certifier/fields.h"
#include "cli/plan.h"

int evidence(const struct plan *, struct fields *, struct err *);

#endif
