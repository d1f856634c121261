/* For C++ programs written for earlier versions, which include it after verisoft.h: that header is enough now.
 * SPDX-License-Identifier: MIT */
#include "verisoft.h"
