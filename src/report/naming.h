/* What an object is called: the same in every run of the program that took the same steps, wherever it is run.
 *
 * In this order: the number or name that the program itself uses; the variable it is in (q.changed); else the how manieth of its kind
 * its process made: mutex 1 of process 2.
 * SPDX-License-Identifier: MIT */
#ifndef NAMING_H
#define NAMING_H

#include "report/run.h"

/* `before` as in run.h. Gives; "" for an operation on no object. */
char *naming_object(const struct run *, const struct trace *before, const struct op *);

#endif
