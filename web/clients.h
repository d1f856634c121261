/* Who is connected, and who has to go when there are too many. Everybody on this machine can connect, under any of its addresses,
 * without a word; so nobody is turned away at the door, but the one that was silent for the longest time leaves: of those that
 * never showed the secret, if there is one. So connections that say nothing cannot keep out those that ask.
 * Invariant: not more than `most` are there, apart from those that were told to go and whose end was not yet noticed.
 * SPDX-License-Identifier: MIT */
#ifndef CLIENTS_H
#define CLIENTS_H

struct client {
    struct client *next, *before;            /* in its row; itself: in none, it was told to go */
    int            fd;                       /* borrowed */
};

struct clients {
    struct client strangers, known;          /* rows, the one that was silent for the longest time first */
    int           count, most;
};

void           clients_init(struct clients *, int most);
int            clients_room(int wanted);             /* how many this process can have open, at most `wanted` */
struct client *clients_come(struct clients *, int fd);       /* gives; it goes by clients_leave */
void           clients_heard(struct clients *, struct client *);     /* it asked for something, and knew the secret */
void           clients_leave(struct clients *, struct client *);

#endif
