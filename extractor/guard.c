/* SPDX-License-Identifier: MIT */
#include "extractor/guard.h"

#include "extractor/look.h"

#include <stdlib.h>
#include <string.h>

static int feature_of(const struct maker *k, const char *text, bool *holds)
{
    char *literal = map_literal(text, holds);
    int found = -1;
    for (int i = 0; i < k->harness->features.count; i++) {
        bool positive;
        char *condition = map_literal(k->harness->features.items[i].condition, &positive);
        if (!strcmp(condition, literal)) {
            found = i;
            *holds = *holds == positive;
        }
        free(condition);
    }
    free(literal);
    return found;
}

static char *by_entry(struct maker *k, int instance, const struct node *n, const struct map_entry *e, const char *text, const struct tree *t,
                      bool holds)
{
    if (!strcmp(e->right, "true") || !strcmp(e->right, "skip"))
        return prose_make("1");
    if (!strcmp(e->right, "false"))
        return prose_make("0");
    if (strcmp(e->right, "keep")) {
        char *right = map_right(e, text, true), *own = maker_user_text(k, instance, right);
        free(right);
        return own;
    }
    char *kept = maker_kept_expression(k, instance, n, t), *guard = prose_make("%s(%s)", holds ? "" : "!", kept);
    free(kept);
    return guard;
}

/* a && b, a || b: of each part by itself, for each may be named or be a feature. NULL: it is neither. */
static char *guard_of_parts(struct maker *k, int instance, const struct node *n, const char *text, const struct tree *t, bool holds,
                            enum fate *fate)
{
    bool positive;
    char *literal = map_literal(text, &positive), *both = NULL;
    while (!strcmp(t->op, "pre!") && t->count == 1)
        t = t->parts[0];
    size_t at = t->count == 2 && (!strcmp(t->op, "&&") || !strcmp(t->op, "||")) ? map_split(literal, t->op) : 0;
    if (at) {
        enum fate first, second;
        bool want = positive == holds;
        char *left = prose_make("%.*s", (int)at, literal);
        char *one = guard_of(k, instance, n, left, t->parts[0], want, &first);
        char *other = guard_of(k, instance, n, literal + at + 2, t->parts[1], want, &second);
        bool open = !strcmp(one, "1") && !strcmp(other, "1");
        both = open ? prose_make("1") : prose_make("(%s)%s(%s)", one, (*t->op == '&') == want ? "&&" : "||", other);
        *fate = first > second ? first : second;
        free(left);
        free(one);
        free(other);
    }
    free(literal);
    return both;
}

char *guard_of(struct maker *k, int instance, const struct node *n, const char *text, const struct tree *t, bool holds, enum fate *fate)
{
    bool positive;
    int feature = feature_of(k, text, &positive);
    struct map_entry *e = map_condition(&k->harness->map, text, holds), *other = map_condition(&k->harness->map, text, !holds);
    *fate = FATE_MAPPED;
    if (feature >= 0) {              /* an entry for the same condition is there, and the feature comes before it */
        k->harness->features.items[feature].used++;
        if (e)
            e->used++;
    }
    if (feature >= 0)
        return prose_make("c_expr { vs_%s[%d] }", positive == holds ? "on" : "off", feature);
    if (e) {
        e->used++;
        return by_entry(k, instance, n, e, text, t, holds);
    }
    if (other && !strcmp(other->right, "keep"))
        return by_entry(k, instance, n, other, text, t, holds);
    if (t && (maker_keeps_all(k) || (!instance && look_only(t, maker_machine(k)->event, maker_machine(k)->state)) || look_only(t, NULL, NULL))) {
        struct map_entry keep = { .right = (char *)"keep" };
        *fate = FATE_KEPT;
        return by_entry(k, instance, n, &keep, text, t, holds);
    }
    char *parts = t ? guard_of_parts(k, instance, n, text, t, holds, fate) : NULL;
    if (parts)
        return parts;
    *fate = FATE_LEFT_OUT;
    return prose_make("1");
}
