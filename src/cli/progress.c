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

void progress_init(struct progress *p, bool shown, struct progress_limits limits)
{
    *p = (struct progress){ .shown = shown, .drawn_at = now(), .limits = limits };
    p->began = p->drawn_at;
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

static struct grouped about(double n)
{
    struct grouped g;
    if (n < 1e15)
        return grouped((uint64_t)(n + 0.5));
    snprintf(g.text, sizeof g.text, "%.1e", n);
    return g;
}

/* A new layer starts to count from nothing. */
static uint64_t since_drawn(const struct progress *p)
{
    return p->latest.transitions - (p->latest.transitions < p->drawn_transitions ? 0 : p->drawn_transitions);
}

/* 1:02:03 */
static struct grouped clock_face(uint64_t seconds)
{
    struct grouped g;
    unsigned hours = (unsigned)(seconds / 3600), minutes = (unsigned)(seconds / 60 % 60), rest = (unsigned)(seconds % 60);
    if (hours)
        snprintf(g.text, sizeof g.text, "%u:%02u:%02u", hours, minutes, rest);
    else
        snprintf(g.text, sizeof g.text, "%u:%02u", minutes, rest);
    return g;
}

static void draw(const struct progress *p, double time, uint32_t depth, uint32_t errors, bool group)
{
    const struct counts *c = &p->latest;
    fprintf(stderr, "\r\033[K%s", clock_face((uint64_t)(time - p->began)).text);
    if (p->limits.seconds)
        fprintf(stderr, " of %s", clock_face(p->limits.seconds).text);
    fprintf(stderr, "  %s %s", grouped(group ? c->executions : c->states).text, group ? "executions" : "states");
    if (group && c->executions_estimate > 0)
        fprintf(stderr, " of about %s", about(c->executions_estimate).text);
    if (p->limits.states && !group)
        fprintf(stderr, " of %s", grouped(p->limits.states).text);
    double left = group && c->executions && !p->limits.samples ? (time - p->began) * (c->executions_estimate / (double)c->executions - 1) : 0;
    if (left > 0 && left < 1e9)      /* more than thirty years are no news */
        fprintf(stderr, " (about %s left)", clock_face((uint64_t)left).text);
    fprintf(stderr, ", %s transitions (%s a second), depth %u, %u error%s", grouped(c->transitions).text,
            grouped((uint64_t)((double)since_drawn(p) / (time - p->drawn_at))).text, depth, errors, errors == 1 ? "" : "s");
    fflush(stderr);
}

void progress_tell(void *progress, const struct counts *counts, uint32_t depth, uint32_t errors, bool group)
{
    struct progress *p = progress;
    double time = now();
    p->latest = *counts;
    if (!p->shown || time - p->drawn_at < PERIOD)
        return;
    draw(p, time, depth, errors, group);
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
