/* SPDX-License-Identifier: MIT */
#include "extractor/trail_reader.h"

#include "base/memory.h"
#include "base/prose.h"
#include "extractor/look.h"
#include "extractor/program_trail.h"

#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

static struct step *add_step(struct trail_reader *r, int process, struct place_in place, char *text)
{
    struct trail *t = r->trail;
    if (r->next_cycle) {
        t->cycle = t->count;
        r->next_cycle = 0;
    }
    ARRAY_GROW(t->steps, t->count, t->room);
    t->steps[t->count] = (struct step){ .process = process, .place = place, .text = text, .from = -1 };
    return &t->steps[t->count++];
}

static bool in_model(const struct extraction *x, const struct function *f, int node)
{
    for (int i = 0; i < x->model.account_count; i++)
        if (x->model.accounts[i].function == f && x->model.accounts[i].node == node)
            return x->model.accounts[i].fate != FATE_LEFT_OUT && x->model.accounts[i].fate != FATE_MAPPED;
    return false;
}

/* Statements that are not in the model, along which control came to this node. */
static void along(struct trail_reader *r, int process, const struct function *f, int from, int to)
{
    for (int node = from, steps = 0; node >= 0 && node != to && steps <= f->count; steps++) {
        const struct node *n = &f->nodes[node];
        if (n->kind == NODE_IF || n->kind == NODE_SWITCH || n->kind == NODE_RETURN)
            return;
        if (n->kind == NODE_DO && !in_model(r->x, f, node))
            add_step(r, process, n->place, prose_make("%s", n->text))->left_out = true;
        node = n->next;
    }
}

static int way_taken(const char *text)
{
    const char *at = NULL;
    for (const char *found = text; (found = strstr(found, "&&")); found++)
        at = found;
    return at ? atoi(at + 2) : 0;
}

/* Where a node leads when the step took its `way`-th branch. */
static int leads_to(const struct node *n, int way)
{
    if (n->kind == NODE_IF)
        return way == 2 ? n->otherwise : n->next;
    if (n->kind == NODE_SWITCH)
        return way >= 1 && way <= n->way_count ? n->ways[way - 1].to : -1;
    return n->next;
}

/* What @-format puts in has no words of its own in the source: its marks have. */
static char *mark_words(const struct extraction *x, const struct origin *o, int way)
{
    const struct node *n = &o->function->nodes[o->node];
    const char *state = x->harness.machines.items[o->machine].state;
    bool table = n->kind == NODE_SWITCH && n->tree && way >= 1 && way <= n->way_count && !n->ways[way - 1].fallback;
    bool mark = n->kind == NODE_DO && n->tree && !strcmp(n->tree->op, "=") && !strcmp(n->tree->parts[1]->op, "int");
    const struct tree *to = table ? n->tree : mark ? n->tree->parts[0] : NULL;
    if (!o->function->state_count || !state || !to || strcmp(to->op, "var") || strcmp(to->name, state))
        return NULL;
    const char *name = look_state_name(o->function, state, table ? n->ways[way - 1].low : n->tree->parts[1]->value);
    return !name ? NULL : table ? prose_make("@@ from %s", name) : prose_make("@%s", name);
}

static char *node_words(const struct extraction *x, const struct origin *o, int way)
{
    const struct node *n = &o->function->nodes[o->node];
    char *mark = mark_words(x, o, way);
    if (mark)
        return mark;
    if (n->kind == NODE_IF || (n->kind == NODE_SWITCH && !way))
        return prose_make("%s (%s)  %s", n->kind == NODE_IF ? "if" : "switch", n->text, way == 2 ? "no" : way ? "yes" : "");
    if (n->kind == NODE_SWITCH && way >= 1 && way <= n->way_count) {
        const struct way *w = &n->ways[way - 1];
        return w->fallback ? prose_make("switch (%s)  %s", n->text, w->none ? "no case" : "default")
             : w->name ? prose_make("switch (%s)  case %s", n->text, w->name) : prose_make("switch (%s)  case %lld", n->text, w->low);
    }
    static const char *const kinds[] = { "", "", "", "goto ", "break", "continue", "return " };
    return prose_make("%s%s", kinds[n->kind], n->text ? n->text : "");
}

static void statement(struct trail_reader *r, const struct origin *o, int process)
{
    struct at_node *at = &r->stands[process];
    const struct node *n = &o->function->nodes[o->node];
    int way = way_taken(r->step.text);
    bool same = at->line == r->step.line && at->state != r->step.state;  /* one statement may be several steps of the model */
    if (at->function == o->function && !same)
        along(r, process, o->function, at->node, o->node);
    bool quiet = same || n->kind == NODE_GOTO || n->kind == NODE_BREAK || n->kind == NODE_CONTINUE;
    if (!quiet || strchr(r->step.text, '!')) {
        struct step *s = add_step(r, process, n->place, node_words(r->x, o, way));
        if (o->kind == ORIGIN_UNSPECIFIED)
            s->kind = STEP_UNSPECIFIED;
        else if (n->kind == NODE_DO)
            trail_message(r, s, r->step.text);
    }
    at->function = o->function;
    at->node = o->kind == ORIGIN_UNSPECIFIED ? n->ways[n->way_count - 1].to : leads_to(n, way);
}

