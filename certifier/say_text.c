/* SPDX-License-Identifier: MIT */
#include "certifier/say.h"

#include "base/prose.h"
#include "properties/invariant.h"

#include <stdlib.h>

struct say_number say_number(uint64_t value)
{
    struct say_number n;
    char digits[24], *to = n.text;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return n;
}

static const char *s_of(uint64_t count) { return count == 1 ? "" : "s"; }

static void certified_tree(const struct certify_report *r, struct prose *w)
{
    const struct certification *c = r->certification;
    prose_add(w, "certified: every one of %s execution%s was run here, %s transition%s in all; each other execution of the program differs from one "
              "of them only in the order of independent steps.\n", say_number(c->executions).text, s_of(c->executions),
              say_number(c->transitions).text, s_of(c->transitions));
    if (c->sleep_cut)
        prose_add(w, "%s more led to where such an execution had been.\n", say_number(c->sleep_cut).text);
    prose_add(w, "%s race%s could have gone the other way round, and for each the tree has an execution in which it does.\n",
              say_number(c->races).text, s_of(c->races));
}

static void certified(const struct certify_report *r, struct prose *w)
{
    const struct certification *c = r->certification;
    if (r->tree)
        certified_tree(r, w);
    else if (r->trustful)
        prose_add(w, "believed and checked: %s state%s entered along the script, by %s transition%s that %s executed here. That these are all states was "
                  "believed, not checked.\n", say_number(c->states).text,
                  c->states == 1 ? " was" : "s were", say_number(c->transitions).text, s_of(c->transitions),
                  c->transitions == 1 ? "was" : "were");
    else
        prose_add(w, "certified: every one of %s transition%s was executed here, and they lead to %s state%s and no other.\n",
                  say_number(c->transitions).text, s_of(c->transitions), say_number(c->states).text, s_of(c->states));
    prose_add(w, "No %sviolated assertion, crash, divergence or breach of what is declared in any of them%s.\n",
              r->ignore_deadlock ? "" : "deadlock, ", r->tree ? ", hence in none at all" : "");
    for (uint32_t i = 0; r->invariants && i < invariants_count(r->invariants); i++)
        prose_add(w, "The invariant %s holds in every one of them.\n", invariants_text(r->invariants, i));
    if (r->tree ? tree_shares(r->tree) : script_shares(r->script))       /* it was followed, so that is true */
        prose_add(w, "%s shared variable that is used without synchronisation is not seen: such a race can hide an error; check the program "
                  "to look for them.\n", r->variables ? "What is done to the variables that its header names was executed here, too. Any other" : "A");
}

static void rejected(const struct certify_report *r, struct prose *w)
{
    const struct certification *c = r->certification;
    prose_add(w, "rejected");
    if (c->entry && r->tree)
        prose_add(w, " at execution %s", say_number(c->entry).text);
    else if (c->entry)
        prose_add(w, " at entry %s, in state %s", say_number(c->entry).text, say_number(c->state).text);
    prose_add(w, ": %s.\n", c->message);
}

static void errors(const struct certify_report *r, struct prose *w)
{
    const struct certification *c = r->certification;
    prose_add(w, "error: %s, in %s %s. %s.\n", wrong_names[c->kind], r->tree ? "execution" : "state", say_number(r->tree ? c->entry : c->state).text, c->message);
}

/* The command is never broken: it is to be copied. */
static void scenario(const struct certify_report *r, FILE *out)
{
    if (r->scenario)
        fprintf(out, "%s: %s\nTo see it: %s replay %s %s%s%s%s%s\n",
                r->certification->result == CERTIFY_REJECTED ? "How to come to that state" : "scenario", r->scenario, r->self, r->program,
                r->options, *r->options ? " " : "", r->scenario, *r->arguments ? " -- " : "", r->arguments);
}

/* Of a state several parts may have a fingerprint. */
static void in_parts(const struct certify_report *r, struct prose *w)
{
    const struct certification *c = r->certification;
    prose_add(w, "It was followed in %u part%s", c->parts, c->parts == 1 ? "" : "s");
    if (r->tree)
        prose_add(w, ", and what %s of %s races compared", c->parts == 1 ? "it says" : "they say", say_number(c->compared).text);
    else if (c->compared)
        prose_add(w, "; %s fingerprint%s compared", say_number(c->compared).text, c->compared == 1 ? " was" : "s were");
    prose_add(w, ".\n");
}

static void heading(const struct certify_report *r, uint64_t transitions, bool colour, struct prose *w)
{
    int processes = r->certification->processes;         /* 0: the program did not come to run */
    uint64_t count = r->tree ? tree_executions(r->tree) : script_states(r->script);
    prose_add(w, "%s%s%s: ", colour ? "\033[1m" : "", r->program, colour ? "\033[0m" : "");
    if (processes)
        prose_add(w, "%d process%s; ", processes, processes == 1 ? "" : "es");
    prose_add(w, "%s says %s %s, %s transitions.\n", r->certificate, say_number(count).text,
              !r->tree ? "states" : count == 1 ? "execution" : "executions", say_number(transitions).text);
}

void say_text(FILE *out, const struct certify_report *r, int width, bool colour)
{
    const struct certification *c = r->certification;
    struct prose w = { 0 };
    uint64_t all = r->tree ? tree_transitions(r->tree) : r->script ? script_transitions(r->script) : 0;
    if (r->script || r->tree)
        heading(r, all, colour, &w);
    switch (c->result) {
    case CERTIFY_CERTIFIED: certified(r, &w); break;
    case CERTIFY_REJECTED:  rejected(r, &w); break;
    case CERTIFY_ERRORS:    errors(r, &w); break;
    case CERTIFY_CUT:
        prose_add(&w, "cut short by %s after %s of %s transitions: nothing is certified.\n", r->stopped_by, say_number(c->transitions).text,
                  say_number(all).text);
        break;
    }
    if (c->result == CERTIFY_CERTIFIED && !r->trustful && !r->tree)
        prose_add(&w, "At most %s fingerprint%s kept at a time, %.0f %% of all.\n", say_number(c->kept).text, c->kept == 1 ? " was" : "s were",
                  100.0 * (double)c->kept / (double)c->states);
    if (c->result == CERTIFY_CERTIFIED && c->parts)
        in_parts(r, &w);
    prose_wrap(out, w.text, 0, 2, width);
    scenario(r, out);
    prose_fini(&w);
}
