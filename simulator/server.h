/* The web server: the page, and the protocol over HTTP. On the loopback address only; every address of it begins with a secret;
 * requests from pages of other origins are refused; nothing of the file system is reachable but what the protocol gives.
 * One thread: requests are answered one after the other.
 * SPDX-License-Identifier: MIT */
#ifndef SERVER_H
#define SERVER_H

#include "simulator/protocol.h"

struct server_settings {
    int                 port;                /* 0: any that is free */
    bool                browser;             /* open one */
    const volatile int *interrupt;           /* non-zero: stop */
};

bool server_has_page(void);                  /* false: built without Node.js, there is only the terminal */
/* Prints the address to stdout, and serves until quit (gives 0) or interrupt (gives -EINTR). */
int  server_run(struct protocol *, const struct server_settings *, struct err *);

#endif
