/* How scenario files of older versions spelled what is spelled otherwise now: they are still read.
 * SPDX-License-Identifier: MIT */
#ifndef OLDER_H
#define OLDER_H

#include "base/texts.h"
#include "object.h"

/* Could an older version have written this text for the operation? `number` is that of its object. */
bool older_spelling(const struct op *, uint32_t number, const struct texts *, const char *text);

#endif
