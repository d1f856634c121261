/* expect: nondeterminism.  searches: none, stateful, bfs, auto.
 *
 * A counter in a file: each time the program runs, it does something else. SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdio.h>
#include <verisoft.h>

static int next(void)
{
    int count = 0;
    FILE *file = fopen("counter", "r");
    if (file) {
        if (fscanf(file, "%d", &count) != 1)
            count = 0;
        fclose(file);
    }
    file = fopen("counter", "w");
    fprintf(file, "%d\n", count + 1);
    fclose(file);
    return count;
}

int main(void)
{
    int queue = get_bounded_queue(1);
    char text[20];
    VS_toss(1);
    sprintf(text, "%d", next());
    send_to_queue(queue, 1, text);                               /* ERROR */
    VS_assert(0);
    return 0;
}
