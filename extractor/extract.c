/* SPDX-License-Identifier: MIT */
#include "extractor/extract.h"

#include "base/memory.h"
#include "extractor/expression.h"
#include "extractor/fields.h"
#include "extractor/program.h"
#include "base/prose.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the two stages ---- */

static bool is_harness(const char *name)
{
    size_t length = strlen(name);
    return length > 8 && !strcmp(name + length - 8, ".harness");
}

static void add_word(char ***items, int *count, int *room, const char *word)
{
    ARRAY_GROW(*items, *count, *room);
    (*items)[(*count)++] = prose_make("%s", word);
}

int extract_read(struct extraction *x, char *const *from, int count, char *const *options, struct err *err)
{
    *x = (struct extraction){ 0 };
    int bad = 0;
    if (count == 1 && is_harness(from[0])) {
        bad = harness_read(&x->harness, from[0], err);
    } else {
        harness_start(&x->harness);
        x->harness.file = prose_make("%s", from[0]);
        for (int i = 0; i < count; i++)
            add_word(&x->harness.sources.items, &x->harness.sources.count, &x->harness.sources.room, from[i]);
    }
    for (int i = 0; !bad && options[i]; i++)
        add_word(&x->harness.options.items, &x->harness.options.count, &x->harness.options.room, options[i]);
    return bad;
}

static int run_parser(struct extraction *x, const struct workshop *w, struct err *err)
{
    const struct harness *h = &x->harness;
    struct tool_ended ended;
    int n = 0;
    char **command = memory_get(((size_t)h->sources.count + (size_t)h->options.count + 6) * sizeof *command);
    command[n++] = prose_make("%s", w->parser);
    command[n++] = prose_make("-I%s", w->include);
    for (int i = 0; i < h->options.count; i++)
        command[n++] = prose_make("%s", h->options.items[i]);
    for (int i = 0; i < h->sources.count; i++)
        command[n++] = prose_make("%s%s", h->sources.items[i][0] == '/' ? "" : h->folder, h->sources.items[i]);
    struct workshop here = *w;
    here.stay = true;                /* so that places are told as files were named */
    int bad = tool_run(&here, command, "machine", "messages", 0, &ended, err);
    for (int i = 0; i < n; i++)
        free(command[i]);
    free(command);
    char *said = bad ? NULL : tool_output(w, "messages", err);
    if (said)
        fputs(said, stderr);
    if (!bad && ended.status)
        bad = fail(err, "%s: no model can be made of it, for the reason above", h->file);
    free(said);
    return bad;
}

/* Are these event machines, or a program? What stands behind pointers is folded into variables for machines alone. */
static int find_out(struct extraction *x, struct err *err)
{
    struct harness *h = &x->harness;
    bool is_program = !h->machines.count && (h->program || program_is(&x->machines));
    if (!is_program)
        fields_find(&x->machines);
    if (!is_program && !h->machines.count && !promela_find_machines(h, &x->machines)) {
        if (!machines_function(&x->machines, "main"))
            return fail(err, "%s: no function looks like an event machine: none has control states (@name:), or a switch over a variable "
                        "that lasts and a parameter that is compared; name one in a harness (machine NAME function FUNCTION). Nor is it a "
                        "program: there is no main()", h->file);
        is_program = true;
        machines_fini(&x->machines);
        int bad = machines_read(&x->machines, x->stage_one, err);
        if (bad)
            return bad;
    }
    if (is_program)
        harness_make_program(h);
    return 0;
}

int extract_stage_one(struct extraction *x, const struct workshop *w, struct err *err)
{
    if (!w->parser)
        return fail(err, "this VeriSoft was built without libclang, which reads C for extraction; install it (apt-get install clang "
                    "libclang-dev), and build again (make)");
    if (!tool_exists(getenv("CLANG") && *getenv("CLANG") ? getenv("CLANG") : "clang"))
        return fail(err, "clang is not installed, whose preprocessor reads C for extraction; install it (apt-get install clang)");
    int bad = run_parser(x, w, err);
    if (bad)
        return bad;
    x->stage_one = tool_output(w, "machine", err);
    bad = x->stage_one ? machines_read(&x->machines, x->stage_one, err) : -EINVAL;
    return bad ? bad : find_out(x, err);
}

int extract_again(struct extraction *x, const struct extraction *before, const char *text, struct err *err)
{
    *x = (struct extraction){ 0 };
    int bad = harness_read_text(&x->harness, before->harness.file, text, err);
    if (!bad) {
        x->stage_one = prose_make("%s", before->stage_one);
        bad = machines_read(&x->machines, x->stage_one, err);
    }
    if (!bad)
        bad = find_out(x, err);
    return bad ? bad : extract_stage_two(x, err);
}

