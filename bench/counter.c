/* Programs that are nearly all local states, so that checking them is nearly all native execution:
 *     verisoft counter.c -- count 2000     one process goes on and on; nothing is ever run twice
 *     verisoft counter.c -- toss 6         four ways on from every state; each needs a process that stands there
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <verisoft.h>

static void count(int n)
{
    int gate = semget(IPC_PRIVATE, 1, 0600);
    semsetval(gate, 0, 0);
    for (int i = 0; i < n; i++)
        semsignal(gate, 0, 1);
}

static void toss(int n)
{
    for (int i = 0, sum = 0; i < n; i++) {
        sum = 4 * sum + VS_toss(3);
        VS_assert(sum >= 0);
    }
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[2]) : 0;
    if (n > 0 && !strcmp(argv[1], "count"))
        count(n);
    else if (n > 0 && !strcmp(argv[1], "toss"))
        toss(n);
    else
        return fprintf(stderr, "usage: counter count|toss N\n"), 2;
    return 0;
}
