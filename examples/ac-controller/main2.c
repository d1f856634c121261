/* expect: complete.  stateful: 7437 states, 14962 transitions.
 *     verisoft main2.c --search stateful
 *
 * The manual's exercise solved: the controller of main.c with the air conditioning set right on every message.
 *
 * It runs for ever, so only a stateful search comes to an end. QSZ is 3 here: the queue then has 85 different contents;
 * with the 10 of main.c it has 1,398,101, and each can meet every state of the two processes.
 * SPDX-License-Identifier: MIT */
#include <verisoft.h>
#include <stdio.h>
#include <string.h>

#define QSZ 3

int from_me, to_me; /* msqid */

void AC_controller();
void Environment();

int main()
{
    int i;

    from_me=get_bounded_queue(QSZ);
    to_me=get_bounded_queue(QSZ);

    if (fork()==0) {

        i=from_me; /* swap from_me and to_me */
        from_me=to_me;
        to_me=i;

        Environment();

    } else {

        AC_controller();

    };
    return 0;
}

void AC_controller()
{
    char *message;

    int is_room_hot=0;    /* initially, room is not hot */
    int is_door_closed=1; /* and door is closed */
    int ac=0;             /* so, ac is off */

    while (1) {
        message=(char *)rcv_from_queue(to_me,QSZ);

        if (strcmp(message,"room_is_hot") == 0)
            is_room_hot=1;

        if (strcmp(message,"room_is_cool") == 0)
            is_room_hot=0;

        if (strcmp(message,"open_door") == 0)
            is_door_closed=0;

        if (strcmp(message,"close_door") == 0)
            is_door_closed=1;

        ac=is_room_hot && is_door_closed;

        /* test */
        if (is_room_hot && is_door_closed)
            VS_assert(ac);
        else
            VS_assert(!ac);
    };
}

void Environment()
{
    char *message;

    message=(char *)malloc(100);

    while (1) {

        switch(VS_toss(3)) {
        case 0: sprintf(message,"room_is_cool");
            break;
        case 1: sprintf(message,"room_is_hot");
            break;
        case 2: sprintf(message,"open_door");
            break;
        case 3: sprintf(message,"close_door");
            break;
        };

        send_to_queue(from_me, QSZ, message);
    };
}
