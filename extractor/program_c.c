/* The C of a program's model: its types, its data as one block, and a function for each act and each question.
 * SPDX-License-Identifier: MIT */
#include "extractor/program.h"

#include "base/memory.h"
#include "extractor/lower.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct function *function_of(const struct program *p, int which)
{
    return &p->machines->functions[which];
}

/* ---- data ---- */

static const char *field(struct program *p, int function, const char *variable)
{
    const char *text = program_variable(p, function, variable), *dot = strrchr(text, '.'), *arrow = strstr(text, "->");
    const char *name = arrow ? arrow + 2 : dot + 1;
    return program_text(p, "%.*s", (int)strcspn(name, "["), name);
}

static void declare(struct program *p, struct prose *out, int function, const struct variable_of *v)
{
    bool atomic = ctype_is_atomic(v->type);
    prose_add(out, "    __typeof__(%s) %s%s;\n", atomic ? v->type : ctype_plain(p, v->type), field(p, function, v->name),
              v->per_thread ? "[VS_THREADS]" : "");
}

/* Of several declarations of a global, the one that says most: with a first value, or at least a size. */
bool program_is_best(const struct variables_of *g, int which)
{
    for (int i = 0; i < g->count; i++) {
        const struct variable_of *a = &g->items[which], *b = &g->items[i];
        if (i == which || strcmp(a->name, b->name))
            continue;
        int rank_a = 2 * !!a->value + !strstr(a->type, "[]"), rank_b = 2 * !!b->value + !strstr(b->type, "[]");
        if (rank_b > rank_a || (rank_b == rank_a && i < which))
            return false;
    }
    return true;
}

static void put_frames(struct program *p, struct prose *out)
{
    prose_add(out, "struct vs_head { int below; short back; };       /* the caller's frame, and where to go on there */\n\n");
    for (int f = 0; f < p->machines->count; f++) {
        const struct function *fn = function_of(p, f);
        if (!p->frames[f].used)
            continue;
        prose_add(out, "struct frame_%d {                    /* %s */\n    struct vs_head head;\n", f, fn->name);
        if (strcmp(fn->type, "void"))
            prose_add(out, "    __typeof__(%s) result;\n", ctype_plain(p, fn->type));
        for (int i = 0; i < fn->variables.count; i++)
            if (!fn->variables.items[i].is_static)
                declare(p, out, f, &fn->variables.items[i]);
        for (int i = 0; i < p->frames[f].lasting_count; i++)
            prose_add(out, "    __typeof__(%s) l%d;\n", p->frames[f].lasting[i], i);
        prose_add(out, "    struct {\n");
        for (int i = 0; i < p->frames[f].temp_count; i++)
            prose_add(out, "        __typeof__(%s) t%d;\n", p->frames[f].temps[i], i);
        prose_add(out, "    } t;\n};\n");
    }
}

static void put_globals(struct program *p, struct prose *out)
{
    const struct variables_of *g = &p->machines->globals;
    prose_add(out, "\nstruct vs_globals {\n    char vs_something;\n");
    for (int i = 0; i < g->count; i++)
        if (program_is_best(g, i))
            declare(p, out, -1, &g->items[i]);
    for (int f = 0; f < p->machines->count; f++)
        for (int i = 0; p->frames[f].used && i < function_of(p, f)->variables.count; i++)
            if (function_of(p, f)->variables.items[i].is_static)
                declare(p, out, f, &function_of(p, f)->variables.items[i]);
    if (p->queues)
        prose_add(out, "    char vs_received[VS_QUEUES][VS_MESSAGE];\n");
    prose_add(out, "};\n\n");
}

/* ---- how much memory calls need ---- */

enum progress { NOT_BEGUN, BEGUN, WRITTEN };

/* Which functions it calls: gives a flag for each. */
static bool *callees(struct program *p, int function)
{
    bool *called = memory_get((size_t)p->machines->count + 1);
    for (int i = 0; i < p->count; i++) {
        const struct act *a = &p->acts[i];
        if (a->kind != ACT_CALL || a->function != function)
            continue;
        for (int f = 0; a->called < 0 && f < p->machines->count; f++)
            called[f] |= p->frames[f].used && lower_fits(p, f, a->through);
        if (a->called >= 0)
            called[a->called] = true;
    }
    return called;
}

