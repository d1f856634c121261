/* A number from a file, written back increased by one. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

int main(void)
{
    int count = 0;
    FILE *file = fopen("counter", "r");
    if (file && fscanf(file, "%d", &count) == 1)
        fclose(file);
    file = fopen("counter", "w");
    fprintf(file, "%d\n", count + 1);
    fclose(file);
    VS_toss(count + 1);
    return 0;
}
