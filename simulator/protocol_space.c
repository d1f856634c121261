/* Requests about the state space that a search saved.
 * SPDX-License-Identifier: MIT */
#include "simulator/protocol_internal.h"

#include "base/memory.h"
#include "report/outcome.h"
#include "base/prose.h"
#include "simulator/view.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int read_space(struct protocol *p, struct err *err)
{
    struct space fresh;
    char *file = outcome_file(simulator_job(p->simulator), SPACE_FILE);
    int rc = 0;
    if (access(file, F_OK))
        rc = fail(err, "there is no %s; a search with --save-state-space writes one", file);
    else
        rc = space_read(&fresh, file, err);
    free(file);
    if (rc < 0)
        return rc;
    if (p->has_space)
        space_fini(&p->space);
    p->space = fresh;
    p->has_space = true;
    return 0;
}

HANDLER(space)
{
    (void)q;
    int rc = read_space(p, err);
    if (rc < 0)
        return rc;
    protocol_warn(p, SPACE_FILE, p->space.program, reply);
    return protocol_give(reply, NULL, view_space(&p->space));
}

static int need_space(struct protocol *p, struct err *err) { return p->has_space ? 0 : read_space(p, err); }

HANDLER(match)
{
    const char *pattern;
    int rc = argument_need_text(q, "pattern", &pattern, err);
    if (rc < 0 || (rc = need_space(p, err)) < 0)
        return rc;
    bool *matching = memory_get((p->space.label_count + 1) * sizeof *matching);
    rc = space_match(&p->space, pattern, matching, err);
    json_t *labels = json_array();
    for (uint32_t i = 0; rc >= 0 && i < p->space.label_count; i++)
        if (matching[i])
            json_array_append_new(labels, json_integer(i));
    free(matching);
    json_object_set_new(reply, "labels", labels);
    return rc;
}

/* The way to a state as a scenario. */
static int way_to(const struct space *space, uint32_t state, struct path *path, struct err *err)
{
    uint32_t count, *way = space_way(space, state, &count, err);
    if (!way)
        return -EINVAL;
    struct prose text = { 0 };
    prose_add(&text, "verisoft-path 1\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct space_transition *t = &space->transitions[way[i]];
        prose_add(&text, "%u  %s\n", t->process, space->labels[t->label]);
    }
    int rc = path_parse(path, text.text, text.length, SPACE_FILE, err);
    prose_fini(&text);
    free(way);
    return rc;
}

/* The position at which the scenario comes through that state; -1: it does not. */
static int64_t passes(const struct protocol *p, uint32_t state)
{
    const struct trace *trace = simulator_trace(p->simulator);
    struct space_step *steps = memory_get((trace->count + 1) * sizeof *steps);
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct event *e = &trace->events[i];
        steps[i].process = (uint32_t)e->op.process + 1;
        steps[i].label = run_transition(simulator_run(p->simulator), NULL, &e->op, e->result);      /* as the search wrote it */
    }
    int64_t position = space_position(&p->space, steps, trace->count, state);
    for (uint32_t i = 0; i < trace->count; i++)
        free(steps[i].label);
    free(steps);
    return position;
}

static int load_way(struct protocol *p, uint32_t state, struct err *err)
{
    struct path path;
    path_init(&path);
    int rc = way_to(&p->space, state, &path, err);
    if (rc >= 0) {
        protocol_leave(p);
        rc = simulator_load(p->simulator, &path, SPACE_FILE, err);
    }
    if (rc >= 0)
        simulator_forget_file(p->simulator);
    path_fini(&path);
    return rc;
}

HANDLER(visit)
{
    uint32_t state;
    int rc = argument_need_number(q, "state", &state, err);
    if (rc < 0 || (rc = need_space(p, err)) < 0)
        return rc;
    if (state >= p->space.states)
        return fail(err, "there is no state %u; the state space has states 0 to %u", state, p->space.states - 1);
    int64_t position = passes(p, state);
    if (position >= 0)
        return protocol_move(p, (uint32_t)position, reply, err);
    rc = load_way(p, state, err);
    return rc < 0 ? rc : protocol_move(p, simulator_length(p->simulator), reply, err);
}

HANDLER(quit)
{
    (void)q, (void)reply, (void)err;
    p->over = true;
    return 0;
}
