/* Who may come in where a page is not for the user of this machine alone: accounts, and sessions instead of a secret.
 *
 * A session is a random number in a cookie that no script can read and no other site can send; what changes something must also bring its token, which
 * only our own page can ask for. It ends when nobody used it for IDLE_HOURS, DAYS after it began, when its account is gone, and with the server. Who
 * gives a wrong password waits, twice as long each time; all together may try so often in a second.
 *
 * Invariants: a password is looked at in one place, and kept nowhere; what a guest may do is asked of his account each time.
 * SPDX-License-Identifier: MIT */
#ifndef GATE_H
#define GATE_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rights { RIGHTS_NONE, RIGHTS_READER, RIGHTS_EDITOR };
extern const char *const gate_roles[];           /* by enum rights: "", "reader", "editor" */

/* Who knows the accounts. */
struct gate_keeper {
    void     *self;
    enum rights (*check)(void *self, const char *name, const char *password);      /* NONE: there is no such account, or it is not its password */
    enum rights (*role)(void *self, const char *name);                             /* NONE: there is none any more */
};

enum { GATE_NAME = 32, GATE_DIGITS = 32, GATE_COOKIE = 200 };

struct guest { char name[GATE_NAME + 1], token[GATE_DIGITS + 1]; enum rights role; };

struct gate;
struct gate *gate_new(const struct gate_keeper *);       /* copies; gives, return it with gate_free */
void         gate_free(struct gate *);                   /* NULL is fine */

bool gate_name_is_fine(const char *name);                /* of an account: letters, digits, . _ - */
bool gate_knows(struct gate *, struct MHD_Connection *, struct guest *);       /* does he bring a session? */
bool gate_token(const struct guest *, struct MHD_Connection *);        /* and its token? */
/* A request of the page to come in: JSON with name and password. Gives the status; OK: `cookie` is to be set. */
unsigned gate_enter(struct gate *, struct MHD_Connection *, const char *body, size_t length, char cookie[GATE_COOKIE]);
void     gate_leave(struct gate *, struct MHD_Connection *, char cookie[GATE_COOKIE]);

#endif