static void event(struct trail_reader *r, const struct origin *o, int process)
{
    struct step *s = add_step(r, process, o->function->place, NULL);
    s->kind = STEP_EVENT;
    trail_message(r, s, r->step.text);
    s->text = prose_make("%s: %s", o->function->name, s->message ? s->message : "event");
    r->stands[process].function = o->function;
    r->stands[process].node = o->function->entry;
}

/* A line of the model without the blanks around; gives. */
char *trail_model_line(const struct extraction *x, int number)
{
    const char *at = x->model.text;
    for (int i = 1; i < number && (at = strchr(at, '\n')); i++)
        at++;
    at = at ? at + strspn(at, " \t:") : "";
    return prose_make("%.*s", (int)strcspn(at, "\n"), at);
}

/* A driver's step, in its Promela; of a link: what it takes, hands on, loses. */
static void driver(struct trail_reader *r, int process)
{
    struct at_node *at = &r->stands[process];
    bool is_link = !strncmp(r->trail->processes[process], "link_", 5), leaves = !strncmp(r->step.text, "goto :b", 7);
    bool lost = is_link && leaves && at->took;
    if (leaves && !lost)
        return;
    struct step *s = add_step(r, process, (struct place_in){ 0 }, NULL);
    trail_message(r, s, r->step.text);
    at->took = s->kind == STEP_RECEIVE;
    s->lost = lost;
    if (lost)
        s->text = prose_make("loses it");
    else if (s->message)
        s->text = prose_make("%s %c %s", s->channel, s->kind == STEP_SEND ? '!' : '?', s->message);
    else
        s->text = strncmp(r->step.text, "D_STEP", 6) ? prose_make("%s", r->step.text) : trail_model_line(r->x, r->step.line);
}

static void give_values(struct trail_reader *r, int from)
{
    struct trail *t = r->trail;
    for (int i = from; i < t->count; i++) {
        struct step *s = &t->steps[i];
        s->symbols = trail_symbols(r);
        for (int v = 0; v < r->value_count; v++) {
            ARRAY_GROW(s->values, s->value_count, s->value_room);
            s->values[s->value_count++] = (struct value){ prose_make("%s", r->values[v].name), prose_make("%s", r->values[v].text) };
        }
    }
}

/* The step and its values are both read: now it can be understood. */
static void close_step(struct trail_reader *r)
{
    const struct model *m = &r->x->model;
    if (!r->open)
        return;
    struct origin none = { 0 };
    const struct origin *o = r->step.line < m->line_count ? &m->origins[r->step.line] : &none;
    int before = r->trail->count;
    r->trail->model_steps++;
    if (o->kind != ORIGIN_NONE) {
        int process = trail_column(r, r->step.pid, r->step.name);
        if (o->kind == ORIGIN_WAIT)
            event(r, o, process);
        else if (o->kind == ORIGIN_DRIVER)
            driver(r, process);
        else
            statement(r, o, process);
        r->last = process;
        r->stands[process].line = r->step.line;
        r->stands[process].state = r->step.state;
        give_values(r, before);
    }
    for (int i = 0; i < r->value_count; i++) {
        free(r->values[i].name);
        free(r->values[i].text);
    }
    r->value_count = 0;
    free(r->step.name);
    free(r->step.text);
    r->step = (struct trail_line){ 0 };
    r->open = false;
}

/* "  5:  proc  3 (driver)  model.pml:24 (state 4) trans {12,15} [rin!10,0]" */
static bool open_step(struct trail_reader *r, const char *line)
{
    int pid, number, state, used = 0;
    char name[256];
    if (sscanf(line, " %*d: proc %d (%255[^)]) model.pml:%d (state %d)%n", &pid, name, &number, &state, &used) < 4 || !used)
        return false;
    const char *open = strchr(line + used, '['), *close = strrchr(line, ']');
    if (!open || !close || close < open)
        return false;
    close_step(r);
    r->step = (struct trail_line){ pid, number, state, prose_make("%s", name), prose_make("%.*s", (int)(close - open) - 1, open + 1) };
    r->open = true;
    return true;
}

