/* SPDX-License-Identifier: MIT */
#include "extractor/token.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader { const char *at; int line; bool line_start; };

static void step(struct reader *r)
{
    if (*r->at == '\n') {
        r->line++;
        r->line_start = true;
    }
    r->at++;
}

static void skip_directive(struct reader *r)
{
    while (*r->at && *r->at != '\n') {
        if (r->at[0] == '\\' && r->at[1])
            step(r);
        step(r);
    }
}

static void skip_block_comment(struct reader *r)
{
    bool start = r->line_start;
    r->at += 2;
    while (*r->at && strncmp(r->at, "*/", 2))
        step(r);
    if (*r->at)
        r->at += 2;
    r->line_start |= start;
}

/* Stands at the next token, or at the end. */
static void skip_between(struct reader *r)
{
    for (;;) {
        if (isspace((unsigned char)*r->at))
            step(r);
        else if (!strncmp(r->at, "\\\n", 2))
            step(r), step(r);
        else if (!strncmp(r->at, "//", 2) || (*r->at == '#' && r->line_start))
            skip_directive(r);
        else if (!strncmp(r->at, "/*", 2))
            skip_block_comment(r);
        else
            return;
    }
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* A string or a character that is never closed ends with its line, as the compiler will say. */
static void take_quoted(struct reader *r)
{
    char quote = *r->at;
    step(r);
    while (*r->at && *r->at != quote && *r->at != '\n') {
        if (r->at[0] == '\\' && r->at[1])
            step(r);
        step(r);
    }
    if (*r->at == quote)
        step(r);
}

static enum token_kind take(struct reader *r)
{
    char c = *r->at;
    if (c == '"' || c == '\'') {
        take_quoted(r);
        return TOKEN_LITERAL;
    }
    if (in_word(c)) {
        while (in_word(*r->at) || (isdigit((unsigned char)c) && *r->at == '.'))
            step(r);
        return isdigit((unsigned char)c) ? TOKEN_LITERAL : TOKEN_WORD;
    }
    step(r);
    return c == '@' ? TOKEN_MARK : TOKEN_OTHER;
}

void tokens_read(struct tokens *t, const char *text)
{
    struct reader r = { .at = text, .line = 1, .line_start = true };
    *t = (struct tokens){ 0 };
    do {
        skip_between(&r);
        r.line_start = false;
        struct token token = { .at = r.at, .line = r.line };
        token.kind = *r.at ? take(&r) : TOKEN_END;
        token.length = (int)(r.at - token.at);
        ARRAY_GROW(t->items, t->count, t->room);
        t->items[t->count++] = token;
    } while (t->items[t->count - 1].kind != TOKEN_END);
}

void tokens_fini(struct tokens *t)
{
    free(t->items);
    *t = (struct tokens){ 0 };
}

bool token_is(const struct token *t, const char *text)
{
    return (int)strlen(text) == t->length && !strncmp(t->at, text, (size_t)t->length);
}
