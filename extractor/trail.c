/* SPDX-License-Identifier: MIT */
#include "extractor/trail.h"

#include "base/memory.h"
#include "extractor/evaluate.h"
#include "extractor/look.h"
#include "extractor/program_trail.h"
#include "base/prose.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct raw { char *name, *text; };                               /* a variable of the model as it is after the step */
struct raws { struct raw *items; int count, room; };

struct sent { char *channel; int step; char *message; bool taken; };

struct at_node { int process; const struct function *function; int node; int line, state; bool took; };     /* took: a link holds a message */

/* One step of the verifier, before it is understood. */
struct line {
    int   pid, line, state;
    char *name, *text;
};

struct reader {
    struct trail            *trail;
    const struct extraction *x;
    char                   **symbols;            /* of the property, in the model's words */
    struct raws              raws;               /* globals of the model, and channels */
    struct value            *values;
    int                      value_count, value_room;
    int                     *columns;            /* of each process number of the model; -1: none so far */
    int                      column_count;
    struct sent             *sent;
    int                      sent_count, sent_room;
    struct at_node          *stands;             /* where each column stood last */
    int                      stand_count, stand_room;
    struct line              step;               /* waits for its values */
    bool                     open;
    bool                     in_locals;
    char                    *owner;              /* of the values that are being read: "receiver", or NULL */
    int                      next_cycle;
    bool                     ended, violated;    /* behind the last step; an assertion is violated there */
    int                      last;               /* who moved last */
};

/* ---- words ---- */

static void find_event(void *arg, long long value, const char *name)
{
    struct { long long value; const char *name; } *wanted = arg;
    if (value == wanted->value && name && !wanted->name)
        wanted->name = name;
}

static const char *event_name(const struct extraction *x, long long value)
{
    struct { long long value; const char *name; } wanted = { value, NULL };
    for (int i = 0; i < x->harness.machines.count; i++) {
        const struct function *f = machines_function(&x->machines, x->harness.machines.items[i].function);
        if (f)
            look_events(f, x->harness.machines.items[i].event, find_event, &wanted);
    }
    return wanted.name;
}

/* "10,0," as "msg(0)" */
static char *message_words(const struct extraction *x, const char *fields)
{
    struct prose out = { 0 };
    char *end;
    long long first = strtoll(fields, &end, 10);
    const char *name = event_name(x, first);
    size_t length = strlen(end);
    while (length && (end[length - 1] == ',' || end[length - 1] == ' '))
        length--;
    if (name)
        prose_add(&out, "%s", name);
    else
        prose_add(&out, "%lld", first);
    if (length > 1)
        prose_add(&out, "(%.*s)", (int)length - 1, end + 1);
    return prose_take(&out);
}

static char *process_name(const struct reader *r, const char *model, int pid)
{
    if (strncmp(model, "machine_", 8))
        return prose_make("%s", model);
    for (int i = 0; i < r->x->harness.machines.count; i++) {
        const struct harness_machine *m = &r->x->harness.machines.items[i];
        if (strcmp(m->name, model + 8) || m->count == 1)
            continue;
        int copy = 0;
        for (int p = 0; p < pid && p < r->column_count; p++)
            copy += r->columns[p] >= 0 && !strncmp(r->trail->processes[r->columns[p]], m->name, strlen(m->name))
                    && r->trail->processes[r->columns[p]][strlen(m->name)] == '[';
        return prose_make("%s[%d]", m->name, copy);
    }
    return prose_make("%s", model + 8);
}

static int column(struct reader *r, int pid, const char *name)
{
    while (r->column_count <= pid) {
        r->columns = memory_resize(r->columns, ((size_t)r->column_count + 1) * sizeof *r->columns);
        r->columns[r->column_count++] = -1;
    }
    if (r->columns[pid] < 0) {
        struct trail *t = r->trail;
        char *column_name = process_name(r, name, pid);
        ARRAY_GROW(t->processes, t->process_count, t->process_room);
        r->columns[pid] = t->process_count;
        t->processes[t->process_count++] = column_name;
        ARRAY_GROW(r->stands, r->stand_count, r->stand_room);
        r->stands[r->stand_count++] = (struct at_node){ .process = t->process_count - 1, .node = -1 };
    }
    return r->columns[pid];
}

