/* An invariant of a suite as an expression over numbers that a command tells, a NAME=NUMBER each: it becomes a command that computes it, by the arithmetic
 * of the shell, which is that of C for 64 bits.
 * SPDX-License-Identifier: MIT */
#ifndef SUITE_EXPRESSION_H
#define SUITE_EXPRESSION_H

const char *expression_wrong(const char *expression);            /* NULL: it can be computed; else why not */
char *expression_command(const char *expression, const char *values);    /* gives */

#endif
