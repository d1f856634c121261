/* What a file named on the command line is, as part of the program to check.
 * SPDX-License-Identifier: MIT */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "base/err.h"

#include <stdbool.h>

enum program_part { PART_C, PART_CXX, PART_OBJECT, PART_EXECUTABLE };

int  program_part(const char *path, enum program_part *, struct err *);  /* looks into the file; refuses what cannot be used */
bool program_is_executable(const char *path);                            /* whatever it is called */
bool program_source_name(const char *path);                              /* named as source, object file or archive */

#endif
