/* Elevators and people: somebody calls, the first elevator that is free comes, takes him where he wants to go, and is free again. Each wants
 * to go up, and down again.
 *     verisoft elevator.c --config elevator.VS --certificate elevator.scc -- ELEVATORS FLOORS PEOPLE
 * WRONG: who stands at the door goes in, whether it is his elevator or not.  SPDX-License-Identifier: MIT */
#include "monitor.h"

enum { MOST = 5, NOBODY = -1 };
enum phase { FREE, COMING, OPEN, RIDING, ARRIVED };
static struct monitor house = MONITOR;
static struct elevator { enum phase phase; int floor, wanted, who; } elevators[MOST];
static int elevator_count, floors, people, inside[MOST], on[MOST], calls[MOST];  /* of a person: in an elevator; its floor; calls, 1 + floor */

static int next_call(void)
{
    for (int i = 0; i < people; i++)
        if (calls[i])
            return i;
    return NOBODY;
}

/* A floor nearer to where it should be. */
static void move(struct elevator *e)
{
    e->floor += e->floor < e->wanted ? 1 : e->floor > e->wanted ? -1 : 0;
    assert(e->floor >= 0 && e->floor < floors);
}

static int gone;                     /* people who are back where they began */

static void go_on(struct elevator *e)
{
    int who;
    switch (e->phase) {
    case FREE:
        who = next_call();
        if (who == NOBODY)
            return;
        *e = (struct elevator){ COMING, e->floor, calls[who] - 1, who };
        calls[who] = 0;
        break;
    case COMING:
        assert(e->who != NOBODY && !inside[e->who]);
        move(e);
        e->phase = e->floor == e->wanted ? OPEN : COMING;
        break;
    case RIDING:
        assert(inside[e->who]);
        move(e);
        e->phase = e->floor == e->wanted ? ARRIVED : RIDING;
        break;
    default:
        return;
    }
    announce(&house);
}

static int is_idle(const struct elevator *e)
{
    return e->phase == OPEN || e->phase == ARRIVED || (e->phase == FREE && next_call() == NOBODY && gone < people);
}

static void *elevator(void *number)
{
    struct elevator *e = &elevators[(int)(intptr_t)number];
    enter(&house);
    while (gone < people) {
        while (is_idle(e))
            await(&house);
        go_on(e);
        leave(&house);
        enter(&house);
    }
    assert(e->phase == FREE);
    leave(&house);
    return NULL;
}

static struct elevator *mine(int me)
{
    for (int i = 0; i < elevator_count; i++)
        if (elevators[i].phase == OPEN && elevators[i].floor == on[me])
#ifndef WRONG
            if (elevators[i].who == me)
#endif
                return &elevators[i];
    return NULL;
}

static void ride(int me, int to)
{
    struct elevator *e;
    enter(&house);
    assert(!inside[me] && !calls[me]);
    calls[me] = 1 + on[me];
    announce(&house);
    while (!(e = mine(me)))
        await(&house);
    assert(e->who == me);
    inside[me] = 1;
    e->phase = RIDING;
    e->wanted = to;
    announce(&house);
    while (e->phase != ARRIVED)
        await(&house);
    assert(e->floor == to);
    inside[me] = 0;
    on[me] = to;
    *e = (struct elevator){ FREE, e->floor, e->floor, NOBODY };
    gone += to == 0;
    announce(&house);
    leave(&house);
}

static void *person(void *number)
{
    int me = (int)(intptr_t)number;
    ride(me, floors - 1);
    ride(me, 0);
    return NULL;
}

int main(int argc, char **argv)
{
    elevator_count = parameter(argc, argv, 1, 2, 1, MOST);
    floors = parameter(argc, argv, 2, 3, 2, 10);
    people = parameter(argc, argv, 3, 2, 1, MOST);
    for (int i = 0; i < elevator_count; i++)
        elevators[i].who = NOBODY;
    for (int i = 0; i < elevator_count; i++)
        begin(elevator, i);
    for (int i = 0; i < people; i++)
        begin(person, i);
    await_all();
    assert(gone == people);
    return 0;
}