/* " 64:  proc 5 (machine_receiver)  model.pml:52 (state 13) (invalid end state)", behind the last step. */
static bool end_line(struct trail_reader *r, const char *line)
{
    int pid, number;
    char name[256];
    const struct model *m = &r->x->model;
    if (!r->ended || sscanf(line, " %*d: proc %d (%255[^)]) model.pml:%d", &pid, name, &number) < 3 || number >= m->line_count)
        return false;
    const struct origin *o = &m->origins[number];
    if (o->kind == ORIGIN_NONE)
        return true;
    struct trail *t = r->trail;
    int process = trail_column(r, pid, name);
    const struct node *n = o->kind == ORIGIN_NODE || o->kind == ORIGIN_UNSPECIFIED ? &o->function->nodes[o->node] : NULL;
    if (n && o->kind == ORIGIN_NODE && r->stands[process].function == o->function) {
        int before = t->count;
        along(r, process, o->function, r->stands[process].node, o->node);
        give_values(r, before);
    }
    ARRAY_GROW(t->stands, t->stand_count, t->stand_room);
    t->stands[t->stand_count++] = (struct stand){ process, n ? n->place : (struct place_in){ 0 },
        n ? node_words(r->x, o, o->kind == ORIGIN_UNSPECIFIED ? n->way_count : 0) : o->kind == ORIGIN_WAIT ? prose_make("waits for an event") : NULL };
    bool asserts = o->kind == ORIGIN_UNSPECIFIED;
    for (int i = 0; n && i < m->account_count; i++)
        asserts |= m->accounts[i].function == o->function && m->accounts[i].node == o->node && m->accounts[i].how
                   && strstr(m->accounts[i].how, "assert");
    if (r->violated && asserts && (t->violated < 0 || process == r->last))
        t->violated = process;
    return true;
}

static void read_line(void *reader, const char *line)
{
    struct trail_reader *r = reader;
    int pid;
    char name[256];
    if (end_line(r, line) || open_step(r, line))
        return;
    r->violated |= strstr(line, "assertion violated") != NULL;
    if (strstr(line, "START OF CYCLE")) {
        close_step(r);
        r->next_cycle = 1;
    } else if (!strncmp(line, "global vars:", 12)) {
        r->in_locals = false;
        free(r->owner);
        r->owner = NULL;
    } else if (sscanf(line, "local vars proc %d (%255[^)])", &pid, name) == 2) {
        r->in_locals = true;
        free(r->owner);
        r->owner = trail_process(r, name, pid);
    } else if (*line == '\t' && r->open) {
        trail_value(r, line);
    } else if (!strncmp(line, "#processes", 10) || strstr(line, "trail ends")) {
        close_step(r);
        r->ended = true;
    }
}

void trail_each_line(const char *replay, void (*read)(void *, const char *line), void *arg)
{
    while (*replay) {
        size_t length = strcspn(replay, "\n");
        char *line = prose_make("%.*s", (int)length, replay);
        read(arg, line);
        free(line);
        replay += length + (replay[length] == '\n');
    }
}

/* The trail of a program is read by its acts. */
int trail_read(struct trail *t, const struct extraction *x, const struct property *p, const char *replay, struct err *err)
{
    struct trail_reader r = { .trail = t, .x = x };
    if (x->harness.program)
        return trail_read_program(t, x, p, replay, err);
    *t = (struct trail){ .cycle = -1, .violated = -1, .property = p };
    r.symbols = memory_get(((size_t)p->symbol_count + 1) * sizeof *r.symbols);
    for (int i = 0; i < p->symbol_count; i++)
        r.symbols[i] = promela_symbol(&x->machines, &x->harness, p->symbols[i].expression, err);
    trail_each_line(replay, read_line, &r);
    close_step(&r);
    if (r.next_cycle)
        t->cycle = t->count;         /* the cycle has no step: all stand still */
    for (int i = 0; i < r.raws.count; i++) {
        free(r.raws.items[i].name);
        free(r.raws.items[i].text);
    }
    for (int i = 0; i < r.sent_count; i++) {
        free(r.sent[i].channel);
        free(r.sent[i].message);
    }
    for (int i = 0; i < p->symbol_count; i++)
        free(r.symbols[i]);
    free(r.symbols);
    free(r.raws.items);
    free(r.values);
    free(r.columns);
    free(r.sent);
    free(r.stands);
    free(r.owner);
    return t->model_steps ? 0 : fail(err, "the verifier's trail cannot be read");
}

void trail_fini(struct trail *t)
{
    for (int i = 0; i < t->count; i++) {
        struct step *s = &t->steps[i];
        for (int v = 0; v < s->value_count; v++) {
            free(s->values[v].name);
            free(s->values[v].text);
        }
        free(s->values);
        free(s->text);
        free(s->message);
        free(s->channel);
        free(s->symbols);
    }
    for (int i = 0; i < t->process_count; i++)
        free(t->processes[i]);
    for (int i = 0; i < t->stand_count; i++)
        free(t->stands[i].text);
    free(t->wrong);
    free(t->trial);
    free(t->trial_words);
    free(t->scenario);
    free(t->stands);
    free(t->steps);
    free(t->processes);
    *t = (struct trail){ 0 };
}
