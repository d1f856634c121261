/* Watches the folders of harness and sources. A save is often several steps (a new file, a rename); so it is looked at when nothing has happened for a
 * moment. When the model or a property is another then, what has no verdict is queued.
 * SPDX-License-Identifier: MIT */
#ifndef WATCH_H
#define WATCH_H

#include "farm/farm.h"
#include "farm/mail.h"

struct daemon;
struct daemon *watch_new(struct farm *, const struct mail_settings *, struct err *);      /* gives, return it with watch_free; NULL with err */
void          watch_free(struct daemon *);                        /* NULL is fine */
void          watch_step(struct daemon *, struct farm *, bool *looked);   /* looks when it is time to, starts, and tells by mail what broke; says what is wrong on standard error */

#endif