/* ---- values ---- */

static void set_raw(struct raws *raws, const char *name, const char *text)
{
    for (int i = 0; i < raws->count; i++)
        if (!strcmp(raws->items[i].name, name)) {
            free(raws->items[i].text);
            raws->items[i].text = prose_make("%s", text);
            return;
        }
    ARRAY_GROW(raws->items, raws->count, raws->room);
    raws->items[raws->count++] = (struct raw){ prose_make("%s", name), prose_make("%s", text) };
}

static const char *raw(const struct raws *raws, const char *name)
{
    for (int i = 0; i < raws->count; i++)
        if (!strcmp(raws->items[i].name, name))
            return raws->items[i].text;
    return NULL;
}

/* The program's word for a variable of the model; NULL: it is ours alone. */
static char *meaning(const struct reader *r, const char *name)
{
    size_t length = strcspn(name, "[");
    if (!strcmp(name, "me"))
        return NULL;
    for (int i = 0; i < r->x->harness.machines.count; i++) {     /* receiver_seqno, of a property */
        const char *machine = r->x->harness.machines.items[i].name;
        size_t own = strlen(machine);
        if (!r->owner && !strncmp(machine, name, own) && name[own] == '_' && name[own + 1])
            return prose_make("%s%s.%.*s", machine, name + length, (int)(length - own - 1), name + own + 1);
    }
    for (int i = 0; i < r->x->model.name_count; i++)
        if (strlen(r->x->model.names[i].name) == length && !strncmp(r->x->model.names[i].name, name, length))
            return prose_make("%s%s%s%s", r->owner ? r->owner : "", r->owner ? "." : "", r->x->model.names[i].meaning, name + length);
    return prose_make("%s%s%s", r->owner ? r->owner : "", r->owner ? "." : "", name);
}

static void read_value(struct reader *r, const char *line)
{
    const char *name = line + 1 + strcspn(line + 1, " "), *colon = strstr(line, ":\t");
    name += strspn(name, " ");
    if (!colon || colon <= name)
        return;
    bool is_channel = !strncmp(line + 1, "chan ", 5);
    size_t length = is_channel ? strcspn(name, " ") : (size_t)(colon - name);
    char *word = prose_make("%.*s", (int)length, name), *text = prose_make("%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    if (!r->in_locals)
        set_raw(&r->raws, word, text);
    char *told = is_channel ? NULL : meaning(r, word);
    size_t ends = told ? strlen(told) : 0;
    for (int i = 0; !r->in_locals && ends > 8 && !strcmp(told + ends - 8, ".control") && i < r->x->harness.machines.count; i++) {
        const struct harness_machine *m = &r->x->harness.machines.items[i];
        const struct function *f = machines_function(&r->x->machines, m->function);
        size_t length_of = strlen(m->name);
        const char *state = !strncmp(told, m->name, length_of) && strchr(".[", told[length_of]) && f
                            ? look_state_name(f, m->state, atoll(text)) : NULL;
        if (!state)
            continue;
        free(text);
        text = prose_make("%s", state);
    }
    if (told) {
        ARRAY_GROW(r->values, r->value_count, r->value_room);
        r->values[r->value_count++] = (struct value){ told, prose_make("%s", text) };
    }
    free(word);
    free(text);
}

static bool symbol_value(void *arg, const char *name, long long *value)
{
    const struct reader *r = arg;
    const char *text = raw(&r->raws, name);
    if (text) {
        *value = strtoll(text, NULL, 10);
        return true;
    }
    for (int i = 0; i < r->x->machines.constant_count; i++)
        if (!strcmp(r->x->machines.constants[i].name, name)) {
            *value = r->x->machines.constants[i].value;
            return true;
        }
    return false;
}

static char *symbols_now(struct reader *r)
{
    struct prose out = { 0 };
    for (int i = 0; i < r->trail->property->symbol_count; i++) {
        long long value;
        bool known = r->symbols[i] && evaluate(r->symbols[i], symbol_value, r, &value);
        prose_add(&out, "%c", !known ? '?' : value ? '1' : '0');
    }
    return prose_take(&out);
}

/* ---- messages ---- */

/* The name of the channel in "c!1,2" or "c[0]?x"; NULL: it is neither. */
static char *channel_of(const char *text, bool *sends)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    size_t index = text[length] == '[' ? strcspn(text + length, "]") + 1 : 0;
    char mark = length ? text[length + index] : 0;
    *sends = mark == '!';
    return (mark == '!' && text[length + index + 1] != '=') || mark == '?' ? prose_make("%.*s", (int)(length + index), text) : NULL;
}

