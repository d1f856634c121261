/* SPDX-License-Identifier: MIT */
#include "extractor/at_flow.h"

#include <string.h>

struct flow {
    const struct token *tokens;
    int                 at, end;     /* the next token; the function's closing brace */
    struct flow_label  *labels;
    int                 count;
    bool                live;        /* can control be here? */
    bool                changed;
    bool               *breaks, *continues;      /* does one reach the statement around? */
    bool                switched, has_default;   /* of the switch around: is it reached, has it a default */
};

static bool here(const struct flow *f, const char *text)
{
    return f->at < f->end && token_is(&f->tokens[f->at], text);
}

static bool skip(struct flow *f, const char *text)
{
    bool is = here(f, text);
    f->at += is;
    return is;
}

static void reach(struct flow *f, const char *name, int length)
{
    bool state = length > 2 && (name[0] == 'A' || name[0] == 'B') && name[1] == '_';
    for (int i = 0; i < f->count; i++) {
        struct flow_label *l = &f->labels[i];
        int from = l->mark >= 0 ? 2 : 0;
        if ((l->mark >= 0 && !state) || l->length != length - from || strncmp(l->name, name + from, (size_t)l->length) || l->reached)
            continue;
        l->reached = true;
        f->changed = true;
    }
}

static void jump(struct flow *f)
{
    const struct token *to = &f->tokens[f->at];
    if (f->live && to->kind == TOKEN_WORD)
        reach(f, to->at, to->length);
}

/* Up to and with the bracket that closes the one here. */
static void skip_brackets(struct flow *f)
{
    int depth = 0;
    do {
        depth += here(f, "(") || here(f, "{") || here(f, "[");
        depth -= here(f, ")") || here(f, "}") || here(f, "]");
        if (skip(f, "goto"))
            jump(f);
        else
            f->at++;
    } while (depth > 0 && f->at < f->end);
}

static void expression(struct flow *f)
{
    while (f->at < f->end && !here(f, ";") && !here(f, "}") && !here(f, "else")) {
        if (here(f, "(") || here(f, "{") || here(f, "["))
            skip_brackets(f);
        else if (skip(f, "goto"))
            jump(f);
        else
            f->at++;
    }
    skip(f, ";");
}

static void statement(struct flow *);

/* Is a condition in brackets that ends before `end` one that always holds? */
static bool endless(const struct flow *f, int open, int end)
{
    return end == open + 3 && (token_is(&f->tokens[open + 1], "1") || token_is(&f->tokens[open + 1], "true"));
}

static bool empty_middle(const struct flow *f, int open, int end)
{
    for (int i = open; i + 1 < end; i++)
        if (token_is(&f->tokens[i], ";"))
            return token_is(&f->tokens[i + 1], ";");
    return false;
}

/* The body of a loop, again when its end leads back to a beginning that was not reached from above. Gives: is the head reached? */
static bool body(struct flow *f, bool *broken)
{
    bool *breaks = f->breaks, *continues = f->continues, again = false;
    int start = f->at;
    bool head = f->live;
    f->breaks = broken;
    f->continues = &again;
    statement(f);
    if (!head && (f->live || again)) {
        f->at = start;
        f->live = head = true;
        statement(f);
    }
    f->breaks = breaks;
    f->continues = continues;
    bool end = f->live || again;
    f->live = end;
    return head;
}

static void loop(struct flow *f, bool is_for)
{
    bool broken = false;
    int open = f->at;
    skip_brackets(f);
    bool for_ever = is_for ? empty_middle(f, open, f->at) : endless(f, open, f->at);
    bool head = body(f, &broken);
    f->live = broken || (!for_ever && (head || f->live));
}

static void do_loop(struct flow *f)
{
    bool broken = false;
    body(f, &broken);
    skip(f, "while");
    int open = f->at;
    skip_brackets(f);
    f->live = broken || (f->live && !endless(f, open, f->at));
    skip(f, ";");
}

static void choice(struct flow *f)
{
    skip_brackets(f);
    bool in = f->live;
    statement(f);
    bool then = f->live;
    f->live = in;
    if (skip(f, "else"))
        statement(f);
    f->live |= then;
}

static void many_ways(struct flow *f)
{
    bool broken = false, *breaks = f->breaks, switched = f->switched, has_default = f->has_default, in = f->live;
    skip_brackets(f);
    f->breaks = &broken;
    f->switched = in;
    f->has_default = false;
    f->live = false;
    statement(f);
    f->live |= broken || (in && !f->has_default);
    f->breaks = breaks;
    f->switched = switched;
    f->has_default = has_default;
}

static void case_label(struct flow *f)
{
    while (f->at < f->end && !here(f, ":")) {
        if (here(f, "("))
            skip_brackets(f);
        else
            f->at++;
    }
    skip(f, ":");
    f->live |= f->switched;
}

/* @name: @: @@ */
static void mark(struct flow *f)
{
    int at = f->at++;
    if (skip(f, "@")) {
        if (f->live)
            reach(f, "error", 5);
        f->live = false;
        return;
    }
    if (!here(f, ":"))
        f->at++;
    skip(f, ":");
    for (int i = 0; i < f->count; i++) {
        struct flow_label *l = &f->labels[i];
        if (l->mark != at)
            continue;
        f->changed |= f->live && !l->reached;
        l->reached |= f->live;
        f->live = l->reached;
    }
    bool live = f->live;
    if (live)
        reach(f, "out", 3);
}

static void label(struct flow *f)
{
    const struct token *t = &f->tokens[f->at];
    for (int i = 0; i < f->count; i++)
        if (f->labels[i].mark < 0 && f->labels[i].length == t->length && !strncmp(f->labels[i].name, t->at, (size_t)t->length))
            f->live |= f->labels[i].reached;
    f->at += 2;
}

static void leave(struct flow *f, bool *to)
{
    if (to && f->live)
        *to = true;
    expression(f);
    f->live = false;
}

static void block(struct flow *f)
{
    while (f->at < f->end && !here(f, "}"))
        statement(f);
    skip(f, "}");
}

static bool keyword(struct flow *f)
{
    if      (skip(f, "{"))        block(f);
    else if (skip(f, "if"))       choice(f);
    else if (skip(f, "while"))    loop(f, false);
    else if (skip(f, "for"))      loop(f, true);
    else if (skip(f, "do"))       do_loop(f);
    else if (skip(f, "switch"))   many_ways(f);
    else if (skip(f, "case"))     case_label(f);
    else if (skip(f, "break"))    leave(f, f->breaks);
    else if (skip(f, "continue")) leave(f, f->continues);
    else if (skip(f, "return"))   leave(f, NULL);
    else if (skip(f, "goto"))     jump(f), leave(f, NULL);
    else return false;
    return true;
}

static void statement(struct flow *f)
{
    if (f->at >= f->end || keyword(f))
        return;
    if (here(f, "@")) {
        mark(f);
    } else if (skip(f, "default")) {
        f->has_default = true;
        skip(f, ":");
        f->live |= f->switched;
    } else if (f->tokens[f->at].kind == TOKEN_WORD && token_is(&f->tokens[f->at + 1], ":")) {
        label(f);
    } else if (here(f, "else") || here(f, "}")) {
        f->at++;                     /* unbalanced: the compiler will say so */
    } else {
        expression(f);
    }
}

void flow_follow(const struct tokens *tokens, int open, int close, struct flow_label *labels, int count)
{
    struct flow f = { .tokens = tokens->items, .end = close, .labels = labels, .count = count };
    do {
        f.at = open + 1;
        f.live = true;
        f.changed = false;
        while (f.at < f.end)
            statement(&f);
    } while (f.changed);
}
