/* SPDX-License-Identifier: MIT */
#include "extractor/coverage.h"

#include "base/memory.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <verisoft-live.h>

void coverage_fini(struct coverage *c)
{
    free(c->items);
    *c = (struct coverage){ 0 };
}

static void add(struct coverage *c, const struct function *f, int node, bool reached)
{
    for (int i = c->count; i-- > 0;)
        if (c->items[i].function == f && c->items[i].node == node) {
            c->items[i].reached |= reached;
            return;
        }
    ARRAY_GROW(c->items, c->count, c->room);
    c->items[c->count++] = (struct covered){ f, node, reached };
}

/* What stands on this line of the model, if it is a statement that has words. */
static void add_line(struct coverage *c, const struct model *m, int line, bool reached)
{
    assert(line < m->line_count);
    const struct origin *o = &m->origins[line];
    const struct model_act *act = o->kind == ORIGIN_ACT && o->machine < m->act_count ? &m->acts[o->machine] : NULL;
    const struct function *f = act ? act->function : o->kind == ORIGIN_NODE ? o->function : NULL;
    int node = act ? act->node : o->node;
    if (f && node >= 0 && f->nodes[node].text)
        add(c, f, node, reached);
}

void coverage_read(struct coverage *c, const struct extraction *x, const char *live)
{
    struct vs_live *told = memory_get(sizeof *told);
    FILE *in = live ? fopen(live, "re") : NULL;
    *c = (struct coverage){ 0 };
    if (in && fread(told, sizeof *told, 1, in) == 1 && told->whole)
        for (int i = 1; i < x->model.line_count && i < VS_LIVE_LINES; i++)
            if (told->lines[i] & VS_LINE_THERE)
                add_line(c, &x->model, i, told->lines[i] & VS_LINE_REACHED);
    if (in)
        fclose(in);
    free(told);
}
