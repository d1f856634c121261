/* What the farm is lent about models: a harness is made into one, a text is tried in its place, trails are told again, and a verifier's own words
 * about itself are read. SPDX-License-Identifier: MIT */
#ifndef FARM_MODEL_H
#define FARM_MODEL_H

#include "cli/workshop.h"
#include "extractor/extract.h"
#include "farm/farm.h"

struct farm_model {
    struct shop       shop;
    struct extraction now;           /* as it was described last */
    bool              any;           /* it was */
    char              self[PATH_MAX];
    struct farm_lent  lent;
};

int  farm_model_open(struct farm_model *, struct err *);
void farm_model_close(struct farm_model *);                      /* also after a failure */

/* One search of one property, by a process of its own: NAME BITS CONTENT MADE RESULT LIVE MEMORY SECONDS TRAILS. Gives the exit status. */
int  farm_run(const char *harness, int count, char **words);

#endif
