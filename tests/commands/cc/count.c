/* SPDX-License-Identifier: MIT */
#include "count.h"
int counter;
void count(void) { counter++; }
