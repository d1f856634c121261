/* A batch: the list of steps that the program runs at one go, each with what it must come to.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/group.h"

#include "objects/types.h"

#include <assert.h>
#include <string.h>

static void fill_reply(struct native *n, struct wire_step *step, const struct leg *f)
{
    const struct op *op = ran_op(n, f);
    if (types_get(op->type)->operations[op->code].result != RESULT_TEXT || f->result == UINT32_MAX)
        return;
    const char *text = texts_string(n->texts, f->result);
    size_t length = strlen(text) + 1;
    memcpy(line_batch(&n->line)->data + n->group.data_used, text, length);
    step->reply = n->group.data_used + 1;
    step->result = 0;
    n->group.data_used += (uint32_t)length;
    assert(n->group.data_used <= MAX_BATCH_DATA);
}

/* Adds one step to the batch; false: there is no room. */
bool batch_add(struct native *n, const struct leg *f)
{
    struct batch_plan *batch = &n->group.plan;
    uint32_t most = n->group.single ? 1 : MAX_BATCH;
    if (batch->count == most || n->group.data_used + MAX_MESSAGE >= MAX_BATCH_DATA)
        return false;
    struct wire_step *step = &batch->steps[batch->count++];
    *step = (struct wire_step){.expect = ran_digest(n, f), .result = f->result, .process = (uint8_t)f->process,
                               .host = (uint8_t)f->host, .depth = n->group.ran_count + batch->count};
    fill_reply(n, step, f);
    if (ran_forks(n, f))
        line_clear(&n->line, f->result);
    return true;
}

void batch_empty(struct native *n)
{
    n->group.plan.count = line_batch(&n->line)->at = n->group.data_used = 0;
}

void batch_start(struct native *n)
{
    const struct batch_plan *plan = &n->group.plan;
    struct wire_batch *batch = line_batch(&n->line);
    assert(plan->count && plan->count <= MAX_BATCH);
    memcpy(batch->steps, plan->steps, plan->count * sizeof *plan->steps);
    batch->count = plan->count;
    line_command(&n->line, plan->steps[0].host, COMMAND_BATCH);
}

/* Memory alone does not say any more where the program stands. */
static int states_refused(struct native *n, struct err *err)
{
    struct native_counts counts = native_counts(n);
    const char *why = counts.starts_again;
    n->group.alive = false;
    return fail(err, "the program's states cannot be compared: %s%s%s, and what the kernel keeps is not seen; use --search dfs or iterative",
                strchr(why, ' ') ? "" : "it calls ", why, strchr(why, ' ') || strchr(why, '(') ? "" : "()");
}

/* All of its threads have the same variables; another UNIX process has others. */
static int note_variables(struct native *n, uint32_t slot, struct arrival *a, struct err *err)
{
    if (!n->settings.noter.self)
        return 0;
    for (uint32_t h = 1; h < MAX_PROCESSES; h++)
        if (n->members[h].pid || slot != 0)
            return !n->settings.noter.must ? 0 : fail(err, "--invariant: the program shares memory, and makes another process, so that its variables are not those of all; "
                        "VS_assert and assert are seen");
    return arrive_note(n, slot, a, err);
}

/* Gives how many of its steps were done; `a` is where the last of these led. */
int batch_finish(struct native *n, struct arrival *a, struct err *err)
{
    const struct batch_plan *batch = &n->group.plan;
    uint32_t slot;
    int rc = arrive_group(n, &slot, a, err);
    if (rc < 0) {
        n->group.alive = false;      /* nobody knows where it stands */
        return rc;
    }
    assert(n->group.done && n->group.done <= batch->count);
    if (n->settings.states && line_batch(&n->line)->kernel_state)
        return states_refused(n, err);
    rc = note_variables(n, slot, a, err);
    return rc < 0 ? rc : (int)n->group.done;
}
