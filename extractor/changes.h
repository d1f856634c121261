/* Statements that are left out although they change what the model still has: it keeps its old value there, and the model does less than the program.
 * SPDX-License-Identifier: MIT */
#ifndef CHANGES_H
#define CHANGES_H

#include "extractor/promela.h"

/* What an assignment, ++ or -- changes: a variable, or (*field) a field behind whatever it lies in; NULL: it changes nothing that has a name. */
const char *changes_what(const struct tree *, bool *field);
void        changes_warn(struct model *, const struct node *, const char *what);
void        changes_warn_program(struct model *);                       /* of each such statement, once */

#endif
