/* expect: complete.  searches: auto, stateful, bfs, none.
 *
 * Files are read where a process left off, whatever the order of the search: what the kernel keeps is not in its memory.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <verisoft.h>

static void read_on(FILE *file, int expected)
{
    int value;
    if (fscanf(file, "%d", &value) != 1 || value != expected)
        abort();
}

int main(void)
{
    FILE *file = fopen("numbers", "w+");
    for (int i = 0; i < 2000; i++)
        fprintf(file, "%d\n", i);
    rewind(file);
    setvbuf(file, NULL, _IONBF, 0);
    for (int i = 0; i < 4; i++) {
        int more = VS_toss(1);
        read_on(file, i);
        if (more)
            break;
    }
    fclose(file);
    return 0;
}
