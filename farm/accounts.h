/* Accounts: who may see the farm's page from another machine, and who may change something there. They are in the database; of a password there is
 * what scrypt (crypt(5), of the C library's libcrypt) makes of it, and nothing else.
 * SPDX-License-Identifier: MIT */
#ifndef ACCOUNTS_H
#define ACCOUNTS_H

#include "farm/store.h"
#include "web/gate.h"

enum { LEAST_PASSWORD = 8 };         /* characters */

int     accounts_add(struct store *, const char *name, enum rights, const char *password, struct err *);   /* or changes it */
int     accounts_remove(struct store *, const char *name, struct err *);
json_t *accounts_list(struct store *, struct err *);             /* name, role, made; gives */
int64_t accounts_count(struct store *);
struct gate_keeper accounts_keeper(struct store *);              /* borrows */

#endif
