/* Properties of a harness: symbols, formulas, templates, features.
 * SPDX-License-Identifier: MIT */
#include "extractor/reader.h"

#include "base/memory.h"
#include "properties/templates.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void set(char **text, const char *value)
{
    char *old = *text;
    *text = old ? prose_make("%s %s", old, value) : prose_make("%s", value);
    free(old);
}

int harness_symbol(struct harness_reader *r, struct property *p, char *rest)
{
    char *name = reader_word(&rest);
    if (!reader_is_name(name) || strchr(name, '-') || !*rest) {
        free(name);
        return WRONG(r, "write symbol NAME EXPRESSION");
    }
    struct symbol *s = p ? reader_grow(&p->symbols, sizeof *p->symbols, &p->symbol_count, &p->symbol_room)
                         : reader_grow(&r->h->symbols.items, sizeof *s, &r->h->symbols.count, &r->h->symbols.room);
    *s = (struct symbol){ .name = name, .expression = prose_make("%s", rest), .line = r->number };
    return 0;
}

static bool mentions(const char *formula, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = formula; (at = strstr(at, name)); at++)
        if ((at == formula || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    return false;
}

/* What the formula says and the property does not define itself. */
static void lend_symbols(const struct harness *h, struct property *p)
{
    for (int i = 0; i < h->symbols.count; i++) {
        const struct symbol *s = &h->symbols.items[i];
        bool own = !mentions(p->formula, s->name);
        for (int k = 0; k < p->symbol_count; k++)
            own |= !strcmp(p->symbols[k].name, s->name);
        if (own)
            continue;
        struct symbol *to = reader_grow(&p->symbols, sizeof *p->symbols, &p->symbol_count, &p->symbol_room);
        *to = (struct symbol){ .name = prose_make("%s", s->name), .expression = prose_make("%s", s->expression), .line = s->line };
    }
}

/* template PATTERN SCOPE p=FORMULA s=FORMULA ...: the formula that it stands for. */
static int template(struct harness_reader *r, struct property *p, char *rest)
{
    struct template_argument arguments[TEMPLATE_PARAMETERS];
    char *pattern_name = reader_word(&rest), *scope_name = reader_word(&rest), *words[TEMPLATE_PARAMETERS] = { 0 };
    struct err why;
    int count = 0, bad = 0;
    const struct template *pattern = pattern_name ? template_find(pattern_name, &why) : NULL;
    const struct scope *scope = pattern && scope_name ? scope_find(scope_name, &why) : NULL;
    if (!pattern || !scope)
        bad = WRONG(r, "template PATTERN SCOPE p=FORMULA ...: %s", pattern_name && (scope_name || !pattern) ? why.text : "something is missing");
    while (!bad && count < TEMPLATE_PARAMETERS && (words[count] = reader_word(&rest))) {
        arguments[count] = (struct template_argument){ words[count][0], words[count][1] == '=' ? words[count] + 2 : "" };
        if (words[count][1] != '=')
            bad = WRONG(r, "template: %s is no argument; write p=FORMULA, without blanks", words[count]);
        count++;
    }
    struct ltl *ltl = ltl_new();
    uint32_t formula, idle;
    if (!bad && (bad = template_make(ltl, pattern, scope, arguments, count, &formula, &why)))
        WRONG(r, "template %s %s: %s", pattern->name, scope->name, why.text);
    if (!bad)
        p->formula = ltl_text(ltl, formula);
    if (!bad && !template_make_idle(ltl, pattern, scope, arguments, count, &idle, &why))
        p->idle = ltl_text(ltl, idle);
    ltl_free(ltl);
    for (int i = 0; i < count; i++)
        free(words[i]);
    free(pattern_name);
    free(scope_name);
    return bad;
}

static int chosen_features(struct harness_reader *r, struct property *p, char *rest)
{
    for (char *item; (item = reader_word(&rest));) {
        bool known = false;
        for (int i = 0; i < r->h->features.count; i++)
            known |= !strcmp(r->h->features.items[i].name, item + 1);
        if (!known || !strchr("+-", *item)) {
            int bad = WRONG(r, "features %s: write +NAME or -NAME, of a feature that stands above", item);
            free(item);
            return bad;
        }
        char **to = reader_grow(&p->features, sizeof *p->features, &p->feature_count, &p->feature_room);
        *to = item;
    }
    return 0;
}

static int property_line(struct harness_reader *r, struct property *p)
{
    char *rest;
    if (!*r->line)
        return 0;
    if (reader_begins(r->line, "says", &rest))
        set(&p->says, rest);
    else if (reader_begins(r->line, "link", &rest))
        set(&p->link, rest);
    else if (reader_begins(r->line, "symbol", &rest))
        return harness_symbol(r, p, rest);
    else if (reader_begins(r->line, "template", &rest))
        return template(r, p, rest);
    else if (reader_begins(r->line, "holds", &rest))
        set(&p->formula, rest);
    else if (reader_begins(r->line, "violation", &rest)) {
        set(&p->formula, rest);
        p->violation = true;
    } else if (reader_begins(r->line, "features", &rest))
        return chosen_features(r, p, rest);
    else if (!strcmp(r->line, "fair"))
        p->fair = true;
    else
        return WRONG(r, "a property has says, link, symbol, holds, violation, template, fair and features, and ends with end; this is '%s'", r->line);
    return 0;
}

int harness_property(struct harness_reader *r, char *rest)
{
    char *name = reader_word(&rest);
    int opened = r->number;
    if (!reader_is_name(name) || *rest) {
        free(name);
        return WRONG(r, "a property needs a name of letters, digits, _ and -");
    }
    for (int i = 0; i < r->h->properties.count; i++)
        if (!strcmp(r->h->properties.items[i].name, name)) {
            int bad = WRONG(r, "there is a property %s already", name);
            free(name);
            return bad;
        }
    ADD(r->h->properties, { .name = name, .line = r->number });
    struct property *p = &r->h->properties.items[r->h->properties.count - 1];
    while (reader_line(r)) {
        if (!strcmp(r->line, "end")) {
            if (p->formula)
                lend_symbols(r->h, p);
            return p->formula ? 0 : WRONG(r, "the property %s has no formula; write holds FORMULA, or violation FORMULA", p->name);
        }
        int bad = property_line(r, p);
        if (bad)
            return bad;
    }
    r->number = opened;
    return WRONG(r, "there is no line end that closes this property");
}
