/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "real.h"
#include "sys.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int real_toss(int n)
{
    uint32_t value = 0;
    RT_SYS(SYS_getrandom, &value, sizeof value, 0);
    return n < 0 ? 0 : (int)(value % ((uint32_t)n + 1));
}

void real_print(const char *line)
{
    puts(line);
}

void real_violated(const char *expression, const char *file, int line)
{
    fflush(stdout);
    fprintf(stderr, "%s:%d: failed assertion%s%s\n", file, line, *expression ? ": " : "", expression);
    abort();
}

void real_aborted(void)
{
    exit(0);
}

void real_impossible(const char *message)
{
    fputs(message, stderr);
    abort();
}
