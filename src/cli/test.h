/* A suite, made ready for a job: read, its box and drivers prepared, the search that suits it chosen.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_H
#define TEST_H

#include "cli/plan.h"

struct staging;
/* Reads what the request names as its program. Gives, in the plan; return it with test_unstage. */
int  test_stage(struct plan *, struct err *);
void test_fill(struct plan *);               /* the job */
void test_unstage(struct staging *);         /* NULL is fine */

#endif
