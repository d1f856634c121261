/* The same as fix1.c, with a test of what must not be.
 * SPDX-License-Identifier: MIT */
/*
 * AC controller
 *
 */

#include <verisoft.h>
#include <stdio.h>
#include <string.h>

#define QSZ 3

int from_me, to_me; /* msqid */

void AC_controller();
void Environment();

void main()
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

        wait(NULL);
        remove_queue(from_me);
        remove_queue(to_me);
        exit(0);
    };
}

void AC_controller()
{
    char *message;

    int is_room_hot=0;    /* initially, room is not hot */
    int is_door_closed=1; /* and door is closed */
    int ac=0;            /* so, ac is off */

    while (1) {
        message=(char *)rcv_from_queue(to_me,QSZ);

        if (strcmp(message,"room_is_hot") == 0) {
            is_room_hot=1;
            if (is_door_closed)
                ac=1;
        };

        if (strcmp(message,"room_is_cool") == 0) {
            is_room_hot=0;
        };

        if (strcmp(message,"open_door") == 0) {
            is_door_closed=0;
            ac=0;
        };

        if ((strcmp(message,"close_door") == 0)){
            is_door_closed=1;
            if (is_room_hot)
                ac=1;
        };

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