/* Callees first. The largest is found one by one: nested in each other, macros would write each of them twice. False: calls form a ring. */
static bool put_need(struct program *p, struct prose *out, int function, enum progress *done)
{
    if (done[function])
        return done[function] == WRITTEN;
    done[function] = BEGUN;
    bool *called = callees(p, function), straight = true;
    for (int f = 0; f < p->machines->count; f++)
        if (p->frames[f].used && called[f])
            straight &= put_need(p, out, f, done);
    int count = 0;
    prose_add(out, "enum { vs_need_%d_0", function);
    for (int f = 0; f < p->machines->count; f++)
        if (called[f] && done[f] == WRITTEN) {
            prose_add(out, ", vs_need_%d_%d = VS_MOST(vs_need_%d_%d, vs_need_%d)", function, count + 1, function, count, f);
            count++;
        }
    prose_add(out, ", vs_need_%d = VS_ROUND(sizeof(struct frame_%d)) + vs_need_%d_%d };\n", function, function, function, count);
    done[function] = WRITTEN;
    free(called);
    return straight;
}

/* Of functions that may call each other: so many frames of each. */
static void put_bounded(struct program *p, struct prose *out, int frames)
{
    prose_add(out, "enum { vs_stack = 16");
    for (int f = 0; f < p->machines->count; f++)
        if (p->frames[f].used)
            prose_add(out, " + %d * VS_ROUND(sizeof(struct frame_%d))", frames, f);
    prose_add(out, " };\n");
}

/* A ring of calls, which only pointers can make here, may not close when the program runs: then it has each of its functions once. */
static void put_largest(struct program *p, struct prose *out)
{
    enum progress *done = memory_get(((size_t)p->machines->count + 1) * sizeof *done);
    int count = 0;
    bool straight = true;
    for (int f = 0; f < p->machines->count; f++)
        if (p->frames[f].used)
            straight &= put_need(p, out, f, done);
    if (!straight) {
        free(done);
        put_bounded(p, out, 1);
        return;
    }
    prose_add(out, "enum { vs_stack_0 = 16");
    for (int f = 0; f < p->machines->count; f++)
        if (p->frames[f].used) {
            assert(done[f] == WRITTEN);
            prose_add(out, ", vs_stack_%d = VS_MOST(vs_stack_%d, vs_need_%d)", count + 1, count, f);
            count++;
        }
    prose_add(out, ", vs_stack = vs_stack_%d };\n", count);
    free(done);
}

static void put_stack(struct program *p, struct prose *out)
{
    prose_add(out, "#define VS_ROUND(size) (((size) + 15) & ~15ul)\n#define VS_MOST(a, b) ((a) > (b) ? (a) : (b))\n");
    if (p->harness->recursion)
        put_bounded(p, out, p->harness->recursion);
    else
        put_largest(p, out);
    prose_add(out, "#define VS_STACK vs_stack\n\n");
}

/* ---- functions of the program as values ---- */

static void put_begin(struct program *p, struct prose *out, int f)
{
    const struct function *fn = function_of(p, f);
    int parameters = function_parameters(fn);
    bool is_main = !strcmp(fn->name, "main");
    if (!p->frames[f].used || (!is_main && (!p->frames[f].address || parameters > 1)))
        return;
    prose_add(out, "    if (function == %d) {\n        struct frame_%d *f = vs_frame(me);\n        f->head = (struct vs_head){ -1, %d };\n", f, f,
              is_main ? 2 : 0);
    if (is_main && parameters > 0)
        prose_add(out, "        %s = sizeof vs_arguments / sizeof *vs_arguments - 1;\n", program_variable(p, f, fn->variables.items[0].name));
    if (is_main && parameters > 1)
        prose_add(out, "        %s = vs_arguments;\n", program_variable(p, f, fn->variables.items[1].name));
    if (!is_main && parameters && (strchr(fn->variables.items[0].type, '*') || ctype_is_integer(ctype_plain(p, fn->variables.items[0].type)))) {
        const char *name = program_variable(p, f, fn->variables.items[0].name);
        prose_add(out, "        %s = (__typeof__(%s))(long)argument;\n", name, name);
    }
    prose_add(out, "    }\n");
}

static void put_functions(struct program *p, struct prose *out)
{
    prose_add(out, "static char *vs_arguments[] = { \"program\", ");
    for (int i = 0; i < p->harness->arguments.count; i++)
        prose_add(out, "\"%s\", ", p->harness->arguments.items[i]);
    prose_add(out, "NULL };\n\nstatic const short vs_labels[] = { ");
    for (int f = 0; f < p->machines->count; f++)
        prose_add(out, "%d, ", p->frames[f].used ? p->frames[f].entry : -1);
    prose_add(out, "0 };\n\nstatic int vs_entry_of(const void *function)\n{\n"
              "    long which = (const char *)function - vs_code;\n    return which >= 0 && which < (long)sizeof vs_code ? (int)which : -1;\n}\n\n"
              "static void vs_begin(int me, int function, void *argument)\n{\n    (void)argument;\n");
    for (int f = 0; f < p->machines->count; f++)
        put_begin(p, out, f);
    prose_add(out, "}\n\n");
}

