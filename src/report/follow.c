/* SPDX-License-Identifier: MIT */
#include "report/follow.h"

#include "objects/older.h"
#include "objects/types.h"
#include "base/prose.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char CHANGED[] = "the program was changed since the scenario was saved, or the scenario was edited";

char *follow_result(struct run *run, int process, uint32_t choice)
{
    const struct node *node = system_pending(run->system, process);
    if (is_process(&node->op, PROCESS_CREATE))
        return NULL;
    return run_result(run, &node->op, system_preview(run->system, node->op.process, choice));
}

static bool gives(struct run *run, const struct node *node, uint32_t choice, const char *wanted)
{
    char *printed = run_result(run, &node->op, system_preview(run->system, node->op.process, choice));
    bool same = printed && !strcmp(printed, wanted);
    free(printed);
    return same;
}

/* -1: none of the choices gives what the scenario wants. */
static int64_t find_choice(struct run *run, const struct node *node, uint32_t choices, const char *wanted)
{
    for (uint32_t choice = 0; choice < choices; choice++)
        if (gives(run, node, choice, wanted))
            return choice;
    return -1;
}

static int cannot_go(const struct run *run, const struct trace *before, const struct path_step *step, const char *file,
                     const struct node *node, struct err *err)
{
    char *does = run_operation(run, before, &node->op), *where = run_location(run, &node->op);
    const char *why = node->flags & NODE_END ? "has ended" : system_aborted(run->system) ? "is stopped by VS_abort"
                                                                                          : "is blocked";
    int rc = fail(err, "%s:%u: process %d cannot go on, it %s: %s%s%s%s; %s", file, step->line, step->process, why, does,
                  where ? " (" : "", where ? where : "", where ? ")" : "", CHANGED);
    free(does);
    free(where);
    return rc;
}

/* What the object is called in this spelling of the operation. Gives; NULL: it spells another, or there is no object. */
static char *object_in(const struct run *run, const struct op *op, const char *spelling)
{
    char *a = run_operation_on(run, op, "a"), *b = run_operation_on(run, op, "b"), *name = NULL;
    size_t before = 0, length = strlen(spelling);
    while (a[before] && a[before] == b[before])
        before++;
    size_t after = a[before] ? strlen(a + before + 1) : 0;
    if (a[before] && length >= before + after && !strncmp(spelling, a, before) && !strcmp(spelling + length - after, a + before + 1))
        name = prose_make("%.*s", (int)(length - after - before), spelling + before);
    free(a);
    free(b);
    return name;
}

static bool is_of_older_file(const struct run *run, const struct op *op, const char *wanted)
{
    return op->object != NO_OBJECT
        && older_spelling(op, run->system->objects[op->object].created->number, run->system->texts, wanted);
}

/* What a thread begins with is for the reader, and so is the name of what is opened: older files do not say it, and a program that
 * was stripped does not know it. */
static bool same_function(const struct op *op, const char *does, const char *wanted)
{
    size_t length = strcspn(does, " (");
    return types_traits(op) & OP_REMARKS && length == strcspn(wanted, " (") && !strncmp(does, wanted, length);
}

static bool same_operation(struct run *run, const struct trace *before, const struct op *op, const char *does, const char *wanted)
{
    char *name = object_in(run, op, wanted), *here = object_in(run, op, does);
    bool is_new = op->object != NO_OBJECT && trace_made(before, op).event == before->count;
    bool same = name && here ? names_agree(&run->names, name, here, op->object, is_new)
                             : same_function(op, does, wanted) || !strcmp(does, wanted);
    free(name);
    free(here);
    return same || is_of_older_file(run, op, wanted);
}

static int other_operation(struct run *run, const struct trace *before, const struct path_step *step, const char *file,
                           const struct node *node, struct err *err)
{
    char *does = run_operation(run, before, &node->op), *where = run_location(run, &node->op);
    int rc = 0;
    if (!same_operation(run, before, &node->op, does, step->operation))
        rc = fail(err, "%s:%u: process %d should do %s, but stands before %s%s%s%s; %s", file, step->line, step->process,
                  step->operation, does, where ? " (" : "", where ? where : "", where ? ")" : "", CHANGED);
    free(does);
    free(where);
    return rc;
}

static int no_such_result(const struct run *run, const struct trace *before, const struct path_step *step, const char *file,
                          const struct node *node, uint32_t choices, const char *example, struct err *err)
{
    char *does = run_operation(run, before, &node->op);
    int rc = step->result
        ? fail(err, "%s:%u: %s of process %d cannot give %s here; it has %u results, such as %s", file, step->line, does,
               step->process, step->result, choices, example)
        : fail(err, "%s:%u: %s of process %d has %u results here; say which one, for instance `%d = %s`", file, step->line,
               does, step->process, choices, step->process, example);
    free(does);
    return rc;
}

static int choose(struct run *run, const struct trace *before, const struct path_step *step, const char *file,
                  const struct node *node, uint32_t *choice, struct err *err)
{
    uint32_t choices = system_choices(run->system, step->process - 1);
    assert(choices && node->op.process == step->process - 1);
    *choice = 0;
    if (choices == 1)
        return 0;
    int64_t found = step->result ? find_choice(run, node, choices, step->result) : -1;
    if (found >= 0) {
        *choice = (uint32_t)found;
        return 0;
    }
    char *example = run_result(run, &node->op, system_preview(run->system, node->op.process, 0));
    int rc = no_such_result(run, before, step, file, node, choices, example ? example : "(nothing)", err);
    free(example);
    return rc;
}

int follow_choice(struct run *run, const struct trace *before, const struct path_step *step, const char *file, uint32_t *choice,
                  struct err *err)
{
    struct system *system = run->system;
    int process = step->process - 1, rc;
    if (step->process > system->processes)
        return fail(err, "%s:%u: there is no process %d; the program has %d", file, step->line, step->process,
                    system->processes);
    assert(process >= 0);            /* the reader has seen to it */
    const struct node *node = system_pending(system, process);
    if (step->operation && (rc = other_operation(run, before, step, file, node, err)) < 0)
        return rc;
    if (!(system->enabled >> process & 1))
        return cannot_go(run, before, step, file, node, err);
    rc = choose(run, before, step, file, node, choice, err);
    unsigned number;
    if (step->result && sscanf(step->result, "process %u", &number) == 1 && number)
        system_next_child(system, number - 1);
    return rc;
}

int follow_step(struct run *run, const struct path_step *step, const char *file, struct trace *trace, struct err *err)
{
    uint32_t choice;
    int rc = follow_choice(run, trace, step, file, &choice, err);
    assert(rc < 0 || (run->system->enabled >> (step->process - 1) & 1 && choice < system_choices(run->system, step->process - 1)));
    return rc < 0 ? rc : trace_execute(trace, run->system, step->process - 1, choice, err);
}

int follow_path(struct run *run, const struct path *path, const char *file, struct trace *trace, struct err *err)
{
    int rc = 0;
    names_fini(&run->names);
    for (uint32_t i = 0; i < path->count && rc >= 0; i++)
        rc = follow_step(run, &path->steps[i], file, trace, err);
    return rc;
}
