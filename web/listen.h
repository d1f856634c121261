/* The socket of a web server. SPDX-License-Identifier: MIT */
#ifndef LISTEN_H
#define LISTEN_H

#include "base/err.h"

/* On the loopback address at this port (0: any that is free); or at `address` (ADDRESS:PORT, [ADDRESS]:PORT), if that is not NULL. Gives the socket, and its
 * port. Negative with err. `name`: whose it is, in messages. */
int listen_open(const char *address, int *port, const char *name, struct err *);

#endif
