/* What an object is called: the same in every run of the program that took the same steps, wherever it is run.
 *
 * In this order: the number or name that the program itself uses; the variable it is in (q.changed), or by
 * which it was reached where it was made (pool->lock; pool->lock #2 is a second one); else the how manieth of its kind its process
 * made: mutex 1 of process 2.
 * SPDX-License-Identifier: MIT */
#ifndef NAMING_H
#define NAMING_H

#include "report/run.h"

/* `before` as in run.h. Gives; "" for an operation on no object. */
char *naming_object(const struct run *, const struct trace *before, const struct op *);

bool naming_is_of_library(const struct run *, const struct op *);         /* is it on a variable of a library of the system? */
/* What a thread does, by the function that it began with: producer. Gives; NULL: it is none, or nobody knows. */
char *naming_thread(const struct run *, const struct trace *, int process);
char *naming_process(const struct run *, const struct trace *, int process);     /* process 2 (producer). Gives */

#endif
