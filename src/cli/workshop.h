/* What the commands about models lend to extractor/: a scratch folder, our other programs, signals.
 * SPDX-License-Identifier: MIT */
#ifndef WORKSHOP_H
#define WORKSHOP_H

#include "cli/home.h"
#include "cli/scratch.h"
#include "extractor/tool.h"

struct shop { struct scratch scratch; struct home home; struct workshop workshop; };

int  shop_open(struct shop *, struct err *);
void shop_close(struct shop *);                                  /* also after a failure */

/* -D, -I, -U, -std, -f, -m and -include go to the preprocessor. */
#include <stdbool.h>
bool shop_is_preprocessors(const char *word);

#endif
