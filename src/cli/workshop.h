/* What the commands about models lend to extractor/: a scratch folder, our other programs, signals.
 * SPDX-License-Identifier: MIT */
#ifndef WORKSHOP_H
#define WORKSHOP_H

#include "cli/home.h"
#include "cli/scratch.h"
#include "extractor/extract.h"
#include "extractor/tool.h"

struct shop { struct scratch scratch; struct home home; struct workshop workshop; };

int  shop_open(struct shop *, struct err *);
void shop_close(struct shop *);                                  /* also after a failure */
/* Has something made of an extraction, in a shop that is opened for it; `failed`: nothing is to be done. Gives the exit status. */
int  shop_make(int failed, int (*make)(const void *request, struct extraction *, const struct workshop *, struct err *), const void *request,
               struct err *);

int  shop_give(const char *file, const char *what, const char *text, struct err *);      /* to the file; NULL: to standard output */

/* -D, -I, -U, -std, -f, -m and -include go to the preprocessor. */
#include <stdbool.h>
bool shop_is_preprocessors(const char *word);

#endif
