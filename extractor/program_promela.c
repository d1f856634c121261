/* The Promela of a program's model: the flow of its acts. All of them stand in one atomic sequence; whoever comes to an act that yields goes
 * out of it and in again (Y12: goto L12), and there others may go. What is done is in C; so are conditions, behind names that take the
 * thread's number, for Spin allows no calls where it wants no side effects.
 * SPDX-License-Identifier: MIT */
#include "extractor/program.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- what Promela calls ---- */

static void name_question(struct prose *out, char kind, int number, int way)
{
    char name[40];
    if (way < 0)
        snprintf(name, sizeof name, "vs_%c%d", kind, number);
    else
        snprintf(name, sizeof name, "vs_%c%d_%d", kind, number, way);
    prose_add(out, "int %s_(int);\n#define %s %s_(Pthread->me)\n", name, name, name);
}

static bool is_entry(const struct program *p, int function)
{
    return p->frames[function].used && (p->frames[function].address || !strcmp(p->machines->functions[function].name, "main"));
}

static void name_places(struct program *p, struct prose *out)
{
    for (int i = 0; i < p->count; i++) {
        const struct act *a = &p->acts[i];
        if (a->kind == ACT_CALL || i == 0 || i == 2)
            prose_add(out, "#define vs_back%d vs_back_(Pthread->me, %d)\n", i == 0 || i == 2 ? i : i + 1, i == 0 || i == 2 ? i : i + 1);
        if (a->resumes)
            prose_add(out, "#define vs_begins%d vs_begins_(Pthread->me, %d)\n", i, i);
    }
    for (int f = 0; f < p->machines->count; f++) {
        prose_add(out, "#define vs_calls%d vs_calls_(Pthread->me, %d)\n", f, f);
        if (is_entry(p, f))
            prose_add(out, "#define vs_begins%d vs_begins_(Pthread->me, %d)\n", p->frames[f].entry, p->frames[f].entry);
    }
}

char *program_header(struct program *p)
{
    struct prose out = { 0 };
    prose_add(&out, "/* What the model calls of the program. */\nextern struct vs_world_type vs_world;\nvoid vs_do(int, int), vs_choose_first(int), "
              "vs_choose_next(int);\nint vs_fine_(void), vs_may_(int), vs_at_rest_(void), vs_born_(int), vs_take_born(int), vs_begins_(int, int), "
              "vs_back_(int, int), vs_calls_(int, int), vs_idle_(void), vs_tired_(int);\nvoid vs_go_round(void), vs_rest(void), vs_resume(void);\n#define vs_fine vs_fine_()\n#define vs_bad !vs_fine_()\n#define vs_may vs_may_(Pthread->me)\n"
              "#define vs_at_rest vs_at_rest_()\n#define vs_idle vs_idle_()\n#define vs_tired vs_tired_(Pthread->me)\n#define vs_born vs_born_(Pthread->me)\n");
    for (int i = 0; i < p->count; i++) {
        const struct act *a = &p->acts[i];
        if (a->guard)
            name_question(&out, 'g', i, -1);
        if (a->choices)
            name_question(&out, 'm', i, -1);
        if (a->kind == ACT_TEST)
            name_question(&out, 't', i, -1);
        for (int w = 0; w < a->way_count; w++)
            if (a->ways[w].test)
                name_question(&out, 'w', i, w);
    }
    name_places(p, &out);
    for (int i = 0; i < p->harness->properties.count; i++)
        for (int s = 0; s < p->harness->properties.items[i].symbol_count; s++)
            prose_add(&out, "int vs_s%d_%d_(void);\n#define vs_s%d_%d vs_s%d_%d_()\n", i, s, i, s, i, s);
    return prose_take(&out);
}

/* ---- lines ---- */

struct lines { struct program *p; struct prose out; };

