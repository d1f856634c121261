/* A search that is divided between processes (search/abroad.h), as a job sees it: what who sends parts away is lent, and what one does that searches a part for another.
 * That one tells nobody what it finds: of races and limits it answers nothing at all, and whoever asked finds them himself.
 * SPDX-License-Identifier: MIT */
#ifndef DIVIDING_H
#define DIVIDING_H

#include "report/collector.h"

/* Where the search cannot be divided `tasks` is 0, and the outcome notes why. */
struct dispatch dividing_lend(struct collector *);
/* As search_run, for another. */
int dividing_serve(struct collector *, struct search_result *, struct err *);

#endif
