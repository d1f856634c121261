/* The warden: a process of ours below which the box and the drivers live. It starts them, tells how each ended, and ends all that is below
 * it when it is told to, or when whoever it works for is gone, by whatever. It also keeps the folder in which they may write.
 *
 * Invariant: what it started, and whatever that started (also what tried to get away: the warden is the parent of all orphans below it), is
 * gone when that is news, and when the warden has ended; then the folder is, too. Of a warden that was killed, whoever opened it does that.
 * SPDX-License-Identifier: MIT */
#ifndef WARDEN_H
#define WARDEN_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { DRIVER_SOCKET = 30 };             /* the number by which a driver has its end of the conversation */

struct warden {
    pid_t pid;                           /* 0: there is none */
    int   socket;
    char  folder[64];                    /* has `run` and `tmp`, emptied by warden_clear, and `keep` */
};

/* The shell runs what it is told to in `folder`, with our files in front of its search path. `keep` and `run` are another warden's folders of these names,
 * or NULL: of its own; it empties and removes only those. It is the copy of the box with this number, from 1 on. */
struct warden_home { const char *folder, *drivers, *include, *keep, *run; int copy; };

int  warden_open(struct warden *, const struct warden_home *, struct err *);
void warden_close(struct warden *);                      /* one that was not opened is fine */

/* Who is to be started: a number of our choice, by which news come. */
struct errand {
    int         unit;
    const char *command;                 /* for the shell */
    int         talk, output;            /* file descriptors: its end of a conversation, where it prints; -1: none */
    int         port;                    /* told by VERISOFT_PORT */
    bool        fresh;                   /* not as a copy of one that is parked (parking.h), nor to be parked */
};
int  warden_start(struct warden *, const struct errand *, struct err *);
int  warden_clear(struct warden *, struct err *);        /* sets it off; that all are gone is news, too, and the last of them */

/* The next of those that have ended, and its wait status; or all are; or one is a copy of who is parked, and was not started. 1; 0: nobody has; negative: the warden is gone. */
struct warden_news { bool cleared, copied; int unit, status; };
int  warden_news(struct warden *, struct warden_news *, struct err *);

#endif
