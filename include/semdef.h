/* The name that sources of 2001 include for semaphores. SPDX-License-Identifier: MIT */
#ifndef SEMDEF_H
#define SEMDEF_H

#include <verisoft.h>

#endif
