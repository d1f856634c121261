/* SPDX-License-Identifier: MIT */
#include "extractor/program_trail.h"

#include "base/memory.h"
#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 256 };

struct reading {
    struct trail            *trail;
    const struct extraction *x;
    int          column[MOST_THREADS];           /* of each process of Spin; -1: none yet */
    int          last;                           /* act that is being read; -1: none */
    int          process;                        /* whose: of Spin */
    bool         open, ended, next_cycle;
    enum { FINE, GOES_WRONG, WENT_WRONG } wrong; /* an act is told before its step, and what comes behind the one that went wrong does nothing */
    int          choice, thread, born;
    int          next_choice, next_thread, next_born;    /* the verifier does an act, and then says that it did */
    char        *symbols, *next_symbols;         /* of the property: '0', '1' or '?' each; NULL: nothing was told */
    struct value *news;                          /* what has changed with it */
    int          news_count, news_room;
    bool         yes;                            /* of a test: which way it went */
    struct value *values;
    int          value_count, value_room;
};

static const struct model_act *act_of(const struct reading *r, int act)
{
    return act >= 0 && act < r->x->model.act_count ? &r->x->model.acts[act] : NULL;
}

static const struct node *node_of(const struct model_act *a)
{
    return a && a->function && a->node >= 0 ? &a->function->nodes[a->node] : NULL;
}

/* A column is called by the function that its thread begins in; the second of a kind has a number. */
static int column(struct reading *r, int process, const char *function)
{
    struct trail *t = r->trail;
    int same = 0;
    if (r->column[process] >= 0)
        return r->column[process];
    for (int i = 0; i < t->process_count; i++)
        same += !strncmp(t->processes[i], function, strlen(function)) && strchr(" ", t->processes[i][strlen(function)]);
    ARRAY_GROW(t->processes, t->process_count, t->process_room);
    t->processes[t->process_count] = same ? prose_make("%s %d", function, same + 1) : prose_make("%s", function);
    return r->column[process] = t->process_count++;
}

/* With NULL as the user wrote it. Gives. */
static char *unexpanded(const struct node *n)
{
    static const char null[] = "((void*)0)";
    const char *text = n->text ? n->text : "";
    struct prose out = { 0 };
    for (const char *at; (at = strstr(text, null)); text = at + strlen(null))
        prose_add(&out, "%.*sNULL", (int)(at - text), text);
    prose_add(&out, "%s%s", text, node_fails(n) ? " fails" : "");
    return prose_take(&out);
}

static char *words(const struct model_act *a, const struct node *n, bool yes)
{
    static const char *const kinds[] = { "", "if ", "switch ", "goto ", "break", "continue", "return " };
    if (!n)
        return prose_make("%s", a->name ? a->name : "return");
    char *text = unexpanded(n);
    char *all = n->kind == NODE_IF && (a->test || a->any) ? prose_make("if (%s)  %s", text, yes ? "yes" : "no")
              : prose_make("%s%s", n->kind == NODE_IF ? "" : kinds[n->kind], text);
    free(text);
    return all;
}

static void take_values(struct reading *r, struct step *s)
{
    for (int i = 0; i < r->value_count; i++) {
        ARRAY_GROW(s->values, s->value_count, s->value_room);
        s->values[s->value_count++] = (struct value){ prose_make("%s", r->values[i].name), prose_make("%s", r->values[i].text) };
    }
}

/* Acts of one statement that follow each other are one step. */
static void close_act(struct reading *r)
{
    const struct model_act *a = act_of(r, r->last);
    const struct node *n = node_of(a);
    struct trail *t = r->trail;
    if (!r->open || !a)
        return;
    r->open = false;
    bool control = n && !a->operation && (n->kind == NODE_GOTO || n->kind == NODE_BREAK || n->kind == NODE_CONTINUE);
    if (control || (!n && !a->operation))
        return;
    int process = column(r, r->process, a->function ? a->function->name : "?");
    struct step *before = t->count ? &t->steps[t->count - 1] : NULL;
    bool same = before && before->process == process && n && before->place.file == n->place.file && before->place.line == n->place.line
              && before->place.column == n->place.column && !a->operation && !a->yields && !r->next_cycle;
    if (r->next_cycle)
        t->cycle = t->count;
    r->next_cycle = false;
    if (!same) {
        ARRAY_GROW(t->steps, t->count, t->room);
        t->steps[t->count++] = (struct step){ .process = process, .from = -1, .act = -1, .place = n ? n->place : (struct place_in){ 0 } };
    }
    struct step *s = &t->steps[t->count - 1];
    free(s->text);
    s->text = words(a, n, r->yes);
    s->operation |= a->operation;
    s->act = a->operation || !same ? r->last : s->act;
    s->choice = a->operation || !same ? r->choice : s->choice;
    s->thread = r->thread;
    s->born = a->operation || !same ? r->born : s->born;
    s->free |= a->any;
    free(s->symbols);
    s->symbols = r->symbols ? prose_make("%s", r->symbols) : NULL;
    for (int i = 0; i < s->value_count; i++) {
        free(s->values[i].name);
        free(s->values[i].text);
    }
    s->value_count = 0;
    take_values(r, s);
}

static void take_news(struct reading *r)
{
    for (int n = 0; n < r->news_count; n++) {
        int i = 0;
        while (i < r->value_count && strcmp(r->values[i].name, r->news[n].name))
            i++;
        if (i == r->value_count) {
            ARRAY_GROW(r->values, r->value_count, r->value_room);
            r->values[r->value_count++] = r->news[n];
            continue;
        }
        free(r->values[i].name);
        free(r->values[i].text);
        r->values[i] = r->news[n];
    }
    r->news_count = 0;
    if (r->next_symbols) {
        free(r->symbols);
        r->symbols = r->next_symbols;
        r->next_symbols = NULL;
    }
    if (r->next_thread < 0)
        return;
    r->choice = r->next_choice;
    r->thread = r->next_thread;
    r->born = r->next_born;
    r->next_thread = -1;
}

