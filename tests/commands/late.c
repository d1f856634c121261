/* Begins like a program of the manual, and shares a pipe later. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    if (fork() == 0)
        exit(3);
    wait(NULL);
    if (pipe(ends) || write(ends[1], "x", 1) != 1)
        return 1;
    return 0;
}
