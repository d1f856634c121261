/* A mail about a property that broke: it has failed, and in the version before it had not. To who changed it last, as git says: the lines of the
 * counter-example, else the file of it. One mail for one cause, ever: a property with a content. Nothing is sent unless a command is given.
 * SPDX-License-Identifier: MIT */
#ifndef MAIL_H
#define MAIL_H

#include "farm/farm.h"

struct mail_settings { const char *command, *to, *link; };       /* takes the mail to read, with its receivers in it (sendmail -t); to NULL: whom git names; link NULL: none */

int mail_step(struct farm *, const struct mail_settings *, struct err *);        /* what is due; -EINVAL with err: a mail could not be given away, and will not be tried again */

#endif
