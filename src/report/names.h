/* What a scenario calls the objects of the program, and which objects of this run these are.
 *
 * A variable's name says itself which object is meant. Any other name ("mutex 2 of process 1"; an address, in older files) only
 * tells objects apart: it means the object for which the scenario first uses it, and no other name does. So a scenario fits
 * wherever the program's memory lies, and also after variables have lost their names (strip).
 * SPDX-License-Identifier: MIT */
#ifndef NAMES_H
#define NAMES_H

#include "base/pairing.h"

struct names { char **all; uint32_t count, room; struct pairing objects; };      /* all zero: none was used yet */

void names_fini(struct names *);                                         /* leaves it as at first */
/* May the name in the scenario mean this object, which is called `here` in this run? `is_new`: it was made just now, where another may
 * have been before, and so have another name. */
bool names_agree(struct names *, const char *name, const char *here, uint32_t object, bool is_new);

#endif
