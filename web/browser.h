/* Opens an address in the user's web browser: $BROWSER, a list of command lines with colons between them, or else xdg-open.
 * SPDX-License-Identifier: MIT */
#ifndef BROWSER_H
#define BROWSER_H

/* Does not wait for it; the browser outlives us. Gives a file descriptor that is readable when it has ended; -1: there is no
 * screen, or no such program. */
int         browser_open(const char *address);
int         browser_status(int fd);              /* its exit status, or 128 and its signal; closes the descriptor */
const char *browser_program(void);

#endif
