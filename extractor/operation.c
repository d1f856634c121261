/* The right side of a map for programs: parts apart by ';', each done at one go, others before it.
 *
 *     [c_expr { GUARD } ->] [choose { HOW MANY }] c_code { WHAT }      $1, $2 are arguments, $$ the result, choice is which of them
 *     c_local { WHAT }      the same without letting others go before it
 *     c_call { POINTER }    calls that function of the program, or nothing
 *     stop                  the thread goes no further
 *
 * SPDX-License-Identifier: MIT */
#include "extractor/lower.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* ---- names ---- */

static size_t dollar(struct lower *l, struct prose *out, const char *text, const struct operands *o, int next)
{
    if (text[1] == '$') {
        prose_add(out, "%s", *o->result ? o->result : "vs_unused");
        return 2;
    }
    if (!strncmp(text, "$next", 5)) {
        prose_add(out, "%d", next);
        return 5;
    }
    int which = atoi(text + 1);
    if (l->node < 0) {
        prose_add(out, "$");
        return 1;
    }
    if (which < 1 || which > o->count) {
        const struct node *n = &l->p->machines->functions[l->function].nodes[l->node];
        program_stop(l->p, &n->place, n->text ? n->text : "", "its right side in the map has a $ for an argument that it does not have");
        return 1;
    }
    prose_add(out, "(%s)", o->arguments[which - 1]);
    return 1 + strspn(text + 1, "0123456789");
}

char *lower_operand_text(struct lower *l, const char *text, const struct operands *o, int next)
{
    struct prose out = { 0 };
    for (const char *start = text; *text;) {
        size_t length = in_word(*text) && !isdigit((unsigned char)*text) ? strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") : 0;
        bool field = text > start && (text[-1] == '.' || (text[-1] == '>' && text - 1 > start && text[-2] == '-'));
        if (*text == '$') {
            text += dollar(l, &out, text, o, next);
        } else if (length) {
            char *word = prose_make("%.*s", (int)length, text);
            const char *name = o->names && !field && !program_is_many(l->p, word) ? program_variable(l->p, l->function, word) : NULL;
            prose_add(&out, "%s", !strcmp(word, "choice") && !name ? "vs_world.t[me].choice" : name ? name : word);
            free(word);
            text += length;
        } else
            prose_bytes(&out, text++, 1);
    }
    return prose_take(&out);
}

/* ---- parts ---- */

/* The text of "WORD { ... }" when the part begins so; moves on behind it. NULL: it does not. */
static char *braced(const char **at, const char *word)
{
    size_t length = strlen(word);
    *at += strspn(*at, " ");
    if (strncmp(*at, word, length) || in_word((*at)[length]))
        return NULL;
    const char *open = *at + length + strspn(*at + length, " "), *end = open;
    if (*open != '{')
        return NULL;
    for (int depth = 0; *end; end++) {
        depth += (*end == '{') - (*end == '}');
        if (!depth)
            break;
    }
    char *between = prose_make("%.*s", (int)(end - open - 1), open + 1);
    *at = end + (*end == '}');
    *at += strspn(*at, " ");
    return between;
}

static const char *kept_text(struct lower *l, char *text, const struct operands *o, int next)
{
    if (!text)
        return NULL;
    char *named = lower_operand_text(l, text, o, next);
    const char *kept = program_text(l->p, "%s", named);
    free(named);
    free(text);
    return kept;
}

static void promela(struct lower *l, const char *text)
{
    lower_flush(l);
    struct act *a = program_act(l->p, ACT_PROMELA, l->function, l->node);
    a->code = program_text(l->p, "%s", text);
    a->yields = true;
}

/* Takes the texts; guard and choices may be NULL, and so may the code. */
static void visible_part(struct lower *l, char *guard, char *choices, char *code, const struct operands *o)
{
    lower_flush(l);
    int index = l->p->count;
    program_act(l->p, ACT_DO, l->function, l->node);
    bool resumes = code && strstr(code, "$next");
    const char *waits = kept_text(l, guard, o, index + 1), *many = kept_text(l, choices, o, index + 1);
    const char *does = code ? kept_text(l, code, o, index + 1) : "";
    struct act *a = &l->p->acts[index];
    a->yields = a->operation = true;
    a->name = o->name && *o->name ? program_text(l->p, "%s", o->name) : NULL;
    a->guard = waits;
    a->choices = many;
    a->code = does;
    l->yielded = true;
    if (resumes) {
        lower_code(l, "(void)0;");
        lower_flush(l);
        l->p->acts[index + 1].resumes = true;
    }
}

static void one_part(struct lower *l, const char *text, const struct operands *o)
{
    const char *at = text + strspn(text, " ");
    char *local = braced(&at, "c_local"), *called = local ? NULL : braced(&at, "c_call");
    if (!strcmp(at, "stop")) {
        lower_flush(l);
        program_act(l->p, ACT_STOP, l->function, l->node);
        return;
    }
    if (local) {
        const char *code = kept_text(l, local, o, 0);
        lower_code(l, "{%s}", code);
        return;
    }
    if (called) {
        lower_call_pointer(l, kept_text(l, called, o, 0));
        return;
    }
    char *guard = braced(&at, "c_expr");
    at += guard && !strncmp(at, "->", 2) ? 2 : 0;
    char *choices = braced(&at, "choose"), *code = braced(&at, "c_code");
    if (!code && !guard) {
        promela(l, text);
        free(choices);
        return;
    }
    visible_part(l, guard, choices, code, o);
}

void lower_operation(struct lower *l, const char *right, const struct operands *o)
{
    int depth = 0;
    const char *start = right;
    if (!lower_is_operation(right)) {
        promela(l, right);
        return;
    }
    for (;; right++) {
        depth += (*right == '{') - (*right == '}');
        if (*right && (*right != ';' || depth))
            continue;
        char *part = prose_make("%.*s", (int)(right - start), start), *end = part + strlen(part);
        while (end > part && end[-1] == ' ')
            *--end = '\0';
        if (part[strspn(part, " ")])
            one_part(l, part, o);
        free(part);
        if (!*right)
            return;
        start = right + 1;
    }
}

bool lower_is_operation(const char *right)
{
    static const char *const words[] = { "c_expr", "c_code", "c_local", "c_call", "choose", "stop" };
    right += strspn(right, " ");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(right, words[i], strlen(words[i])) && !in_word(right[strlen(words[i])]))
            return true;
    return false;
}
