/* SPDX-License-Identifier: MIT */
#include "extractor/refused.h"

#include "base/prose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Line `number`, from 1, of a text; its length. NULL: there are not so many. */
static const char *line_of(const char *text, int number, size_t *length)
{
    while (text && --number)
        text = (text = strchr(text, '\n')) ? text + 1 : NULL;
    *length = text ? strcspn(text, "\n") : 0;
    return text;
}

/* The number of the line of a block of the harness that is this one; 0: none is. */
static int line_in(const char *block, int first, const char *line, size_t length)
{
    size_t here;
    const char *at;
    for (int i = 1; block && length && (at = line_of(block, i, &here)); i++)
        if (here == length && !strncmp(at, line, length))
            return first + i - 1;
    return 0;
}

/* Gives; NULL: nobody can say. */
static char *place(const struct extraction *x, const char *model, int number)
{
    const struct origin *o = number < x->model.line_count ? &x->model.origins[number] : NULL;
    const struct node *n = o && o->kind == ORIGIN_NODE ? &o->function->nodes[o->node] : NULL;
    if (n && n->text)
        return prose_make("%s:%d: '%s', as the map has it", n->place.file, n->place.line, n->text);
    const struct harness *h = &x->harness;
    size_t length;
    const char *line = line_of(model, number, &length);
    int declared = line ? line_in(h->declarations, h->declarations_line, line, length) : 0;
    int driven = line && !declared ? line_in(h->drivers, h->drivers_line, line, length) : 0;
    return declared || driven ? prose_make("%s:%d", h->file, declared ? declared : driven) : NULL;
}

int refused_where(const struct extraction *x, const char *model, int bad, struct err *err)
{
    static const char mark[] = "model.pml:";
    const char *at = bad ? strstr(err->text, mark) : NULL;
    if (!at)
        return bad;
    int line = atoi(at + strlen(mark));
    char *said = prose_make("%s", err->text), *where = place(x, model, line);
    bad = fail(err, "%s%s%s; %s", where ? where : "", where ? ": " : "", said, line < x->model.line_count ? "verisoft extract prints the model, line by line"
               : "it is in a property: look at what its symbols are defined as");
    free(said);
    free(where);
    return bad;
}