static void put(struct lines *w, int act, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put(struct lines *w, int act, const char *format, ...)
{
    size_t from = w->out.length;
    struct model *m = w->p->model;
    va_list args;
    va_start(args, format);
    prose_add_list(&w->out, format, args);
    va_end(args);
    prose_add(&w->out, "\n");
    for (size_t i = from; i < w->out.length; i++) {
        if (w->out.text[i] != '\n')
            continue;
        ARRAY_GROW(m->origins, m->line_count, m->line_room);
        m->origins[m->line_count++] = (struct origin){ act < 0 ? ORIGIN_NONE : ORIGIN_ACT, act, NULL, 0 };
    }
}

/* ---- loops in which nobody yields ---- */

static int next_of(const struct program *p, int i, int which)    /* -1: no more */
{
    const struct act *a = &p->acts[i];
    switch (a->kind) {
    case ACT_TEST: case ACT_ANY: return which == 0 ? a->next : which == 1 ? a->otherwise : -1;
    case ACT_SWITCH:             return which < a->way_count ? a->ways[which].to : -1;
    case ACT_CALL:               return which == 0 ? i + 1 : -1;  /* it comes back */
    case ACT_RETURN: case ACT_STOP: return -1;
    default:                     return which == 0 ? a->next : -1;
    }
}

/* Does one come from `from` to `to` without anybody's yielding? */
static bool comes_silently(const struct program *p, int from, int to, bool *seen, int *list)
{
    int count = 0;
    bool found = false;
    list[count++] = from;
    for (int done = 0; done < count && !found; done++)
        for (int w = 0, next; !found && (next = next_of(p, list[done], w)) >= 0; w++) {
            found = next == to;
            if (!seen[next] && !p->acts[next].yields && !found) {
                seen[next] = true;
                list[count++] = next;
            }
        }
    for (int i = 1; i < count; i++)
        seen[list[i]] = false;
    return found;
}

/* Of each such loop the act is marked to which it goes back. */
static void find_silent(struct program *p)
{
    bool *seen = memory_get((size_t)p->count + 1);
    int *list = memory_get(((size_t)p->count + 1) * sizeof *list);
    for (int i = 0; i < p->count; i++)
        for (int w = 0, to; !p->acts[i].yields && (to = next_of(p, i, w)) >= 0; w++)
            if (to <= i && !p->acts[to].yields && !p->acts[to].silent && (to == i || comes_silently(p, to, i, seen, list)))
                p->loops = p->acts[to].silent = true;
    free(seen);
    free(list);
}

/* Where an act is found: behind a way out, if others may go before it. */
static const char *label(struct program *p, int act)
{
    if (act < 0)
        return "E";
    while (p->acts[act].kind == ACT_GO && p->acts[act].next > act && !p->acts[act].silent)   /* forward only, so that no ring is followed */
        act = p->acts[act].next;
    const struct act *a = &p->acts[act];
    return a->kind == ACT_STOP ? "E" : program_text(p, "%c%d", a->yields ? (p->loops ? 'R' : 'Y') : a->silent ? 'H' : 'L', act);
}

static void put_do(struct lines *w, int i)
{
    struct program *p = w->p;
    const struct act *a = &p->acts[i];
    struct prose line = { 0 };
    prose_add(&line, "L%d: ", i);
    if (a->choices) {
        prose_add(&line, "if :: %s%s%sc_code { vs_choose_first(Pthread->me); } :: c_expr { vs_bad } -> goto E fi; do :: c_expr { vs_m%d } -> c_code { vs_choose_next(Pthread->me); } "
                  ":: goto C%d od;\nC%d: c_code { vs_do(%d, Pthread->me); }; ", "c_expr { ",
                  a->guard ? program_text(p, "vs_g%d", i) : "vs_may", " } -> ", i, i, i, i);
    } else if (a->guard || a->yields) {
        prose_add(&line, "if :: d_step { c_expr { %s } -> c_code { vs_do(%d, Pthread->me); } } :: c_expr { vs_bad } -> goto E fi; ",
                  a->guard ? program_text(p, "vs_g%d", i) : "vs_may", i);
    } else
        prose_add(&line, "c_code { vs_do(%d, Pthread->me); }; ", i);
    if (!a->yields && a->code && strpbrk(a->code, "/%["))       /* it may fail, and lead round for ever */
        prose_add(&line, "if :: c_expr { vs_bad } -> goto E :: else fi; ");
    if (a->operation && a->code && (strstr(a->code, "vs_create(") || strstr(a->code, "vs_fork(") || strstr(a->code, "vs_spawn(")))
        prose_add(&line, "if :: c_expr { vs_born } -> c_code { Pthread->fresh = vs_take_born(Pthread->me); }; run thread(fresh) :: else fi; ");
    put(w, i, "%sgoto %s;", line.text, label(p, a->next));
    prose_fini(&line);
}

static void put_ways(struct lines *w, int i)
{
    const struct act *a = &w->p->acts[i];
    struct prose line = { 0 };
    prose_add(&line, "L%d: if", i);
    for (int k = 0; k < a->way_count; k++)
        if (a->ways[k].test)
            prose_add(&line, " :: c_expr { vs_w%d_%d } -> goto %s", i, k, label(w->p, a->ways[k].to));
        else
            prose_add(&line, " :: else -> goto %s", label(w->p, a->ways[k].to));
    put(w, i, "%s fi;", line.text);
    prose_fini(&line);
}

static void put_call(struct lines *w, int i)
{
    const struct act *a = &w->p->acts[i];
    struct prose line = { 0 };
    prose_add(&line, "L%d: c_code { vs_do(%d, Pthread->me); }; ", i, i);
    if (a->called >= 0) {
        put(w, i, "%sgoto %s;", line.text, label(w->p, w->p->frames[a->called].entry));
        prose_fini(&line);
        return;
    }
    prose_add(&line, "if");
    for (int f = 0; f < w->p->machines->count; f++)
        if (w->p->frames[f].used && w->p->frames[f].address)
            prose_add(&line, " :: c_expr { vs_calls%d } -> goto %s", f, label(w->p, w->p->frames[f].entry));
    put(w, i, "%s :: else -> goto E fi;", line.text);
    prose_fini(&line);
}

static void put_return(struct lines *w, int i)
{
    struct program *p = w->p;
    struct prose line = { 0 };
    int function = p->acts[i].function;
    prose_add(&line, "L%d: c_code { vs_do(%d, Pthread->me); }; if", i, i);
    for (int k = 0; k < p->count; k++)
        if (p->acts[k].kind == ACT_CALL && (p->acts[k].called == function || (p->acts[k].called < 0 && p->frames[function].address)))
            prose_add(&line, " :: c_expr { vs_back%d } -> goto %s", k + 1, label(p, k + 1));
    if (!strcmp(p->machines->functions[function].name, "main"))
        prose_add(&line, " :: c_expr { vs_back2 } -> goto %s", label(p, 2));
    else if (p->frames[function].address)
        prose_add(&line, " :: c_expr { vs_back0 } -> goto %s", label(p, 0));
    put(w, i, "%s :: else -> goto E fi;", line.text);
    prose_fini(&line);
}

/* R: the way to an act before which others may come. H: the head of a loop in which nobody does; T: unless it goes on for too long. */
static void put_loop(struct lines *w, int i)
{
    if (w->p->acts[i].yields)
        put(w, -1, "R%d: c_code { vs_rest(); }; goto Y%d;", i, i);
    if (w->p->acts[i].silent)
        put(w, -1, "H%d: c_code { vs_go_round(); }; if :: c_expr { vs_tired } -> c_code { vs_rest(); }; goto T%d :: c_expr { !(vs_may) } -> goto E "
            ":: else -> goto L%d fi;\nK%d: c_code { vs_resume(); }; goto L%d;", i, i, i, i, i);
}

static void put_act(struct lines *w, int i)
{
    struct program *p = w->p;
    const struct act *a = &p->acts[i];
    if (p->loops)
        put_loop(w, i);
    switch (a->kind) {
    case ACT_DO:      put_do(w, i); break;
    case ACT_TEST:    put(w, i, "L%d: if :: c_expr { vs_t%d } -> goto %s :: else -> goto %s fi;", i, i, label(p, a->next), label(p, a->otherwise)); break;
    case ACT_ANY:     put(w, i, "L%d: if :: c_expr { vs_g%d } -> goto %s :: c_expr { vs_m%d } -> goto %s fi;", i, i, label(p, a->next), i,
                          label(p, a->otherwise)); break;
    case ACT_SWITCH:  put_ways(w, i); break;
    case ACT_CALL:    put_call(w, i); break;
    case ACT_RETURN:  put_return(w, i); break;
    case ACT_PROMELA: put(w, i, "L%d: %s; goto %s;", i, a->code, label(p, a->next)); break;
    case ACT_GO:      put(w, i, "L%d: goto %s;", i, label(p, a->next)); break;
    case ACT_STOP:    break;
    }
}

static void put_thread(struct lines *w)
{
    struct program *p = w->p;
    struct prose starts = { 0 };
    put(w, -1, "proctype thread(byte me)\n{\n    byte fresh;\n    goto B;");
    for (int i = 0; i < p->count; i++)
        if (p->acts[i].yields)
            put(w, -1, "Y%d: goto L%d;", i, i);
    for (int i = 0; i < p->count; i++)
        if (p->acts[i].silent)
            put(w, -1, "T%d: goto K%d;", i, i);
    for (int f = 0; f < p->machines->count; f++)                 /* a new thread lets others go first */
        if (is_entry(p, f)) {
            put(w, -1, "S%d: goto %s;", p->frames[f].entry, label(p, p->frames[f].entry));
            prose_add(&starts, " :: c_expr { vs_begins%d } -> goto S%d", p->frames[f].entry, p->frames[f].entry);
        }
    for (int i = 0; i < p->count; i++)
        if (p->acts[i].resumes) {
            put(w, -1, "S%d: goto L%d;", i, i);
            prose_add(&starts, " :: c_expr { vs_begins%d } -> goto S%d", i, i);
        }
    put(w, -1, "B: atomic {\nif%s fi;", starts.text);
    for (int i = 0; i < p->count; i++)
        put_act(w, i);
    put(w, -1, "E: %sassert(c_expr { vs_fine }) }\n}\n", p->loops ? "c_code { vs_rest(); }; " : "");      /* within it: one who has ended is not another state for all others */
    prose_fini(&starts);
}

/* The first global of those that others see in what an access does, "f->t.t0 = vs_here.g.v_x;", is the one that it touches: a pointer that nobody
 * changes is only the way to it. Gives; NULL: it is behind a pointer. */
static char *touched(const struct program *p, const struct act *a)
{
    static const char global[] = "vs_here.g.v_";
    for (const char *at = a->yields ? a->code : NULL; at && (at = strstr(at, global)); at += sizeof global - 1) {
        const char *end = at + sizeof global - 1;
        while (isalnum((unsigned char)*end) || *end == '_')
            end++;
        char *name = prose_make("%.*s", (int)(end - at) - (int)sizeof global + 1, at + sizeof global - 1);
        if (program_is_shared(p, -1, name))
            return name;
        free(name);
    }
    return NULL;
}

static void keep_acts(struct program *p)
{
    struct model *m = p->model;
    for (int i = 0; i < p->count; i++) {
        const struct act *a = &p->acts[i];
        ARRAY_GROW(m->acts, m->act_count, m->act_room);
        m->acts[m->act_count++] = (struct model_act){ a->function >= 0 ? &p->machines->functions[a->function] : NULL, a->node, a->operation,
            a->yields, a->kind == ACT_TEST || a->kind == ACT_SWITCH, a->kind == ACT_ANY, a->kind == ACT_CALL, a->name ? prose_make("%s", a->name) : touched(p, a) };
    }
}

void program_promela(struct program *p)
{
    struct lines w = { .p = p };
    struct model *m = p->model;
    ARRAY_GROW(m->origins, m->line_count, m->line_room);
    m->origins[m->line_count++] = (struct origin){ 0 };          /* lines count from 1 */
    put(&w, -1, "/* Made by verisoft extract; what c_code calls is in the C file beside it. */\nc_decl { \\#include \"model.h\"\n}\n"
        "c_track \"&vs_world\" \"VS_SIZE\"\n");
    if (p->harness->declarations)
        put(&w, -1, "%s", p->harness->declarations);
    find_silent(p);
    put_thread(&w);
    if (p->harness->drivers)
        put(&w, -1, "%s", p->harness->drivers);
    put(&w, -1, "init {\n    run thread(0);\n    timeout;\n    assert(c_expr { vs_at_rest });\nprogress_over: end_over: false\n}");
    keep_acts(p);
    m->text = prose_take(&w.out);
}
