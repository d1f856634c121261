/* Functions that a header of the system declares and that nothing names are taken out of a preprocessed text before it is parsed: of what <stdio.h>,
 * <unistd.h> and their like declare a source uses a hundredth, and the parser would spend a third of its time on the rest.
 *
 * Nothing that is used is lost: what counts as used is every word outside of such declarations, and every word of those that stay. Lines stay as many.
 * SPDX-License-Identifier: MIT */
#ifndef PRUNE_H
#define PRUNE_H

void prune(char *preprocessed);

#endif
