/* Opens an address in the user's web browser.
 * SPDX-License-Identifier: MIT */
#ifndef BROWSER_H
#define BROWSER_H

#include <stdbool.h>

/* Does not wait for it; the browser outlives us. False: there is no screen, or no way to open one. */
bool browser_open(const char *address);

#endif
