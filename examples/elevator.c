/* expect: complete.  stateful: 187623 states, 501514 transitions.  compiler: gcc.
 *     verisoft elevator.c --search stateful
 * expect -DWRONG: assertion at depth 10.
 *     verisoft elevator.c -DWRONG
 *
 * A lift: the controller drives a motor and a door, passengers call it to a floor or press the button that opens the door
 * (VS_toss says which). The motor asserts that the door is closed whenever it runs. WRONG wires the button to the door
 * itself, not through the controller: it then works while the lift moves, too.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

enum { PASSENGERS = 2, PRESSES = 2, FLOORS = 3, BUTTON = FLOORS, LENGTH = PASSENGERS + 1 };

static int calls;                    /* queues: to the controller from the passengers, ... */
static int motor, motor_done;        /* ... to the motor and from it, ... */
static int door, door_done;          /* ... to the door and from it; */
static int open_now;                 /* a message while the door is open: the sensor */

static void put(int queue, const char *text) { send_to_queue(queue, LENGTH, text); }

static char take(int queue)          /* the first letter says it all */
{
    char *text = rcv_from_queue(queue, LENGTH);
    char  letter = text[0];
    memset(text, 0, strlen(text));   /* read: so that what is left of it does not tell equal states apart */
    return letter;
}

static void passenger(void)
{
    for (int i = 0; i < PRESSES; i++) {
        int what = VS_toss(BUTTON);
        if (what == BUTTON) {
#ifdef WRONG
            put(door, "button");
#else
            put(calls, "button");
#endif
        } else {
            char floor[2] = { (char)('0' + what), 0 };
            put(calls, floor);
        }
    }
    put(calls, "leave");
}

static void run_motor(void)
{
    while (take(motor) != 'q') {
        VS_assert(is_queue_empty(open_now));
        put(motor_done, "arrived");
    }
}

static void run_door(void)
{
    for (;;)
        switch (take(door)) {
        case 'o':
            put(open_now, "open");
            put(door_done, "opened");
            break;
        case 'c':
            take(open_now);
            put(door_done, "closed");
            break;
        case 'b':                    /* only in the wrong one: open for a moment */
            put(open_now, "open");
            take(open_now);
            break;
        case 'q':
            return;
        }
}

static void order(int queue, int done, const char *what)
{
    put(queue, what);
    take(done);
}

static void open_and_close(void)
{
    order(door, door_done, "open");
    order(door, door_done, "close");
}

static int go(int from, int to)
{
    while (from < to) {
        order(motor, motor_done, "up");
        from++;
    }
    while (from > to) {
        order(motor, motor_done, "down");
        from--;
    }
    return from;
}

static void control(void)
{
    int floor = 0, passengers = PASSENGERS;

    while (passengers > 0) {
        char call = take(calls);
        if (call == 'l') {
            passengers--;
            continue;
        }
        if (call != 'b')
            floor = go(floor, call - '0');
        open_and_close();
    }
    put(motor, "quit");
    put(door, "quit");
}

int main(void)
{
    int *queues[] = { &calls, &motor, &motor_done, &door, &door_done, &open_now };
    enum { QUEUES = sizeof queues / sizeof *queues };
    for (int i = 0; i < QUEUES; i++)
        *queues[i] = get_bounded_queue(LENGTH);

    if (fork() == 0) {
        run_motor();
        exit(0);
    }
    if (fork() == 0) {
        run_door();
        exit(0);
    }
    for (int i = 0; i < PASSENGERS; i++)
        if (fork() == 0) {
            passenger();
            exit(0);
        }
    control();
#ifndef VERIFY
    while (wait(NULL) > 0)
        ;
    for (int i = 0; i < QUEUES; i++)
        remove_queue(*queues[i]);
#endif
    return 0;
}