/* The last message in "len 2:\t [10,0,], [11,1,],". */
static char *last_message(const struct reader *r, const char *channel)
{
    const char *content = raw(&r->raws, channel), *open = content ? strrchr(content, '[') : NULL;
    if (!open)
        return NULL;
    char *fields = prose_make("%.*s", (int)strcspn(open + 1, "]"), open + 1), *words = message_words(r->x, fields);
    free(fields);
    return words;
}

/* "c[x->first]", by who sends, and "c[2]", by who receives it: which of them it is is told by the number. */
static bool by_number(const char *channel)
{
    const char *index = strchr(channel, '[');
    return !index || index[1 + strspn(index + 1, "0123456789")] == ']';
}

static bool same_channel(const char *sent, const char *received)
{
    size_t base = strcspn(sent, "[");
    return !strcmp(sent, received)
        || ((!by_number(sent) || !by_number(received)) && base == strcspn(received, "[") && !strncmp(sent, received, base));
}

static void note_message(struct reader *r, struct step *s, const char *text)
{
    bool sends;
    char *channel = channel_of(text, &sends), *own = channel ? strstr(channel, "[me]") : NULL;
    if (!channel)
        return;
    if (own) {                       /* the number of the copy is that of its column */
        const char *copy = strchr(r->trail->processes[s->process], '[');
        char *exact = prose_make("%.*s%s", (int)(own - channel), channel, copy ? copy : "");
        free(channel);
        channel = exact;
    }
    s->channel = channel;
    if (sends) {
        s->kind = STEP_SEND;
        s->message = last_message(r, channel);
        const char *constants = strchr(text, '!') + 1;
        if (!s->message && constants[strspn(constants, "0123456789,")] == '\0')
            s->message = message_words(r->x, constants);
        ARRAY_GROW(r->sent, r->sent_count, r->sent_room);
        r->sent[r->sent_count++] = (struct sent){ prose_make("%s", channel), r->trail->count - 1,
                                                  prose_make("%s", s->message ? s->message : "?"), false };
        return;
    }
    s->kind = s->kind == STEP_EVENT ? STEP_EVENT : STEP_RECEIVE;
    for (int i = 0; i < r->sent_count; i++)
        if (!r->sent[i].taken && same_channel(r->sent[i].channel, channel)) {
            r->sent[i].taken = true;
            s->from = r->sent[i].step;
            s->message = prose_make("%s", r->sent[i].message);
            return;
        }
}

/* ---- steps ---- */

static struct step *add_step(struct reader *r, int process, struct place_in place, char *text)
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
static void along(struct reader *r, int process, const struct function *f, int from, int to)
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

static void statement(struct reader *r, const struct origin *o, int process)
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
            note_message(r, s, r->step.text);
    }
    at->function = o->function;
    at->node = o->kind == ORIGIN_UNSPECIFIED ? n->ways[n->way_count - 1].to : leads_to(n, way);
}

