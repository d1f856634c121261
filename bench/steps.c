/* A driver that does nothing but steps: as many as its argument says. SPDX-License-Identifier: MIT */
#include <verisoft-driver.h>

int main(int count, char **words)
{
    for (int i = count > 1 ? atoi(words[1]) : 1; i > 0; i--)
        vs_step("");
    return 0;
}
