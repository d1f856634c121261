/* SPDX-License-Identifier: MIT */
#include "extractor/promela.h"

#include "base/memory.h"
#include "base/prose.h"
#include "extractor/changes.h"
#include "extractor/expression.h"
#include "extractor/look.h"
#include "extractor/maker.h"
#include "extractor/node.h"
#include "extractor/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#define X(name, word, help) word,
const char *const fate_words[] = { FATES(X) };
#undef X

/* ---- machines ---- */

static const struct function *routine(const struct maker *k)
{
    return machines_function(k->machines, maker_machine(k)->function);
}

static char *channel(const struct harness_machine *m, const char *index)
{
    return m->count > 1 ? prose_make("%s_in[%s]", m->name, index) : prose_make("%s_in", m->name);
}

static bool in_message(const struct variable_of *v)
{
    int length;
    return expression_type(v->type, &length) && !length;
}

static void put_wait(struct maker *k, const struct function *f)
{
    struct context c = { k, 0 };
    struct prose fields = { 0 };
    for (int i = 0; i < function_parameters(f); i++)
        if (in_message(&f->variables.items[i])) {
            const char *name = f->variables.items[i].name;
            bool used = (maker_machine(k)->event && !strcmp(name, maker_machine(k)->event)) || vocabulary_used(&k->names, k->machine, 0, f, name);
            prose_add(&fields, "%s%s", fields.length ? "," : "", used ? maker_name(&c, name) : "_");
        }
    char *in = channel(maker_machine(k), "me"), *entry = maker_label(0, f->entry);
    maker_put(k, maker_nowhere(), "waits:");
    maker_put(k, (struct origin){ ORIGIN_WAIT, k->machine, f, 0 }, "end_waits: progress_waits: %s?%s; goto %s;", in,
        fields.length ? fields.text : "_", entry);
    prose_fini(&fields);
    free(in);
    free(entry);
}

static void put_machine(struct maker *k)
{
    const struct function *f = routine(k);
    for (int i = 0; i < k->count; i++)
        free(k->instances[i].back);
    k->count = 0;
    ARRAY_GROW(k->instances, k->count, k->room);
    k->instances[k->count++] = (struct instance){ .function = f, .caller = -1 };
    maker_put(k, maker_nowhere(), "proctype machine_%s(byte me)\n{", maker_machine(k)->name);
    char *declared = vocabulary_declare(&k->names, k->machine);
    if (*declared)
        maker_put(k, maker_nowhere(), "%s", declared);
    free(declared);
    put_wait(k, f);
    for (int i = 0; i < k->count && !k->bad; i++)
        node_put_all(k, i);
    maker_put(k, maker_nowhere(), "}");
}

static void put_channel(struct maker *k)
{
    struct prose fields = { 0 };
    const struct function *f = routine(k);
    for (int i = 0; i < function_parameters(f); i++)
        if (in_message(&f->variables.items[i]))
            prose_add(&fields, "%sint", fields.length ? ", " : "");
    char count[16];
    snprintf(count, sizeof count, "%d", maker_machine(k)->count);
    char *name = channel(maker_machine(k), count);
    maker_put(k, maker_nowhere(), "chan %s = [%d] of { %s };", name, maker_machine(k)->queue, fields.length ? fields.text : "bit");
    prose_fini(&fields);
    free(name);
}

static void put_init(struct maker *k)
{
    maker_put(k, maker_nowhere(), "init\n{\n    atomic {");
    for (k->machine = 0; k->machine < k->harness->machines.count; k->machine++)
        for (int i = 0; i < maker_machine(k)->count; i++)
            maker_put(k, maker_nowhere(), "        run machine_%s(%d);", maker_machine(k)->name, i);
    maker_put(k, maker_nowhere(), "    }\n}");
}

/* A header that several sources include. */
static bool known_before(const struct machines *m, int constant)
{
    for (int i = 0; i < constant; i++)
        if (!strcmp(m->constants[i].name, m->constants[constant].name))
            return true;
    return false;
}

static void put_constants(struct maker *k)
{
    for (int i = 0; i < k->machines->constant_count; i++)
        if (!vocabulary_reserved(k->machines->constants[i].name) && !known_before(k->machines, i))
            maker_put(k, maker_nowhere(), "#define %s %lld", k->machines->constants[i].name, k->machines->constants[i].value);
}