/* "  5:  proc  3 (thread)  model.pml:24 (state 4) trans {12,15} [D_STEP24]" */
static bool step_line(struct reading *r, const char *line)
{
    int pid, number, used = 0;
    char name[256];
    if (sscanf(line, " %*d: proc %d (%255[^)]) model.pml:%d (state %*d)%n", &pid, name, &number, &used) < 3 || !used || r->ended)
        return false;
    const struct model *m = &r->x->model;
    r->trail->model_steps++;
    if (r->wrong == WENT_WRONG)
        return true;
    const struct origin *o = number < m->line_count ? &m->origins[number] : NULL;
    const char *what = strchr(line + used, '[');
    if (what && strstr(what, "vs_begins") && pid < MOST_THREADS) {       /* a new one; Spin gives numbers again */
        close_act(r);
        r->column[pid] = -1;
    }
    if (!o || o->kind != ORIGIN_ACT || pid >= MOST_THREADS)
        return true;
    if (what && (!strncmp(what, "[goto ", 6) || strstr(what, "vs_bad")))     /* something is wrong: it does nothing more */
        return true;
    if (!r->open || r->last != o->machine || r->process != pid) {
        close_act(r);
        r->born = -1;
    }
    r->open = true;
    r->wrong += r->wrong == GOES_WRONG;
    r->last = o->machine;
    r->process = pid;
    take_news(r);
    r->yes = !(what && !strncmp(what, "[else", 5)) && !(what && strstr(what, "vs_m"));
    return true;
}

static void value_line(struct reading *r, const char *line)
{
    char name[200];
    int used = 0;
    if (sscanf(line, "vs-value %199s %n", name, &used) < 1)
        return;
    ARRAY_GROW(r->news, r->news_count, r->news_room);
    r->news[r->news_count++] = (struct value){ prose_make("%s", name), prose_make("%s", line + used) };
}

/* "vs-symbols 2 01?" */
static void symbols_line(struct reading *r, const char *line)
{
    char *bits;
    long property = strtol(line, &bits, 10);
    if (property < 0 || property >= r->x->harness.properties.count || &r->x->harness.properties.items[property] != r->trail->property)
        return;
    bits += strspn(bits, " ");
    if ((int)strspn(bits, "01?") != r->trail->property->symbol_count)
        return;
    free(r->next_symbols);
    r->next_symbols = prose_make("%.*s", r->trail->property->symbol_count, bits);
}

/* " 24:	proc 1 (thread)  model.pml:18 (state 32)", behind the last step: where everybody stands. */
static void stand_line(struct reading *r, const char *line)
{
    int pid, number;
    char name[256];
    if (sscanf(line, " %*d: proc %d (%255[^)]) model.pml:%d", &pid, name, &number) < 3 || pid >= MOST_THREADS)
        return;
    const struct model *m = &r->x->model;
    const struct origin *o = number < m->line_count ? &m->origins[number] : NULL;
    const struct model_act *a = o && o->kind == ORIGIN_ACT ? act_of(r, o->machine) : NULL;
    const struct node *n = node_of(a);
    struct trail *t = r->trail;
    if (!a || !n || r->column[pid] < 0)
        return;
    ARRAY_GROW(t->stands, t->stand_count, t->stand_room);
    t->stands[t->stand_count++] = (struct stand){ r->column[pid], n->place, unexpanded(n) };
}

static void read_line(void *reading, const char *line)
{
    struct reading *r = reading;
    int act, me, choice, born;
    if (!r->ended && sscanf(line, "vs-did %d %d %d %d", &act, &me, &choice, &born) == 4) {
        r->next_choice = choice;
        r->next_thread = me;
        r->next_born = born;
    } else if (!r->ended && !strncmp(line, "vs-wrong ", 9) && !r->trail->wrong) {
        r->trail->wrong = prose_make("%s", line + 9);
        r->wrong = GOES_WRONG;
    } else if (!strncmp(line, "vs-value ", 9))
        value_line(r, line);
    else if (!strncmp(line, "vs-symbols ", 11))
        symbols_line(r, line + 11);
    else if (strstr(line, "START OF CYCLE")) {
        close_act(r);
        r->next_cycle = true;
    } else if (!strncmp(line, "#processes", 10) || strstr(line, "trail ends")) {
        close_act(r);
        r->ended = true;
    } else if (r->ended)
        stand_line(r, line);
    else
        step_line(r, line);
}

int trail_read_program(struct trail *t, const struct extraction *x, const struct property *p, const char *replay, struct err *err)
{
    struct reading r = { .trail = t, .x = x, .last = -1, .next_thread = -1 };
    *t = (struct trail){ .cycle = -1, .violated = -1, .property = p };
    for (int i = 0; i < MOST_THREADS; i++)
        r.column[i] = -1;
    trail_each_line(replay, read_line, &r);
    close_act(&r);
    if (r.next_cycle)
        t->cycle = t->count;
    for (int i = 0; i < r.value_count; i++) {
        free(r.values[i].name);
        free(r.values[i].text);
    }
    for (int i = 0; i < r.news_count; i++) {
        free(r.news[i].name);
        free(r.news[i].text);
    }
    free(r.values);
    free(r.news);
    free(r.symbols);
    free(r.next_symbols);
    if (t->wrong && t->count)
        t->violated = t->steps[t->count - 1].process;
    return t->model_steps ? 0 : fail(err, "the verifier's trail cannot be read");
}
