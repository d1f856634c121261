/* SPDX-License-Identifier: MIT */
#include "madeup.h"

#include <string.h>

enum { FUEL = 200 };                 /* invisible instructions in a row, before the process ends */

static bool invisible(const struct instruction *i)
{
    return i->kind < DO_WAIT;
}

const struct instruction *madeup_at(const struct program *p, int process, const struct local_state *at)
{
    static const struct instruction end = { .kind = DO_EXIT };
    return at->pc < p->length[process] ? &p->code[process][at->pc] : &end;
}

bool madeup_holds(const struct instruction *i, const struct local_state *at)
{
    return at->local[i->n] != i->value;
}

static void compute(const struct instruction *i, struct local_state *at)
{
    at->pc++;
    if (i->kind == DO_SET)
        at->local[i->local] = i->value;
    else if (i->kind == DO_ADD)
        at->local[i->local] = (at->local[i->local] + 1) % MADEUP_VALUES;
    else if (i->kind == DO_JUMP || (i->kind == DO_JUMP_UNLESS && at->local[i->local] != i->value))
        at->pc = i->target;
}

static void run_to_visible(const struct program *p, int process, struct local_state *at)
{
    for (int fuel = FUEL; invisible(madeup_at(p, process, at)); fuel--) {
        if (!fuel) {
            at->pc = p->length[process];
            return;
        }
        compute(madeup_at(p, process, at), at);
    }
}

void madeup_begin(const struct program *p, int process, struct local_state *at)
{
    memset(at, 0, sizeof *at);
    run_to_visible(p, process, at);
}

void madeup_go_on(const struct program *p, int process, struct local_state *at, uint8_t outcome)
{
    const struct instruction *i = madeup_at(p, process, at);
    if (i->local != NO_LOCAL)
        at->local[i->local] = outcome;
    at->pc++;
    run_to_visible(p, process, at);
}

static void print_instruction(const struct instruction *i, FILE *out)
{
#define X(kind, format) format,
    static const char *const formats[] = { INSTRUCTIONS(X) };
#undef X
    if (!invisible(i) && i->kind != DO_EXIT && i->local != NO_LOCAL)
        fprintf(out, "v%d = ", i->local);
    for (const char *f = formats[i->kind]; *f; f++) {
        if (*f != '%') {
            fputc(*f, out);
            continue;
        }
        f++;
        int number = *f == 'o' ? i->object : *f == 'n' ? i->n : *f == 'v' ? i->value : *f == 'l' ? i->local : i->target;
        if (i->kind == DO_REAP && *f == 'v' && number != ANY_CHILD)
            fprintf(out, "process %d", number + 1);
        else if (i->kind == DO_REAP && *f == 'v')
            fputs("any child", out);
        else
            fprintf(out, "%d", number);
    }
}

void madeup_print(const struct program *p, FILE *out)
{
    fprintf(out, "semaphores:");
    for (int s = 0; s < p->semaphores; s++)
        fprintf(out, " s%d = %d", s, p->initial[s]);
    fprintf(out, "\nqueues:");
    for (int q = 0; q < p->queues; q++)
        fprintf(out, " q%d of %d", q, p->size[q]);
    fprintf(out, "\n");
    for (int process = 0; process < p->processes; process++) {
        fprintf(out, "process %d:\n", process + 1);
        for (int pc = 0; pc < p->length[process]; pc++) {
            if (p->code[process][pc].kind == DO_NOTHING)
                continue;
            fprintf(out, "  %2d  ", pc);
            print_instruction(&p->code[process][pc], out);
            fputc('\n', out);
        }
    }
}
