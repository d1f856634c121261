/* expect: assertion at depth 1 in process 2.  note: "child tossed 1" "line of its own".  searches: auto, none, stateful, bfs.
 *
 * Lines of VS_print are in the story and in the scenario file.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

int main(void)
{
    if (fork() == 0) {
        char line[40];
        sprintf(line, "child tossed %d", VS_toss(1));
        VS_print(line);
        VS_print("a line of its own");
        VS_assert(strcmp(line, "child tossed 1"));               /* ERROR */
        exit(0);
    }
    wait(NULL);
    return 0;
}
