/* Drivers in C that stand still where they have done nothing yet that anybody could see (vs_park of verisoft-parking.h), and of which each path gets a
 * copy, by fork, instead of a new start. This is the warden's side; the driver's is in that header.
 *
 * What stands still waits at a socket for an order: a port, and the files that the copy is to have. A copy leaves its parent, so that it is the
 * warden's child as any driver is, and then says its number. "0" is said in its place where there can be none.
 * Invariant: who is parked is a child of the warden's, and has no other child when parking_go returns.
 * SPDX-License-Identifier: MIT */
#ifndef PARKING_H
#define PARKING_H

#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>

enum { PARKING_SOCKET = 31 };            /* the number by which a driver has its end */

int   parking_offer(int unit);           /* for a driver that begins: its end of a socket; give it away, and close it. -1: none */
int   parking_waits(struct pollfd *out); /* sockets at which a driver may ask to be parked: at most as many as there are units */
bool  parking_asks(int socket, const pid_t pids[], int *unit, pid_t *copy);      /* somebody did, and was parked: the number of its first copy */
pid_t parking_go(int unit, int port, const int *fds, int count); /* a copy of the one that is parked; 0: there is none, start one. Borrows */
bool  parking_has(pid_t);                /* is it parked? */
void  parking_gone(pid_t);               /* it has ended */
/* Also of who starts them: sends bytes, and at most two files with them. As sendmsg. */
ssize_t parking_pass(int socket, const void *bytes, size_t length, const int *fds, int count, int flags);
void  parking_close(void);               /* nobody is parked any more, but all are there still */

#endif
