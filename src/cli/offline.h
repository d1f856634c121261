/* No network for what runs: a network namespace of its own, which has nothing in it. SPDX-License-Identifier: MIT */
#ifndef OFFLINE_H
#define OFFLINE_H

#include <stdbool.h>

bool offline_go(void);               /* of this process, and of all that it starts from now on; false: the system refuses, and all is as it was */
bool offline_can(void);              /* would it be so? Tried in a child */

#endif
