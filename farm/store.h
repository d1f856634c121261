/* The farm's database: one SQLite file with a write-ahead log. What a transaction has committed outlives a crash of the command, and of the
 * machine. The file knows the version of its schema (schema.h); an older one is brought up to date when it is opened, a newer one is refused.
 *
 * Values are bound by a format, a letter each: t text (NULL is fine), i int64_t, r double, j a json_t that is kept as text.
 * Rows are JSON: an object for each, with a key for each column; a column whose name ends in _json is read as JSON and loses that ending.
 *
 * Invariant: outside of store_begin ... store_end every statement is a transaction of its own.
 * SPDX-License-Identifier: MIT */
#ifndef STORE_H
#define STORE_H

#include "base/err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct store;

int  store_open(struct store **, const char *file, struct err *);        /* makes it if need be; gives, return it with store_close */
void store_close(struct store *);                                        /* NULL is fine */

int     store_run(struct store *, struct err *, const char *sql, const char *format, ...);
int64_t store_changes(const struct store *);                             /* rows that the last one changed */
int64_t store_last(const struct store *);                                /* the id of the last row that was put in */
json_t *store_rows(struct store *, struct err *, const char *sql, const char *format, ...);      /* an array; gives; NULL with err */
json_t *store_row(struct store *, struct err *, const char *sql, const char *format, ...);       /* gives; json null: there is none; NULL with err */
int64_t store_number(struct store *, const char *sql, const char *format, ...);                  /* the first column of the first row; 0: none */

int  store_begin(struct store *, struct err *);                          /* to write */
int  store_end(struct store *, int bad, struct err *);                   /* commits, or, when bad, takes all back; gives bad or what is wrong */
bool store_changed(struct store *);                                      /* has another process written since this was asked last? */

#endif
