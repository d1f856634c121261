/* The scenario as a message sequence chart: a lane for each process, time going down, an arrow from each send to the receive that took
 * its message and between the accesses of a data race, holds of semaphores and locks as bars. One layout, two ways to write it.
 * SPDX-License-Identifier: MIT */
#ifndef CHART_H
#define CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum chart_role { CHART_OTHER, CHART_SEND, CHART_RECEIVE, CHART_TAKE, CHART_GIVE };

struct chart_event {
    int             process;                 /* counts from 0 */
    const char     *text;                    /* operation with its result */
    enum chart_role role;
    uint32_t        object;                  /* UINT32_MAX: none */
    const uint32_t *from;                    /* of a receive: events whose message it took */
    uint32_t        from_count;
    const char     *notes;                   /* lines of VS_print; NULL: none */
    const uint32_t *raced;                   /* earlier events with which it is in a data race */
    uint32_t        raced_count;
};

struct chart {
    const char               *title;         /* NULL: none */
    bool                      color;
    const char *const        *lanes;         /* names of the processes */
    int                       lane_count;
    const struct chart_event *events;
    uint32_t                  count;
    const char               *condition;     /* what is wrong at the end; NULL: nothing */
};

void chart_svg(const struct chart *, FILE *);
void chart_ps(const struct chart *, FILE *);         /* PostScript on as many A4 pages as it needs */

#endif
