/* What the variables of a program's model are, told for a trail after each act: numbers, constants by their names, whether a pointer is set; of
 * structs and arrays what is in them.
 * SPDX-License-Identifier: MIT */
#include "extractor/program.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 16, DEEPEST = 3 };    /* of an array that are told; structs and arrays in each other */

struct telling { struct program *p; struct prose *out; int depth; };

/* Of each enumeration, what a value is called: vs_word_N, by the number of its first constant. */
static int first_of(const struct machines *m, const char *type)
{
    for (int i = 0; i < m->constant_count; i++)
        if (m->constants[i].type && machines_same_enum(m->constants[i].type, type))
            return i;
    return -1;
}

static void put_words(struct program *p, struct prose *out)
{
    const struct machines *m = p->machines;
    prose_add(out, "static const char *vs_number(long long v) { static char text[24]; snprintf(text, sizeof text, \"%%lld\", v); return text; }\n");
    for (int i = 0; i < m->constant_count; i++) {
        if (!m->constants[i].type || first_of(m, m->constants[i].type) != i)
            continue;
        prose_add(out, "static const char *vs_word_%d(long long v) { return ", i);
        for (int k = i; k < m->constant_count; k++)
            if (m->constants[k].type && !strcmp(m->constants[k].type, m->constants[i].type))
                prose_add(out, "v == %lldLL ? \"%s\" : ", m->constants[k].value, m->constants[k].name);
        prose_add(out, "vs_number(v); }\n");
    }
}

static void tell(struct telling *t, const char *type, const char *called, const char *name);

static void tell_elements(struct telling *t, const char *type, const char *called, const char *name)
{
    const char *open = strchr(type, '['), *close = open ? strchr(open, ']') : NULL;
    int count = open ? atoi(open + 1) : 0;
    if (!close || strchr(type, '('))             /* of functions: nothing to be told */
        return;
    const char *element = program_text(t->p, "%.*s%s", (int)(open - type), type, close + 1);
    for (int i = 0; i < count && i < MOST_ELEMENTS; i++)
        tell(t, element, program_text(t->p, "%s[%d]", called, i), program_text(t->p, "%s[%d]", name, i));
    if (count > MOST_ELEMENTS)
        prose_add(t->out, "    printf(\"vs-value %s[%d...] not shown\\n\");\n", called, MOST_ELEMENTS);
}

static void tell(struct telling *t, const char *type, const char *called, const char *name)
{
    const char *plain = ctype_plain(t->p, type);
    const struct machines *m = t->p->machines;
    int word = first_of(m, plain);
    if (word >= 0)
        prose_add(t->out, "    printf(\"vs-value %s %%s\\n\", vs_word_%d((long long)%s));\n", called, word, name);
    else if (ctype_is_integer(plain))
        prose_add(t->out, "    printf(\"vs-value %s %%lld\\n\", (long long)%s);\n", called, name);
    else if (ctype_is_number(plain))
        prose_add(t->out, "    printf(\"vs-value %s %%g\\n\", (double)%s);\n", called, name);
    else if (strchr(plain, '*') && !ctype_is_array(plain))
        prose_add(t->out, "    printf(\"vs-value %s %%s\\n\", %s ? \"set\" : \"NULL\");\n", called, name);
    else if (t->depth < DEEPEST) {
        t->depth++;
        if (ctype_is_array(plain))
            tell_elements(t, plain, called, name);
        for (int i = 0; i < m->field_count; i++)
            if (!strcmp(m->fields[i].of, plain))
                tell(t, m->fields[i].type, program_text(t->p, "%s.%s", called, m->fields[i].name), program_text(t->p, "%s.%s", name, m->fields[i].name));
        t->depth--;
    }
}

static void tell_one(struct program *p, struct prose *out, int function, const struct variable_of *v, const char *owner)
{
    struct telling t = { .p = p, .out = out };
    tell(&t, v->type, program_text(p, "%s%s%s", owner, *owner ? "." : "", v->name), program_variable(p, function, v->name));
}

/* What symbols are, of each property: "vs-symbols 2 01?". One that cannot be computed is no fault of the program. */
static void name_symbols(const struct program *p, struct prose *out)
{
    prose_add(out, "static int vs_symbol(int (*asked)(void))\n{\n    int number, holds = 0;\n    vs_before_set = 1;\n"
              "    if (!(number = sigsetjmp(vs_before, 0)))\n        holds = asked();\n    vs_before_set = 0;\n    return number ? '?' : holds ? '1' : '0';\n}\n\n");
    for (int i = 0; i < p->harness->properties.count; i++)
        for (int s = 0; s < p->harness->properties.items[i].symbol_count; s++)
            prose_add(out, "int vs_s%d_%d_(void);\n", i, s);
}

static void tell_symbols(const struct program *p, struct prose *out)
{
    for (int i = 0; i < p->harness->properties.count; i++) {
        int count = p->harness->properties.items[i].symbol_count;
        if (count)
            prose_add(out, "    printf(\"vs-symbols %d \");\n", i);
        for (int s = 0; s < count; s++)
            prose_add(out, "    putchar(vs_symbol(vs_s%d_%d_));\n", i, s);
        if (count)
            prose_add(out, "    putchar('\\n');\n");
    }
}

void program_values(struct program *p, struct prose *out)
{
    const struct variables_of *g = &p->machines->globals;
    put_words(p, out);
    name_symbols(p, out);
    prose_add(out, "static void vs_tell(int act, int me)\n{\n    printf(\"vs-did %%d %%d %%d %%d\\n\", act, me, vs_world.t[me].choice, vs_world.t[me].born - 1);\n    vs_enter(me);\n");
    for (int i = 0; i < g->count; i++)
        if (program_is_best(g, i))
            tell_one(p, out, -1, &g->items[i], "");
    for (int f = 0; f < p->machines->count; f++) {
        const struct function *fn = &p->machines->functions[f];
        if (!p->frames[f].used)
            continue;
        prose_add(out, "    if (vs_function_of[act] == %d && !vs_world.t[me].done) {\n    struct frame_%d *f = vs_frame(me);\n    (void)f;\n", f, f);
        for (int i = 0; i < fn->variables.count; i++)
            tell_one(p, out, f, &fn->variables.items[i], fn->name);
        prose_add(out, "    }\n");
    }
    tell_symbols(p, out);
    prose_add(out, "    fflush(stdout);\n}\n\n");
}
