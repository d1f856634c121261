/* Statements as the user wrote them, where a macro of a header that everybody uses stands in between: assert, VS_assert, and the functions of
 * <stdatomic.h>, which are macros of clang. What is said of a statement, and what a map calls it, are these words.
 * SPDX-License-Identifier: MIT */
#ifndef WRITTEN_H
#define WRITTEN_H

char *written(const char *expanded);             /* gives */

#endif
