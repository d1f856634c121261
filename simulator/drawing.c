/* SPDX-License-Identifier: MIT */
#include "simulator/drawing.h"

#include "base/memory.h"
#include "base/prose.h"
#include "report/story.h"
#include "simulator/chart.h"

#include <stdlib.h>

static enum chart_role chart_role(enum role role)
{
    static const enum chart_role roles[] = { [ROLE_NONE] = CHART_OTHER, [ROLE_SEND] = CHART_SEND, [ROLE_RECEIVE] = CHART_RECEIVE,
                                             [ROLE_TAKE] = CHART_TAKE, [ROLE_GIVE] = CHART_GIVE };
    return roles[role];
}

/* Parts of one object have holds of their own. */
static uint32_t chart_object(uint32_t object, uint32_t part)
{
    enum { PARTS = 64 };
    return object == NO_OBJECT ? UINT32_MAX : object * PARTS + part % PARTS;
}

/* The events with which it is in a data race. Gives. */
static uint32_t *raced_with(const struct simulator *s, uint32_t event, uint32_t *count)
{
    uint32_t *all = NULL, room = 0;
    *count = 0;
    for (uint32_t race = 0, with; (with = simulator_raced(s, event, &race)) != UINT32_MAX;)
        if (!*count || all[*count - 1] != with) {        /* a read and a write at one place are two accesses */
            ARRAY_GROW(all, *count, room);
            all[(*count)++] = with;
        }
    return all;
}

static struct chart_event *chart_events(const struct simulator *s, uint32_t count)
{
    const struct trace *trace = simulator_trace(s);
    struct chart_event *all = memory_get((count + 1) * sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        const struct event *e = &trace->events[i];
        struct passage passage = simulator_passage(s, i);
        all[i] = (struct chart_event){
            .process = e->op.process, .text = run_event(simulator_run(s), trace, i),
            .role = chart_role(passage.role), .object = chart_object(e->op.object, passage.part),
            .notes = story_event_notes(simulator_run(s), trace, i) };
        all[i].from_count = simulator_took(s, i, &all[i].from);
        all[i].raced = raced_with(s, i, &all[i].raced_count);
    }
    return all;
}

static char *chart_condition(struct simulator *s)
{
    struct path path;
    simulator_path(s, &path);
    char *condition = path.error ? prose_make("%s", path.error) : NULL;
    path_fini(&path);
    return condition;
}

void drawing_write(struct simulator *s, enum drawing format, const char *title, bool color, FILE *out)
{
    int lanes = simulator_run(s)->system->processes;
    uint32_t count = simulator_length(s);
    char **names = memory_get((size_t)lanes * sizeof *names), *condition = chart_condition(s);
    struct chart_event *events = chart_events(s, count);
    for (int i = 0; i < lanes; i++)
        names[i] = prose_make("process %d", i + 1);
    struct chart chart = { .title = title, .color = color, .lanes = (const char *const *)names, .lane_count = lanes,
                           .events = events, .count = count, .condition = condition };
    (format == DRAWING_SVG ? chart_svg : chart_ps)(&chart, out);
    for (int i = 0; i < lanes; i++)
        free(names[i]);
    for (uint32_t i = 0; i < count; i++) {
        free((char *)events[i].text);
        free((char *)events[i].notes);
        free((uint32_t *)events[i].raced);
    }
    free(names);
    free(events);
    free(condition);
}
