/* The name that sources of 2001 include for bounded queues. SPDX-License-Identifier: MIT */
#ifndef MSGDEF_H
#define MSGDEF_H

#include <verisoft.h>

#endif
