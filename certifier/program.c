/* The program that is certified: started, followed, stopped; and started again where something is wrong with it.
 * SPDX-License-Identifier: MIT */
#include "certifier/certify.h"

#include "certifier/beside.h"
#include "certifier/tree.h"
#include "certifier/wrong.h"
#include "base/prose.h"
#include "properties/invariant.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct life {                        /* one start of the program */
    struct native  *native;
    struct history *history;
    struct texts   *texts;
    struct system  *system;
    struct start    start;
};

static void die(struct life *l)
{
    system_free(l->system);
    native_stop(l->native);
    history_free(l->history);
    texts_free(l->texts);
}

/* A program with threads, or that shares memory, is one group, whose states are told, unless executions are followed. */
static int live_as(struct life *l, const struct certify_program *program, bool group, struct err *err)
{
    struct native_settings native = program->native;
    bool states = group && !program->executions;
    native.group = group;
    native.states = native.pooled = states;
    native.demand = true;
    *l = (struct life){ .history = history_new(), .texts = texts_new() };
    if (program->invariants) {
        invariants_restart(program->invariants);
        native.noter = (struct noter){ program->invariants, invariants_note, true };
    }
    int rc = native_start(&l->native, &native, l->history, l->texts, &l->start, err);
    if (rc < 0)
        return rc;
    int named = program->invariants && !group ? invariants_highest(program->invariants) : 0;
    if (named > l->start.processes)
        return fail(err, "an invariant names process %d; the program has %d", named, l->start.processes);
    struct system_parts parts = { .start = &l->start, .history = l->history, .runner = native_runner(l->native), .texts = l->texts,
                                  .structure = program->structure, .invariants = program->invariants, .states = states };
    l->system = system_new(&parts, err);
    return l->system ? 0 : -EINVAL;
}

/* That memory is shared shows when it is; then everything begins again. */
static int live(struct life *l, const struct certify_program *program, struct err *err)
{
    int rc = live_as(l, program, program->native.group, err);
    if (rc != -EXDEV || program->native.group)
        return rc;
    die(l);
    return live_as(l, program, true, err);
}

/* ---- an error is run again ---- */

/* The choice with which the process does what the step says; -1: none. */
static int64_t choice_of(struct system *s, const struct path_step *step)
{
    int process = step->process - 1;
    if (process >= s->processes || !(s->enabled >> process & 1))
        return -1;
    const struct op op = system_pending(s, process)->op;
    char *does = labels_operation(s, &op);
    bool same = !strcmp(does, step->operation);
    int64_t found = -1;
    uint32_t choices = system_choices(s, process);
    free(does);
    for (uint32_t c = 0; same && c < choices && found < 0; c++) {
        char *outcome = labels_outcome(s, &op, system_preview(s, process, c));
        found = strcmp(outcome, step->result ? step->result : "") ? -1 : (int64_t)c;
        free(outcome);
    }
    return found;
}

static bool again(struct system *s, const struct certification *c, bool ignore_deadlock, struct err *err)
{
    struct step step;
    for (uint32_t i = 0; i < c->path.count; i++) {
        int64_t choice = choice_of(s, &c->path.steps[i]);
        if (choice < 0 || system_execute(s, c->path.steps[i].process - 1, (uint32_t)choice, &step, err) != STEP_TAKEN)
            return false;
    }
    struct wrong_thing wrong = { 0 };
    bool found = (c->path.count && wrong_with(s, &step, &wrong)) || wrong_in(s, ignore_deadlock, &wrong);
    free(wrong.words);
    return found && wrong.kind == c->kind && wrong.process + 1 == c->process;
}

static int confirm(const struct certify_settings *settings, const struct certify_program *program, struct certification *c, struct err *err)
{
    struct life l;
    int rc = live(&l, program, err);
    if (rc >= 0 && !again(l.system, c, settings->ignore_deadlock, err)) {
        char *old = c->message;
        c->message = prose_make("%s; but when the same steps were run again in fresh processes, it was not so: the program is not "
                                "deterministic", old);
        c->kind = FOUND_NONDETERMINISM;
        free(old);
    }
    die(&l);
    return rc;
}

/* ---- all ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Can what its states are be compared with what they are in another start? */
static int check_lasting(const struct life *l, struct err *err)
{
    uint64_t fingerprint[2];
    if (!native_comparable(l->native))
        return fail(err, "two starts of the program cannot be compared, because the system fixes no addresses (personality or ptrace is refused): "
                    "leave out --tasks and -j");
    if (!system_lasting_fingerprint(l->system, fingerprint))
        return fail(err, "the program has objects of a type of your own, of which it is not known how to compare them in two starts: leave out "
                    "--tasks and -j");
    return 0;
}

/* What the header says of it decides only how it is begun: it is followed in either case. */
static int follow(const struct certify_settings *settings, const struct certify_program *program, struct script *script,
                  struct certification *out, struct err *err)
{
    struct life l;
    int rc = live(&l, program, err);
    if (rc >= 0 && settings->map && !settings->tree)
        rc = check_lasting(&l, err);
    if (rc >= 0)
        rc = settings->tree ? tree_certify(settings, settings->tree, l.system, out, err) : certify(settings, script, l.system, out, err);
    if (l.native)
        out->native = native_counts(l.native);
    die(&l);
    return rc;
}

static int reject_header(struct certification *c, int rc)
{
    c->result = CERTIFY_REJECTED;
    c->message = prose_make("%s", rc == -EXDEV ? "its header does not say 'memory: shared', but this program has threads, or shares memory"
                            : "its header does not say in 'shared' what the program does: several threads use a variable without a lock, or an "
                              "atomic one, or it has timers and waits with time limits, which go by one clock");
    return 0;
}

int certify_program(const struct certify_settings *settings, const struct certify_program *program, struct script *script,
                    struct certification *out, struct err *err)
{
    struct certify_program begun = *program;
    double start = now();
    beside_processors();             /* before it is kept to one of them */
    *out = (struct certification){ .result = CERTIFY_CUT };
    begun.native.group |= settings->tree ? tree_shares(settings->tree) : script_shares(script);
    begun.executions = settings->tree;
    int rc = follow(settings, &begun, script, out, err);
    if (rc == -EXDEV || rc == -ERESTART)
        rc = reject_header(out, rc);
    if (rc >= 0 && out->result == CERTIFY_ERRORS && out->kind != FOUND_NONDETERMINISM)
        rc = confirm(settings, &begun, out, err);
    out->seconds = now() - start;
    return rc;
}
