/* Where that stands which Spin refuses: what it says has a line of the model, which nobody sees; the user wrote the map, the drivers and declarations.
 * SPDX-License-Identifier: MIT */
#ifndef REFUSED_H
#define REFUSED_H

#include "extractor/extract.h"

/* Adds the place to what err says of a line of the model, if it says that, and what to do. Gives `bad` back. */
int refused_where(const struct extraction *, const char *model, int bad, struct err *);

#endif
