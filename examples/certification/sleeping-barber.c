/* Sleeping barbers: a customer who finds no free chair goes away, and comes again; else he waits until a barber has cut his hair. A barber
 * sleeps while nobody waits. For ever.
 *     verisoft sleeping-barber.c --config sleeping-barber.VS --certificate sleeping-barber.scc -- BARBERS CUSTOMERS CHAIRS
 * WRONG: the lost wake-up. A barber who saw nobody lets go of the lock before he lies down, and does not look again.
 * SPDX-License-Identifier: MIT */
#include "monitor.h"

enum { MOST = 6 };
static struct monitor shop = MONITOR;
static int barbers, chairs, asleep, waiting, cutting, finished;  /* barbers; customers on chairs, whose hair is being cut, whose is cut */

static void *barber(void *unused)
{
    for (;;) {
        enter(&shop);
        while (waiting == 0) {
#ifdef WRONG
            leave(&shop);
            enter(&shop);
#endif
            asleep++;
            await(&shop);
        }
        waiting--;
        cutting++;
        assert(cutting <= barbers);
        leave(&shop);
        enter(&shop);
        assert(cutting > 0);
        cutting--;
        finished++;
        announce(&shop);
        leave(&shop);
    }
    return unused;
}

static void *customer(void *unused)
{
    for (;;) {
        enter(&shop);
        if (waiting < chairs) {
            waiting++;
            asleep = 0;              /* whoever sleeps will wake */
            assert(waiting <= chairs);
            announce(&shop);
            while (finished == 0)
                await(&shop);
            finished--;
            assert(finished >= 0);
        }
        leave(&shop);
    }
    return unused;
}

int main(int argc, char **argv)
{
    barbers = parameter(argc, argv, 1, 2, 1, MOST);
    int customers = parameter(argc, argv, 2, 3, 1, MOST);
    chairs = parameter(argc, argv, 3, 2, 1, MOST);
    assert(chairs > 0);
    for (int i = 0; i < barbers; i++)
        begin(barber, i);
    for (int i = 0; i < customers; i++)
        begin(customer, i);
    await_all();
    return 0;
}
