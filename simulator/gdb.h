/* One gdb process, spoken to in GDB/MI, and the UNIX process that it is attached to.
 *
 * Invariant: between two calls gdb has answered every command; the program it holds is stopped unless gdb_running. A gdb that
 * does not answer in time, or is killed, is gone: gdb_there says so, and every call fails with -ESRCH.
 * No gdb is left when we are gone, whatever ends us.
 * SPDX-License-Identifier: MIT */
#ifndef GDB_H
#define GDB_H

#include "base/err.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

bool gdb_installed(void);

struct gdb;
/* `executable`: of the program, whose symbols are read once. `interrupt` may be NULL; non-zero: stop waiting. Gives; NULL: see err. */
struct gdb *gdb_new(const char *executable, const volatile int *interrupt, struct err *);
void        gdb_free(struct gdb *);                              /* NULL is fine; lets go of the program */
bool        gdb_there(struct gdb *);

int   gdb_attach(struct gdb *, pid_t, struct err *);             /* -ESRCH also: there is no such process */
void  gdb_detach(struct gdb *);                                  /* the program goes on by itself */
pid_t gdb_pid(const struct gdb *);                               /* whom it holds; 0: nobody, or it has ended */
bool  gdb_holds(struct gdb *);                                   /* and is that alive? If it was killed, gdb is gone with it */

/* Sends a command and gives the results of its answer. NULL: -ESRCH in `failure` when gdb is gone, -EINVAL with its words. */
json_t *gdb_ask(struct gdb *, int *failure, struct err *, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Sends a command that makes the program run. Then it runs until gdb_wait says that it stopped. */
int   gdb_go(struct gdb *, struct err *, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool  gdb_running(const struct gdb *);
enum gdb_news { GDB_STOPPED, GDB_OTHER, GDB_LATE };              /* OTHER: the other descriptor (-1: none) is readable */
/* Or negative: -ESRCH, -EINTR. */
int   gdb_wait(struct gdb *, int other, int milliseconds, struct err *);
int   gdb_stop(struct gdb *, struct err *);                      /* a program that runs */
const json_t *gdb_stopped(const struct gdb *);                   /* what gdb said of the last stop: reason, frame; NULL: nothing */

#endif
