/* A controller of an oven and somebody who turns its knobs: while the door is open the heater is off. -DWRONG: the door is not asked.
 * For ever. SPDX-License-Identifier: MIT */
#include <verisoft.h>

enum knob { DOOR, HEAT };
struct part { unsigned on : 1; signed char turns; };
static struct oven { struct part parts[2]; struct part *last; } oven;
static long turns[2] = { 0, -3 };
static int which;

static void turn(enum knob knob)
{
    struct part *part = &oven.parts[knob];
#ifndef WRONG
    if (knob == HEAT && oven.parts[DOOR].on)
        return;
    if (knob == DOOR)
        oven.parts[HEAT].on = 0;
#endif
    part->on ^= 1;
    part->turns = (part->turns + 1) % 3;
    oven.last = part;
    turns[1] = -turns[1];
}

int main(void)
{
    int queue = get_bounded_queue(1);
    if (fork() == 0)
        for (;;) {
            which = VS_toss(1);
            send_to_queue(queue, 1, which == HEAT ? "heat" : "door");
        }
    for (;;) {
        char *knob = rcv_from_queue(queue, 1);
        turn(knob[0] == 'h' ? HEAT : DOOR);
    }
}
