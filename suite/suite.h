/* The suite file: a black box, how it is started and put back, and the drivers around it (doc/suite.md). It is a small part of TOML:
 * tables, arrays of tables, and keys with a string, a number or a truth value.
 *
 * Invariants: there is a driver; no two objects have one name; the first interface is there whether one was declared or not.
 * SPDX-License-Identifier: MIT */
#ifndef SUITE_H
#define SUITE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* What is done when the same steps of the drivers get another answer from the box. */
enum variation { VARIATION_GO_ON, VARIATION_STOP };

struct suite_driver { char *name, *run; };
struct suite_object { char *name; int32_t value; };      /* a semaphore and what it begins with; a queue and how much it holds */
struct suite_objects { struct suite_object *items; uint32_t count, room; };

/* A command that must end with status 0: after each step, or where all drivers have ended. */
struct suite_invariant { char *name, *run; bool at_end; };
struct suite_bounds { uint32_t depth; uint64_t states, seconds, errors; };       /* NO_BOUND: not given; 0: none */
#define NO_BOUND UINT32_MAX

struct suite {
    char  *folder;                           /* of the file: there all commands are run */
    char  *prepare;                          /* commands for the shell; NULL: none. Once, before all else */
    char  *start, *ready, *reset;            /* of the box */
    bool   background;                       /* `start` ends when the box runs: what it left behind is the box */
    char  *ready_line;                       /* it is ready when it has printed a line with this in it */
    bool   ready_port;                       /* it is ready when something listens at its port */
    char  *renew;                            /* puts the running box back; NULL: it is started again for each path */
    int    timeout;                          /* seconds for the box to be ready, and for a driver's next operation */
    enum variation variation;
    uint32_t replays, shrinks;               /* of an error: how often it is run again; how many shorter scenarios are tried */
    struct suite_driver *drivers;            /* each as often as `count` says */
    uint32_t driver_count, driver_room;
    struct suite_objects semaphores, queues;
    struct suite_invariant *invariants;
    uint32_t invariant_count, invariant_room;
    struct suite_bounds bounds;
    char   **interfaces;                     /* what can be done in whatever order, as it is declared */
    uint32_t interface_count, interface_room;
    bool     declared;                       /* they were; else there is one, the box */
};

int  suite_read(struct suite *, const char *file, struct err *);         /* 0, or negative with err; suite_fini in either case */
int  suite_read_text(struct suite *, char *text, const char *file, struct err *);        /* the same of what is in it; changes the text */
void suite_fini(struct suite *);

/* Its number among those of its sort; negative: there is none. "" is the one interface, where none was declared. */
int  suite_interface(const struct suite *, const char *name);
int  suite_object(const struct suite_objects *, const char *name);

#endif
