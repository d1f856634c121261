/* The story of an error as a table: a line for each transition, a lane for each process that takes part. Where the lanes do
 * not fit side by side they become one, with the number of the process in front.
 * SPDX-License-Identifier: MIT */
#ifndef TABLE_H
#define TABLE_H

#include "report/job.h"
#include "report/text.h"

void table_print(FILE *, const struct error *, struct look);

#endif
