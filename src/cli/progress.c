/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>

#define PERIOD 0.2                   /* seconds */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_init(struct progress *p, bool shown)
{
    *p = (struct progress){ .shown = shown, .drawn_at = now() };
}

struct grouped { char text[32]; };

/* 1,234,567 */
static struct grouped grouped(uint64_t n)
{
    char digits[24];
    struct grouped g;
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), to = 0;
    for (int i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0)
            g.text[to++] = ',';
        g.text[to++] = digits[i];
    }
    g.text[to] = '\0';
    return g;
}

/* A new layer starts to count from nothing. */
static uint64_t since_drawn(const struct progress *p)
{
    return p->latest.transitions - (p->latest.transitions < p->drawn_transitions ? 0 : p->drawn_transitions);
}

void progress_tell(void *progress, const struct counts *counts, uint32_t depth, uint32_t errors)
{
    struct progress *p = progress;
    double time = now(), passed = time - p->drawn_at;
    p->latest = *counts;
    if (!p->shown || passed < PERIOD)
        return;
    fprintf(stderr, "\r\033[K%s states, %s transitions (%s a second), depth %u, %u error%s",
            grouped(counts->states).text, grouped(counts->transitions).text,
            grouped((uint64_t)((double)since_drawn(p) / passed)).text, depth, errors, errors == 1 ? "" : "s");
    fflush(stderr);
    p->drawn = true;
    p->drawn_at = time;
    p->drawn_transitions = counts->transitions;
}

void progress_erase(struct progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    p->drawn = false;
}