int extract_stage_two(struct extraction *x, struct err *err)
{
    return (x->harness.program ? program_make : promela_make)(&x->model, &x->machines, &x->harness, err);
}

void extract_fini(struct extraction *x)
{
    promela_fini(&x->model);
    machines_fini(&x->machines);
    harness_fini(&x->harness);
    free(x->stage_one);
}

/* ---- what is said ---- */

static const struct node *node_of(const struct account *a)
{
    return &a->function->nodes[a->node];
}

static char *shown(const struct account *a)
{
    const struct node *n = node_of(a);
    static const char *const kinds[] = { "", "if ", "switch ", "goto ", "break", "continue", "return " };
    return prose_make("%s%s%s%s", kinds[n->kind], n->kind == NODE_IF || n->kind == NODE_SWITCH ? "(" : "", n->text ? n->text : "",
                      n->kind == NODE_IF || n->kind == NODE_SWITCH ? ")" : "");
}

static bool same(const struct account *a, const struct account *b)
{
    const struct node *x = node_of(a), *y = node_of(b);
    if (a->fate != b->fate || x->kind != y->kind || !x->text || !y->text)
        return false;
    char *one = map_canonical(x->text), *other = map_canonical(y->text);
    bool equal = !strcmp(one, other);
    free(one);
    free(other);
    return equal;
}

/* A name in capitals is mostly a macro, which stands in the source as what it means. */
static const char *hint(const char *left)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (size_t length; *left; left += length ? length : 1) {
        length = strspn(left, letters);
        if (length > 1 && isupper((unsigned char)*left) && strspn(left, capitals) == length)
            return " (what a macro means stands there, not its name: extract --statements shows it)";
    }
    return "";
}

static int left_out(const struct extraction *x, FILE *out)
{
    const struct model *m = &x->model;
    int distinct = 0;
    for (int i = 0; i < m->account_count; i++) {
        const struct account *a = &m->accounts[i];
        int times = 1;
        bool first = a->fate == FATE_LEFT_OUT;
        for (int k = 0; k < i && first; k++)
            first = !same(a, &m->accounts[k]);
        if (!first)
            continue;
        for (int k = i + 1; k < m->account_count; k++)
            times += same(a, &m->accounts[k]);
        char *text = shown(a);
        bool one_side = a->how && (!strncmp(a->how, "when it", 7) || !strcmp(a->how, "in part"));
        fprintf(out, "%s:%d: warning: left out: %s%s%s", node_of(a)->place.file, node_of(a)->place.line, text, one_side ? ", " : "",
                one_side ? a->how : "");
        fprintf(out, times > 1 ? " (%d times)\n" : "\n", times);
        free(text);
        distinct++;
    }
    return distinct;
}

void extract_warn(const struct extraction *x, FILE *out)
{
    int counts[FATE_COUNT] = { 0 };
    int distinct = left_out(x, out);
    for (int i = 0; i < x->model.warning_count; i++)
        fprintf(out, "%s\n", x->model.warnings[i]);
    for (int i = 0; i < x->harness.map.count; i++) {
        const struct map_entry *e = &x->harness.map.items[i];
        if (!e->used)
            fprintf(out, "%s:%d: warning: nothing in the source is '%s'; the source has changed, or the map is wrong%s\n",
                    e->file, e->line, e->left, hint(e->left));
    }
    for (int i = 0; i < x->harness.features.count; i++)
        if (!x->harness.features.items[i].used)
            fprintf(out, "%s:%d: warning: no condition of the source is '%s': feature %s changes nothing%s\n", x->harness.file,
                    x->harness.features.items[i].line, x->harness.features.items[i].condition, x->harness.features.items[i].name,
                    hint(x->harness.features.items[i].condition));
    for (int i = 0; i < x->model.account_count; i++)
        counts[x->model.accounts[i].fate]++;
    fprintf(out, "%d statements:", x->model.account_count);
    for (int f = 0, any = 0; f < FATE_COUNT; f++)
        if (counts[f])
            fprintf(out, "%s %d %s", any++ ? "," : "", counts[f], fate_words[f]);
    fprintf(out, distinct ? " (%d distinct)\n" : "\n", distinct);
}

void extract_list(const struct extraction *x, FILE *out)
{
    for (int i = 0; i < x->model.account_count; i++) {
        const struct account *a = &x->model.accounts[i];
        char *text = shown(a);
        fprintf(out, "%s:%d:%d: %s: %s", node_of(a)->place.file, node_of(a)->place.line, node_of(a)->place.column,
                fate_words[a->fate], text);
        fprintf(out, a->how ? "  =>  %s\n" : "\n", a->how);
        free(text);
    }
}

