/* Fuzzing the reader of formulas: any bytes are read or refused with a message and its place; what is read can be written and read again, and
 * short formulas have an automaton that keeps its invariant.
 * SPDX-License-Identifier: MIT */
#include "properties/buchi.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 40 };                 /* bytes: longer formulas may have automata that take seconds */

static void check_refusal(int status, const struct err *err)
{
    assert(status < 0);
    assert(!strncmp(err->text, "column ", 7) || !strncmp(err->text, "line ", 5));
}

static void check_text(struct ltl *table, uint32_t formula)
{
    uint32_t again = 0;
    struct err err = { .text = "" };
    char *text = ltl_text(table, formula);
    assert(!ltl_parse(table, text, &again, &err));
    char *text_again = ltl_text(table, again);
    assert(!strcmp(text, text_again) && ltl_normal(table, again) == ltl_normal(table, formula));
    free(text);
    free(text_again);
}

static void check_automaton(struct ltl *table, uint32_t formula)
{
    struct err err = { .text = "" };
    struct buchi *b = buchi_new(table, formula, &err);
    assert(b || err.text[0]);
    if (!b)
        return;
    buchi_check(b);
    char *never = buchi_never(b, "name", "comment", NULL), *text = buchi_text(b), *svg = buchi_svg(b, "title", NULL, &err);
    json_decref(buchi_json(b, "formula", NULL));
    free(never);
    free(text);
    free(svg);
    buchi_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct err err = { .text = "" };
    struct ltl *table = ltl_new();
    uint32_t formula = 0;
    char *text = calloc(1, length + 1);
    assert(text);
    if (length)
        memcpy(text, bytes, length);
    int status = ltl_parse(table, text, &formula, &err);
    if (status) {
        check_refusal(status, &err);
    } else {
        check_text(table, formula);
        if (strlen(text) <= SHORT)
            check_automaton(table, formula);
    }
    free(text);
    ltl_free(table);
    return 0;
}
