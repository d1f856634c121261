/* Which compiler is meant: the environment's word, else the first that there is. SPDX-License-Identifier: MIT */
#ifndef COMPILER_H
#define COMPILER_H

#include "cli/words.h"

enum language { LANGUAGE_C, LANGUAGE_CXX };

/* $VERISOFT_CC, $CC, gcc, cc; of C++ $VERISOFT_CXX, $CXX, g++, c++. $CC may hold options, or a launcher: CC="ccache gcc". One that names
 * `verisoft cc` itself, as make and configure hand it on, does not count. */
void compiler_add(struct words *command, enum language);

#endif
