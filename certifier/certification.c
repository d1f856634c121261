/* What came of following a certificate: verdicts, and the scenario that shows them. SPDX-License-Identifier: MIT */
#include "certifier/certify.h"

#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

#define X(upper, lower) #lower,
const char *const certify_results[] = { CERTIFY_RESULTS(X) };
#undef X

void certification_save(struct certification *c, const char *program, const struct system *system, const struct step *steps, size_t apart,
                        uint32_t count)
{
    struct path *path = &c->path;
    path_init(path);
    path->program = prose_make("%s", program);
    path->error = prose_make("%s", c->message);
    path->shares = system_shares(system);
    for (uint32_t i = 0; i < count; i++) {
        const struct step *s = (const void *)((const char *)steps + i * apart);
        const struct op *op = &system->graphs[s->process].nodes[s->node].op;
        struct path_step *step = path_add(path, (int)s->process + 1);
        step->operation = labels_operation(system, op);
        char *outcome = labels_outcome(system, op, s->result);
        if (*outcome)
            step->result = outcome;
        else
            free(outcome);
    }
    c->path_there = true;
}

void certification_reject(struct certification *c, uint64_t entry, const char *format, va_list list)
{
    struct prose w = { 0 };
    prose_add_list(&w, format, list);
    c->result = CERTIFY_REJECTED;
    c->message = prose_take(&w);
    c->entry = entry;
}

void certification_wrong(struct certification *c, const struct wrong_thing *wrong)
{
    c->result = wrong->ours ? CERTIFY_REJECTED : CERTIFY_ERRORS;
    c->kind = wrong->ours ? FOUND_NOTHING : wrong->kind;
    c->process = wrong->process + 1;
    c->message = wrong->ours ? prose_make("%s. That is not controlled, so no search can have gone on there", wrong->words) : wrong->words;
    if (wrong->ours)
        free(wrong->words);
}

static const char *const decisive[] = { "file", "object", "compiler-options", "arguments", "env", "stdin", "spurious-wakeups",
                                        "timers", "overruns", "rounds" };

/* What the header says alone rejects nothing: the program is followed to see what it does instead. */
char *certify_other_program(const struct fields *theirs, const struct fields *ours)
{
    for (size_t i = 0; i < sizeof decisive / sizeof *decisive; i++)
        for (uint32_t nth = 0; ; nth++) {
            const char *says = fields_get(theirs, decisive[i], nth), *is = fields_get(ours, decisive[i], nth);
            if (!says && !is)
                break;
            if (!says || !is || strcmp(says, is))
                return prose_make("it was made for another program, or for one that is started otherwise: it says '%s: %.200s', and here that "
                                  "is '%.200s'", decisive[i], says ? says : "(nothing)", is ? is : "(nothing)");
        }
    return NULL;
}

void certification_blame(struct certification *c, char *other)
{
    char *instead = c->message;
    c->message = instead ? prose_make("%s. What this program does instead: %s", other, instead)
                         : prose_make("%s. Along this script it does the same", other);
    c->result = CERTIFY_REJECTED;
    c->kind = FOUND_NOTHING;
    free(instead);
    free(other);
}

void certification_fini(struct certification *c)
{
    free(c->message);
    if (c->path_there)
        path_fini(&c->path);
}