/* ---- defaults ---- */

static void default_machines(struct prose *out, const struct extraction *x)
{
    const struct harness *h = &x->harness;
    for (int i = 0; i < h->machines.count; i++) {
        const struct harness_machine *m = &h->machines.items[i];
        const struct function *f = machines_function(&x->machines, m->function);
        prose_add(out, "machine %s function %s", m->name, m->function);
        if (m->event)
            prose_add(out, " event %s", m->event);
        if (m->state)
            prose_add(out, " state %s", m->state);
        prose_add(out, " count %d queue %d\n", m->count, m->queue);
        for (int p = 0; f && p < function_parameters(f); p++) {
            int length;
            const struct variable_of *v = &f->variables.items[p];
            if (expression_type(v->type, &length) && !length && (!m->event || strcmp(m->event, v->name)))
                prose_add(out, "values %s.%s 0 1\n", m->name, v->name);
        }
    }
}

static void default_map(struct prose *out, const struct extraction *x)
{
    const struct model *m = &x->model;
    prose_add(out, "\n# What is in the source but not in the model. Give a statement a right side (skip, keep, Promela) and take off the #.\nmap\n");
    for (int i = 0; i < m->account_count; i++) {
        const struct account *a = &m->accounts[i];
        bool first = a->fate == FATE_LEFT_OUT;
        for (int k = 0; k < i && first; k++)
            first = !same(a, &m->accounts[k]);
        if (!first)
            continue;
        bool condition = node_of(a)->kind == NODE_IF;
        prose_add(out, "    # %s%s%s    %s\n", condition ? "(" : "", node_of(a)->text, condition ? ")" : "", condition ? "true" : "skip");
        if (condition)
            prose_add(out, "    # !((%s))    true\n", node_of(a)->text);
    }
    prose_add(out, "end\n");
}

static void default_program(struct prose *out, const struct harness *h)
{
    prose_add(out, "# Threads and processes, from main() on, and what there is room for.\n");
    prose_add(out, "program threads %d processes %d heap %d\n", h->threads, h->processes, h->heap);
    if (h->recursion)
        prose_add(out, "program recursion %d\n", h->recursion);
    prose_add(out, "%s", h->atomic ? "program atomic-statements\n" : "# program atomic-statements       (x++ on shared data is one step)\n");
}

static void default_properties(struct prose *out)
{
    prose_add(out, "\n# Checked without being asked: deadlock, assertions, progress; `without NAME` leaves one out.\n"
              "# A property of your own, over global variables of the program:\n#\n#     property NAME\n"
              "#         says    the requirement, in prose\n#         symbol  p  count > 0\n#         holds   [](p -> <>!p)\n#     end\n");
}

/* As the harness names it, which lies in this folder. A source of another one is named from the root on. */
static void default_source(struct prose *out, const struct harness *h, const char *source, const char *folder)
{
    char *path = prose_make("%s%s", *source == '/' ? "" : h->folder, source), *whole = strcmp(folder, h->folder) ? realpath(path, NULL) : NULL;
    prose_add(out, "source %s\n", whole ? whole : source);
    free(whole);
    free(path);
}

char *extract_defaults(const struct extraction *x, const char *folder)
{
    struct prose out = { 0 };
    const struct harness *h = &x->harness;
    prose_add(&out, "verisoft harness 1\n\n");
    for (int i = 0; i < h->sources.count; i++)
        default_source(&out, h, h->sources.items[i], folder);
    for (int i = 0; i < h->options.count; i++)
        prose_add(&out, "option %s\n", h->options.items[i]);
    prose_add(&out, "\n");
    if (h->program)
        default_program(&out, h);
    else
        default_machines(&out, x);
    prose_add(&out, "\n# What the map does not name: abstract (conditions go both ways, statements are skipped) or keep.\nunmapped %s\n",
              h->unmapped == UNMAPPED_KEEP ? "keep" : "abstract");
    default_map(&out, x);
    if (h->program) {
        default_properties(&out);
        return prose_take(&out);
    }
    char *driver = promela_default_driver(&x->machines, h);
    prose_add(&out, "\n# Any event at any time.\ndriver\n%send\n\n", driver);
    prose_add(&out, "# Checked without being asked: deadlock, unspecified, assertions, progress; `without NAME` leaves one out.\n"
              "# A property of your own:\n#\n#     property NAME\n#         says    the requirement, in prose\n"
              "#         symbol  p  MACHINE.VARIABLE == 1\n#         symbol  q  MACHINE@STATE\n#         holds   [](p -> <>q)\n#     end\n");
    free(driver);
    return prose_take(&out);
}