/* ---- acts and questions ---- */

static char *comment(const struct program *p, const struct act *a)
{
    const struct node *n = a->function >= 0 && a->node >= 0 ? &function_of(p, a->function)->nodes[a->node] : NULL;
    char *text = n ? prose_make("%s:%d: %.80s", n->place.file, n->place.line, n->text ? n->text : "") : prose_make("%s", a->name ? a->name : "return");
    for (char *at = text; *at; at++)
        if (*at == '\\' || *at == '\n' || *at == '"')
            *at = '\'';
    return text;
}

static void put_doing(struct program *p, struct prose *out)
{
    for (int i = 0; i < p->count; i++) {
        const struct act *a = &p->acts[i];
        char *what = comment(p, a);
        if (a->code && (a->kind == ACT_DO || a->kind == ACT_CALL || a->kind == ACT_RETURN)) {
            prose_add(out, "static void vs_do_%d(int me, void *frame)       // %s\n{\n    long vs_unused = 0;\n", i, what);
            if (a->function >= 0)
                prose_add(out, "    struct frame_%d *f = frame;\n    (void)f;\n", a->function);
            prose_add(out, "    (void)me, (void)frame, (void)vs_unused;\n    %s\n}\n\n", a->code);
        }
        free(what);
    }
    prose_add(out, "static void (*const vs_doing[])(int, void *) = {\n");
    for (int i = 0; i < p->count; i++)
        if (p->acts[i].code && (p->acts[i].kind == ACT_DO || p->acts[i].kind == ACT_CALL || p->acts[i].kind == ACT_RETURN))
            prose_add(out, "    [%d] = vs_do_%d,\n", i, i);
    prose_add(out, "};\n\nstatic const char vs_begins_with[] = \"");
    for (int i = 0; i < p->count; i++)
        prose_add(out, "%c", p->acts[i].operation ? 'o' : p->acts[i].yields ? 'y' : ' ');
    prose_add(out, "\";\nstatic const char *const vs_places[] = {\n");
    for (int i = 0; i < p->count; i++) {
        char *what = comment(p, &p->acts[i]);
        prose_add(out, "    \"%s\",\n", what);
        free(what);
    }
    prose_add(out, "};\n\n");
}

static void question(struct prose *out, const struct act *a, char kind, int number, int way, const char *text)
{
    char frame[40] = "char";
    if (a->function >= 0)
        snprintf(frame, sizeof frame, "struct frame_%d", a->function);
    if (way < 0)
        prose_add(out, "VS_QUESTION(vs_%c%d_, %s, %s)\n", kind, number, frame, text);
    else
        prose_add(out, "VS_QUESTION(vs_%c%d_%d_, %s, %s)\n", kind, number, way, frame, text);
}

static void put_questions(struct program *p, struct prose *out)
{
    for (int i = 0; i < p->count; i++) {
        const struct act *a = &p->acts[i];
        if (a->guard)
            question(out, a, 'g', i, -1, a->guard);
        if (a->choices && a->kind == ACT_ANY)
            question(out, a, 'm', i, -1, a->choices);
        else if (a->choices)
            question(out, a, 'm', i, -1, program_text(p, "vs_world.t[me].choice + 1 < (int)(%s)", a->choices));
        if (a->kind == ACT_TEST)
            question(out, a, 't', i, -1, a->code);
        for (int w = 0; w < a->way_count; w++)
            if (a->ways[w].test)
                question(out, a, 'w', i, w, a->ways[w].test);
    }
}

static void put_function_numbers(struct program *p, struct prose *out)
{
    prose_add(out, "static const short vs_function_of[] = { ");      /* what runs behind an act */
    for (int i = 0; i < p->count; i++)
        prose_add(out, "%d, ", p->acts[i].kind == ACT_RETURN || p->acts[i].kind == ACT_CALL ? -1 : p->acts[i].function);
    prose_add(out, "};\n");
}

/* ---- the start ---- */

static void put_value(struct program *p, struct prose *out, int function, const struct variable_of *v)
{
    if (!v->value)
        return;
    const char *type = ctype_plain(p, v->type), *to = program_variable(p, function, v->name);
    const char *value = lower_constant(p, v);
    prose_add(out, "    { __typeof__(%s) v = %s; memcpy((void *)&%s, &v, sizeof v); }\n", type, value, to);
}

