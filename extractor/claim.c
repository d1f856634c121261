/* SPDX-License-Identifier: MIT */
#include "extractor/claim.h"

#include "extractor/spin.h"
#include "report/prose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *claim_name(const struct harness *h, const struct property *p)
{
    return prose_make("claim_%d", (int)(p - h->properties.items));
}

/* A formula with its symbols renamed, so that those of two properties are apart. */
static char *renamed(const struct property *p, const char *name, struct err *err)
{
    struct prose out = { 0 };
    const char *text = p->formula;
    static const char words[] = " U W V R X G F true false always eventually until weakuntil stronguntil release next implies equivalent ";
    while (*text) {
        size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        char *word = prose_make("%.*s", (int)length, text), *spaced = prose_make(" %s ", word);
        bool known = false;
        for (int i = 0; i < p->symbol_count; i++)
            known |= !strcmp(p->symbols[i].name, word);
        if (known)
            prose_add(&out, "%s_%s", name, word);
        else
            prose_bytes(&out, text, length ? length : 1);
        bool strange = length && !known && !strstr(words, spaced) && !isdigit((unsigned char)*word);
        if (strange)
            fail(err, "property %s: %s is no symbol of it; write symbol %s EXPRESSION", p->name, word, word);
        free(word);
        free(spaced);
        if (strange) {
            prose_fini(&out);
            return NULL;
        }
        text += length ? length : 1;
    }
    return prose_take(&out);
}

static bool one(struct prose *out, const struct extraction *x, const struct property *p, const struct workshop *w, struct err *err)
{
    char *name = claim_name(&x->harness, p), *formula = renamed(p, name, err), *claim = NULL;
    bool fine = formula != NULL;
    for (int i = 0; fine && i < p->symbol_count; i++) {
        char *meaning = promela_symbol(&x->machines, &x->harness, p->symbols[i].expression, err);
        fine = meaning != NULL;
        prose_add(out, "#define %s_%s (%s)\n", name, p->symbols[i].name, meaning ? meaning : "");
        free(meaning);
    }
    if (fine) {
        char *wrong = p->violation ? prose_make("%s", formula) : prose_make("!(%s)", formula);
        claim = spin_claim(w, name, wrong, err);
        free(wrong);
    }
    if (claim)
        prose_add(out, "%s", claim);
    free(name);
    free(formula);
    free(claim);
    return claim != NULL;
}

char *claims_make(const struct extraction *x, const struct workshop *w, struct err *err)
{
    struct prose out = { 0 };
    for (int i = 0; i < x->harness.properties.count; i++) {
        const struct property *p = &x->harness.properties.items[i];
        if (!p->formula && strcmp(p->name, "progress"))
            continue;
        if (!p->formula) {
            char *name = claim_name(&x->harness, p);
            prose_add(&out, "never %s { do :: true :: np_ -> break od; accept_np: do :: np_ od }\n", name);
            free(name);
        } else if (!one(&out, x, p, w, err)) {
            prose_fini(&out);
            return NULL;
        }
    }
    return prose_take(&out);
}
