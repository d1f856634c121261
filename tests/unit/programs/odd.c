/* Ways out of a line that lead nowhere near the next: exit, a crash, a return from main; and values that are large or nested.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <verisoft.h>

union number { int i; float f; };
enum color { RED, GREEN };
struct node { int value; struct node *next; union number number; enum color color; char name[8]; unsigned bits : 3; };

struct node list[2] = { { 1, &list[1], { 0 }, GREEN, "one", 5 }, { 2, 0, { 0 }, RED, "two", 0 } };
int big[100000];                     /* not static: nobody uses them, and a compiler may leave them out */

static int down(int n)
{
    if (n == 0)
        return VS_toss(1);
    return 1 + down(n - 1);
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a;
    VS_toss(0);
    return x - *(const int *)b;
}

static void crash(int *where)
{
    VS_toss(0);
    *where = 1;
}

int main(void)
{
    int queue = get_bounded_queue(2), v[2] = { 3, 1 };
    if (fork() == 0) {
        int n = down(3);
        qsort(v, 2, sizeof *v, compare);
        crash(0);
    }
    char *got = rcv_from_queue(queue, 2);
    exit(got != 0);
}