/* Where it lies, what is the thread's own was another one's before. */
static void put_own_value(struct program *p, struct prose *out, int function, const struct variable_of *v)
{
    const char *to = program_variable(p, function, v->name);
    prose_add(out, "    memset((void *)&%s, 0, sizeof %s);\n", to, to);
    put_value(p, out, function, v);
}

/* First values of variables that last: of those that each thread has, or of all others. */
static void put_values(struct program *p, struct prose *out, bool own)
{
    void (*put)(struct program *, struct prose *, int, const struct variable_of *) = own ? put_own_value : put_value;
    const struct variables_of *g = &p->machines->globals;
    for (int i = 0; i < g->count; i++)
        if (g->items[i].per_thread == own && program_is_best(g, i))
            put(p, out, -1, &g->items[i]);
    for (int f = 0; f < p->machines->count; f++)
        for (int i = 0; p->frames[f].used && i < function_of(p, f)->variables.count; i++)
            if (function_of(p, f)->variables.items[i].is_static && function_of(p, f)->variables.items[i].per_thread == own)
                put(p, out, f, &function_of(p, f)->variables.items[i]);
}

static void put_boot(struct program *p, struct prose *out)
{
    prose_add(out, "static void vs_fresh(int me)\n{\n    (void)me;\n");
    put_values(p, out, true);
    prose_add(out, "}\n\n/* The first state is there before the verifier begins. */\n__attribute__((constructor)) static void vs_boot(void)\n{\n    vs_catch();\n");
    put_values(p, out, false);
    int main_function = program_function(p, "main");
    prose_add(out, "    vs_world.h[0].used = 1;\n    vs_world.t[0] = (struct vs_thread){ .used = 1, .entry = vs_labels[%d] };\n    vs_begin(0, %d, NULL);\n"
              "    vs_fresh(0);\n    vs_leave(0);\n}\n\n", main_function, main_function);
}

static void put_symbols(struct program *p, struct prose *out)
{
    for (int i = 0; i < p->harness->properties.count; i++) {
        const struct property *property = &p->harness->properties.items[i];
        for (int s = 0; s < property->symbol_count; s++) {
            struct lower l;
            struct operands none = { .result = "", .names = true };
            lower_start(&l, p, -1, -1);
            char *text = lower_operand_text(&l, property->symbols[s].expression, &none, 0);
            prose_add(out, "#line %d \"%s\"\n", property->symbols[s].line, p->harness->file);      /* of what is wrong there, the place in the harness */
            prose_add(out, "int vs_s%d_%d_(void) { enum { me = 0 }; (void)me; vs_enter(0); return !!(%s); }\n", i, s, text);
            free(text);
            lower_fini(&l);
        }
    }
}

static void put_sizes(struct program *p, struct prose *out)
{
    const struct harness *h = p->harness;
    prose_add(out, "#define VS_THREADS %d\n#define VS_HOSTS %d\n#define VS_HEAP %d\n#define VS_SETS %d\n#define VS_SEMS %d\n"
              "#define VS_QUEUES %d\n#define VS_QUEUE %d\n#define VS_MESSAGE %d\n\n", h->threads,
              p->forks ? h->processes : 1, p->allocates ? (h->heap + 15) / 16 * 16 : 0, p->semaphores ? h->sets : 0, h->semaphores,
              p->queues ? h->queues : 0, h->length, h->message);
}

char *program_c(struct program *p)
{
    struct prose out = { 0 };
    prose_add(&out, "/* Made by verisoft extract: what the statements of the program do. */\n");
    for (int i = 0; i < p->machines->includes.count; i++)
        prose_add(&out, "#include <%s>\n", p->machines->includes.items[i]);
    prose_add(&out, "#include <stdio.h>\n#include <string.h>\n\n");
    for (int i = 0; i < p->machines->types.count; i++)
        prose_add(&out, "%s\n", p->machines->types.items[i]);
    prose_add(&out, "\nstatic char vs_code[%d];             /* functions of the program are addresses in it */\n\n", p->machines->count + 1);
    put_sizes(p, &out);
    put_frames(p, &out);
    put_globals(p, &out);
    put_stack(p, &out);
    prose_add(&out, "#include \"verisoft-model.h\"\n#include \"verisoft-atomic.h\"\n\n");
    put_functions(p, &out);
    put_doing(p, &out);
    put_questions(p, &out);
    put_function_numbers(p, &out);
    program_values(p, &out);
    put_boot(p, &out);
    put_symbols(p, &out);
    return prose_take(&out);
}