static void put_all(struct maker *k)
{
    const struct harness *h = k->harness;
    maker_put(k, maker_nowhere(), "/* Made by verisoft extract. Change the sources, the map or the drivers, not this. */");
    put_constants(k);
    maker_put(k, maker_nowhere(), "c_decl { extern int vs_ignore, vs_on[], vs_off[]; extern int vs_unmet(int line, int state, int event); };");
    for (k->machine = 0; k->machine < h->machines.count; k->machine++)
        put_channel(k);
    char *channels = promela_links(k->machines, h, true);
    if (*channels)
        maker_put(k, maker_nowhere(), "%s", channels);
    free(channels);
    char *globals = vocabulary_declare(&k->names, -1);
    if (*globals)
        maker_put(k, maker_nowhere(), "%s", globals);
    free(globals);
    if (h->declarations)
        maker_put(k, maker_nowhere(), "%s", h->declarations);
    for (k->machine = 0; k->machine < h->machines.count && !k->bad; k->machine++)
        put_machine(k);
    char *links = promela_links(k->machines, h, false);
    char *driver = h->drivers ? prose_make("%s%s", links, h->drivers) : h->links.count ? prose_make("%s", links)
                 : promela_default_driver(k->machines, h);
    free(links);
    char *switched_driver = maker_with_switch(driver);
    maker_put(k, (struct origin){ .kind = ORIGIN_DRIVER }, "%s", switched_driver);
    free(switched_driver);
    free(driver);
    put_init(k);
}

/* ---- again, until no more variables turn out to be used ---- */

static void begin(struct maker *k)
{
    struct model *m = k->model;
    for (int i = 0; i < m->account_count; i++)
        free(m->accounts[i].how);
    for (int i = 0; i < k->harness->map.count; i++)
        k->harness->map.items[i].used = 0;
    m->account_count = 0;
    m->line_count = 0;
    prose_fini(&k->out);
    maker_put(k, maker_nowhere(), "%s", "");     /* line 0, which there is not */
    prose_fini(&k->out);
}

static void find_exposed(struct maker *k)
{
    const struct machines *m = k->machines;
    k->exposed = (struct touches){ .machines = m, .records = true, .only_exposes = true };
    for (int g = 0; g < m->globals.count; g++)
        if (m->globals.items[g].value)
            touch_find(&k->exposed, NULL, m->globals.items[g].value);
    for (int f = 0; f < m->count; f++)
        for (int n = 0; n < m->functions[f].count; n++)
            if (m->functions[f].nodes[n].tree)
                touch_find(&k->exposed, &m->functions[f], m->functions[f].nodes[n].tree);
}

static int find_parts(struct maker *k)
{
    for (k->machine = 0; k->machine < k->harness->machines.count; k->machine++) {
        struct harness_machine *m = maker_machine(k);
        const struct function *f = routine(k);
        if (!f)
            return fail(k->err, "%s:%d: machine %s: no function %s is defined in the sources", k->harness->file, m->line, m->name,
                        m->function);
        const char *event = look_event(f), *state = look_state(k->machines, f);
        if (m->event && !function_variable(f, m->event))
            return fail(k->err, "%s:%d: machine %s: %s has no parameter %s", k->harness->file, m->line, m->name, f->name, m->event);
        if (!m->event && event)
            m->event = prose_make("%s", event);
        if (!m->state && state)
            m->state = prose_make("%s", state);
    }
    return 0;
}

int promela_make(struct model *model, const struct machines *machines, struct harness *h, struct err *err)
{
    struct maker k = { .machines = machines, .harness = h, .model = model, .err = err };
    *model = (struct model){ 0 };
    if (!h->machines.count)
        return fail(err, "%s: the harness names no machine; write machine NAME function FUNCTION", h->file);
    k.silent = memory_get(((size_t)machines->count + 1) * sizeof *k.silent);
    for (int i = 0; i < machines->count; i++)
        k.silent[i] = memory_get((size_t)machines->functions[i].count * sizeof **k.silent);
    find_exposed(&k);
    int bad = find_parts(&k);
    if (!bad)
        bad = vocabulary_start(&k.names, machines, h, err);
    while (!bad) {
        k.names.changed = false;
        begin(&k);
        put_all(&k);
        bad = k.bad ? -1 : 0;
        if (!k.names.changed)
            break;
    }
    if (!bad) {
        changes_lacking(&k);
        vocabulary_tell(&k.names, model);
    }
    model->text = prose_take(&k.out);
    for (int i = 0; i < k.count; i++)
        free(k.instances[i].back);
    free(k.instances);
    for (int i = 0; i < machines->count; i++)
        free(k.silent[i]);
    free(k.silent);
    vocabulary_fini(&k.names);
    touch_fini(&k.exposed);
    return bad;
}

void promela_fini(struct model *m)
{
    for (int i = 0; i < m->account_count; i++)
        free(m->accounts[i].how);
    for (int i = 0; i < m->warning_count; i++)
        free(m->warnings[i]);
    for (int i = 0; i < m->lack_count; i++)
        free(m->lacks[i]);
    free(m->lacks);
    for (int i = 0; i < m->name_count; i++) {
        free(m->names[i].name);
        free(m->names[i].meaning);
    }
    free(m->names);
    free(m->warnings);
    free(m->accounts);
    free(m->origins);
    free(m->text);
    for (int i = 0; i < m->act_count; i++)
        free(m->acts[i].name);
    free(m->acts);
    free(m->c);
    free(m->header);
    *m = (struct model){ 0 };
}