static void event(struct reader *r, const struct origin *o, int process)
{
    struct step *s = add_step(r, process, o->function->place, NULL);
    s->kind = STEP_EVENT;
    note_message(r, s, r->step.text);
    s->text = prose_make("%s: %s", o->function->name, s->message ? s->message : "event");
    r->stands[process].function = o->function;
    r->stands[process].node = o->function->entry;
}

/* A line of the model without the blanks around; gives. */
static char *model_line(const struct extraction *x, int number)
{
    const char *at = x->model.text;
    for (int i = 1; i < number && (at = strchr(at, '\n')); i++)
        at++;
    at = at ? at + strspn(at, " \t:") : "";
    return prose_make("%.*s", (int)strcspn(at, "\n"), at);
}

/* A driver's step, in its Promela; of a link: what it takes, hands on, loses. */
static void driver(struct reader *r, int process)
{
    struct at_node *at = &r->stands[process];
    bool is_link = !strncmp(r->trail->processes[process], "link_", 5), leaves = !strncmp(r->step.text, "goto :b", 7);
    bool lost = is_link && leaves && at->took;
    if (leaves && !lost)
        return;
    struct step *s = add_step(r, process, (struct place_in){ 0 }, NULL);
    note_message(r, s, r->step.text);
    at->took = s->kind == STEP_RECEIVE;
    s->lost = lost;
    if (lost)
        s->text = prose_make("loses it");
    else if (s->message)
        s->text = prose_make("%s %c %s", s->channel, s->kind == STEP_SEND ? '!' : '?', s->message);
    else
        s->text = strncmp(r->step.text, "D_STEP", 6) ? prose_make("%s", r->step.text) : model_line(r->x, r->step.line);
}

static void give_values(struct reader *r, int from)
{
    struct trail *t = r->trail;
    for (int i = from; i < t->count; i++) {
        struct step *s = &t->steps[i];
        s->symbols = symbols_now(r);
        for (int v = 0; v < r->value_count; v++) {
            ARRAY_GROW(s->values, s->value_count, s->value_room);
            s->values[s->value_count++] = (struct value){ prose_make("%s", r->values[v].name), prose_make("%s", r->values[v].text) };
        }
    }
}

/* The step and its values are both read: now it can be understood. */
static void close_step(struct reader *r)
{
    const struct model *m = &r->x->model;
    if (!r->open)
        return;
    struct origin none = { 0 };
    const struct origin *o = r->step.line < m->line_count ? &m->origins[r->step.line] : &none;
    int before = r->trail->count;
    r->trail->model_steps++;
    if (o->kind != ORIGIN_NONE) {
        int process = column(r, r->step.pid, r->step.name);
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
    r->step = (struct line){ 0 };
    r->open = false;
}

/* "  5:  proc  3 (driver)  model.pml:24 (state 4) trans {12,15} [rin!10,0]" */
static bool open_step(struct reader *r, const char *line)
{
    int pid, number, state, used = 0;
    char name[256];
    if (sscanf(line, " %*d: proc %d (%255[^)]) model.pml:%d (state %d)%n", &pid, name, &number, &state, &used) < 4 || !used)
        return false;
    const char *open = strchr(line + used, '['), *close = strrchr(line, ']');
    if (!open || !close || close < open)
        return false;
    close_step(r);
    r->step = (struct line){ pid, number, state, prose_make("%s", name), prose_make("%.*s", (int)(close - open) - 1, open + 1) };
    r->open = true;
    return true;
}

/* " 64:  proc 5 (machine_receiver)  model.pml:52 (state 13) (invalid end state)", behind the last step. */
static bool end_line(struct reader *r, const char *line)
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
    int process = column(r, pid, name);
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
    struct reader *r = reader;
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
        r->owner = process_name(r, name, pid);
    } else if (*line == '\t' && r->open) {
        read_value(r, line);
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
    struct reader r = { .trail = t, .x = x };
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
