/* The web server: a page, and requests over HTTP. On the loopback address, where every address of it begins with a secret; or on any, where there are
 * accounts (gate.h), and who may only read changes nothing. Requests from pages of other origins are refused; nothing of the file system is reachable but what the site gives.
 * One thread: requests are answered one after the other.
 * SPDX-License-Identifier: MIT */
#ifndef SERVER_H
#define SERVER_H

#include "base/err.h"
#include "web/gate.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What is served: who answers, and which page asks. */
struct site {
    const char *name;                /* "the simulator", in messages */
    const char *title;               /* "VeriSoft simulator", before its address */
    const char *page;                /* its folder among the files of pages, with a / at its end; "": the first */
    const char *without;             /* what works where no server starts; or NULL */
    json_t   *(*handle)(void *self, json_t *request);    /* gives the reply */
    bool      (*reads)(void *self, const json_t *request);       /* it changes nothing; NULL where there are no accounts */
    uint64_t  (*seq)(void *self);    /* another number: what a page shows has changed */
    bool      (*over)(void *self);   /* somebody has asked for the end */
    int64_t   (*tick)(void *self);   /* NULL, or: does what is to be done beside, and gives the milliseconds after which it wants to be called again */
    void      (*opened)(void *self, const char *address);        /* NULL, or is told the address */
    void       *self;
};

struct server_settings {
    int                 port;                /* 0: any that is free */
    const char         *listen;              /* NULL, or: ADDRESS:PORT instead, where there is a keeper */
    const struct gate_keeper *keeper;        /* NULL: no accounts */
    bool                browser;             /* open one */
    const volatile int *interrupt;           /* non-zero: stop */
};

bool server_has_page(const struct site *);   /* false: built without Node.js */
/* Prints the address to stdout, and serves until its end (gives 0) or interrupt (gives -EINTR). */
int  server_run(const struct site *, const struct server_settings *, struct err *);

#endif
