/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "expect.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = { "deadlock", "livelock", "divergence", "assertion", "crash", "nondeterminism", "structure",
                                     "unsupported", NULL };
static const char *const ends[] = { "complete", "incomplete", NULL };
static const char *const searches[] = { "auto", "none", "sleep", "persistent", "source", "optimal", "stateful", "bfs",
                                        "random", NULL };
static const char *const numbers[] = { "states", "transitions", "executions", "sleep_cut", "depth_cut", "max_depth", NULL };
static const char *const stops[] = { "max_depth", "stop_at_error", "stop_at_state", "divergence", NULL };

struct reader { struct source *source; struct expect *expect; int line, first; };    /* first: line of the sentences at hand */

__attribute__((format(printf, 2, 3))) static _Noreturn void wrong(const struct reader *r, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    printf("%s:%d: ", r->source->path, r->line);
    vprintf(format, rest);
    putchar('\n');
    exit(1);
}

static bool among(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

static void must_be(const struct reader *r, const char *word, const char *const *list, const char *what)
{
    if (!among(word, list))
        wrong(r, "'%s' is no %s", word, what);
}

static void add(struct words *words, char *word)
{
    if (words->count == MANY)
        abort();
    words->items[words->count++] = word;
}

static void put(char *to, const char *word)
{
    snprintf(to, 24, "%s", word);
}

/* A number with commas or without, alone: 1,680 */
static long number(const struct reader *r, const char *word)
{
    char digits[32];
    size_t to = 0;
    for (; *word && to < sizeof digits - 1; word++)
        if (*word != ',')
            digits[to++] = *word;
    digits[to] = '\0';
    char *end;
    long value = strtol(digits, &end, 10);
    if (!to || *end)
        wrong(r, "'%s' is no number", digits);
    return value;
}

/* Cuts the value into words at blanks; "quoted text" is one word. */
static struct words split(const struct reader *r, char *text)
{
    struct words words = { 0 };
    while (*(text += strspn(text, " \t\n"))) {
        bool quoted = *text == '"';
        char *word = text + quoted;
        text = quoted ? strchr(word, '"') : word + strcspn(word, " \t\n");
        if (!text)
            wrong(r, "a quote that does not end");
        if (*text)
            *text++ = '\0';
        add(&words, word);
    }
    return words;
}

/* Word by word of a value; its end is NULL. */
struct walk { const struct reader *reader; struct words words; int at; };

static char *peek(const struct walk *w) { return w->at < w->words.count ? w->words.items[w->at] : NULL; }

static char *next(struct walk *w, const char *what)
{
    if (!peek(w))
        wrong(w->reader, "%s is missing", what);
    return w->words.items[w->at++];
}

/* Takes a comma off the end of the word: there is more to come. */
static bool more(char *word)
{
    size_t length = strlen(word);
    if (!length || word[length - 1] != ',')
        return false;
    word[length - 1] = '\0';
    return true;
}

/* ---- the keys ---- */

/* deadlock at depth 2 in process 1 */
static void read_expect(struct walk *w, struct expect *e)
{
    char *verdict = next(w, "the verdict");
    if (!among(verdict, ends))
        must_be(w->reader, verdict, kinds, "verdict");
    put(e->verdict, verdict);
    while (peek(w)) {
        char *preposition = next(w, "at or in"), *what = next(w, "depth or process");
        if (!strcmp(preposition, "at") && !strcmp(what, "depth"))
            e->depth = number(w->reader, next(w, "the depth"));
        else if (!strcmp(preposition, "in") && !strcmp(what, "process"))
            e->process = number(w->reader, next(w, "the process"));
        else
            wrong(w->reader, "'%s %s' is neither 'at depth' nor 'in process'", preposition, what);
    }
}

/* deadlock 1, assertion 2 */
static void read_errors(struct walk *w, struct expect *e)
{
    bool again = true;
    while (again) {
        struct tally *t = &e->errors[e->error_count++];
        char *kind = next(w, "a kind of error");
        must_be(w->reader, kind, kinds, "kind of error");
        char *count = next(w, "how many");
        again = more(count);
        put(t->kind, kind);
        t->value = number(w->reader, count);
    }
}

/* 18 transitions, 4 executions */
static void read_counts(struct walk *w, struct expect *e, const char *search)
{
    bool again = true;
    while (again) {
        struct count *c = &e->counts[e->count_count++];
        c->value = number(w->reader, next(w, "a number"));
        char *what = next(w, "what is counted");
        again = more(what);
        must_be(w->reader, what, numbers, "number of the report");
        put(c->search, search);
        put(c->what, what);
    }
}

static void read_local(struct walk *w, struct expect *e)
{
    while (peek(w)) {
        char *word = next(w, "a number");
        more(word);
        e->local[e->local_count++] = number(w->reader, word);
    }
}

static void read_searches(struct walk *w, struct expect *e)
{
    while (peek(w)) {
        char *word = next(w, "a search");
        more(word);
        must_be(w->reader, word, searches, "search or reduction");
        add(&e->searches, word);
    }
}

static void read_needs(struct walk *w, struct expect *e)
{
    static const char *const needs[] = { "tracing", "addresses", NULL };
    while (peek(w)) {
        char *word = next(w, "what it needs");
        more(word);
        must_be(w->reader, word, needs, "thing that can be needed");
        add(&e->needs, word);
    }
}

static void rest(struct walk *w, struct words *to)
{
    while (peek(w))
        add(to, next(w, "a word"));
}

/* What a compiler leaves behind on the stack makes local states of its own. */
static void read_compiler(struct walk *w, struct expect *e)
{
    static const char *const compilers[] = { "gcc", "clang", NULL };
    char *word = next(w, "a compiler");
    const char *ours = getenv("CC");
    must_be(w->reader, word, compilers, "compiler");
    if (!strcmp(word, "clang") == (ours && strstr(ours, "clang")))
        return;
    e->count_count = e->local_count = 0;
    e->native = -1;
}

static void read_value(struct walk *w, struct expect *e, const char *key)
{
    if (!strcmp(key, "expect"))         read_expect(w, e);
    else if (!strcmp(key, "errors"))    read_errors(w, e);
    else if (!strcmp(key, "native"))    e->native = number(w->reader, next(w, "a number"));
    else if (!strcmp(key, "local"))     read_local(w, e);
    else if (!strcmp(key, "compiler"))  read_compiler(w, e);
    else if (!strcmp(key, "needs"))     read_needs(w, e);
    else if (!strcmp(key, "options"))   rest(w, &e->options);
    else if (!strcmp(key, "arguments")) rest(w, &e->arguments);
    else if (!strcmp(key, "files"))     rest(w, &e->files);
    else if (!strcmp(key, "message"))   rest(w, &e->messages);
    else if (!strcmp(key, "note"))      rest(w, &e->notes);
    else if (!strcmp(key, "searches"))  read_searches(w, e);
    else if (!strcmp(key, "stops"))     put(e->stops, next(w, "what stops the search"));
    else if (among(key, searches))      read_counts(w, e, key);
    else wrong(w->reader, "'%s:' is unknown", key);
    if (peek(w))
        wrong(w->reader, "'%s' is too much", peek(w));
    if (*e->stops)
        must_be(w->reader, e->stops, stops, "reason to stop");
}

/* ---- the comment ---- */

static struct expect *begin(struct reader *r)
{
    struct source *s = r->source;
    if (s->expect_count == (int)(sizeof s->expects / sizeof *s->expects))
        wrong(r, "too many expectations");
    struct expect *e = &s->expects[s->expect_count++];
    *e = (struct expect){ .line = r->line, .depth = -1, .process = -1, .native = -1 };
    return e;
}

/* "expect -DWRONG" or another key; what stands behind expect is for the compiler. */
static char *read_key(struct reader *r, char *text)
{
    struct words words = split(r, text);
    if (!words.count)
        wrong(r, "a key is missing before ':'");
    if (!strcmp(words.items[0], "expect")) {
        r->expect = begin(r);
        for (int i = 1; i < words.count; i++)
            add(&r->expect->flags, words.items[i]);
    } else if (words.count > 1) {
        wrong(r, "'%s' is too much before ':'", words.items[1]);
    }
    if (!r->expect)
        wrong(r, "the comment must begin with expect:");
    return words.items[0];
}

/* The end of a sentence: a point before a blank, outside of quotes. */
static char *sentence_end(char *text)
{
    bool quoted = false;
    for (; *text; text++) {
        quoted ^= *text == '"';
        if (*text == '.' && !quoted && (!text[1] || isspace((unsigned char)text[1])))
            return text;
    }
    return NULL;
}

static int lines(const char *from, const char *to)
{
    int count = 0;
    for (; from < to; from++)
        count += *from == '\n';
    return count;
}

static void read_sentences(struct reader *r, char *text)
{
    int last = r->line, next = r->first;
    for (;;) {
        char *from = text;
        text += strspn(text, " \t\n");
        if (!*text)
            break;
        char *colon = strchr(text, ':'), *end = sentence_end(text);
        r->line = next + lines(from, text);
        if (!colon || !end || colon > end)
            wrong(r, "a sentence is 'key: value.' and not '%s'", text);
        next = r->line + lines(text, end);
        *colon = *end = '\0';
        char *key = read_key(r, text);
        struct walk walk = { .reader = r, .words = split(r, colon + 1) };
        read_value(&walk, r->expect, key);
        text = end + 1;
    }
    r->line = last;
    r->first = last + 1;
}

/* A line of the comment, without its stars. */
static char *inside(char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *end = strstr(line, "*/");
    if (end)
        *end = '\0';
    line += strspn(line, " ");
    if (*line == '/')
        line++;
    return line + strspn(line, "*");
}

/* What an example says to type: a line that is indented further. */
static bool is_command(const char *line)
{
    return !strncmp(line, "     ", 5) && (strstr(line, "verisoft ") != NULL);
}

static bool is_empty(const char *line) { return !line[strspn(line, " \t")]; }

static void keep_command(struct reader *r, const char *line)
{
    char *command = strdup(line + strspn(line, " "));
    char *licence = strstr(command, "SPDX");
    if (licence)
        *licence = '\0';
    r->expect->command = command;
}

static void drop_remark(char *line)                              /* (in parentheses, to the end of the line) */
{
    char *open = strstr(line, " (");
    if (open && open[strlen(open) - 1] == ')')
        *open = '\0';
}

/* The comment up to its first empty line; sentences may go on over lines, up to a command. */
static void read_comment(struct reader *r, FILE *file)
{
    char *line = NULL, *text = calloc(1, 1 << 14);
    size_t room = 0;
    bool over = false;
    while (!over && getline(&line, &room, file) > 0) {
        r->line++;
        if (r->line == 1 && strncmp(line, "/* expect", 9))
            wrong(r, "the first comment must begin with expect");
        over = strstr(line, "*/") != NULL;
        char *words = inside(line);
        if (is_empty(words) || strstr(words, "SPDX") == words + 1)
            break;
        if (is_command(words)) {
            read_sentences(r, text);
            text = calloc(1, 1 << 14);
            keep_command(r, words);
            continue;
        }
        drop_remark(words);
        strcat(strcat(text, words), "\n");
    }
    read_sentences(r, text);
    free(line);
}

static void read_marks(struct source *s, FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    rewind(file);
    for (int n = 1; getline(&line, &room, file) > 0; n++)
        if (strstr(line, "/* ERROR */") && s->marked_count < MANY)
            s->marked[s->marked_count++] = n;
    free(line);
}

void expect_read(struct source *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    *s = (struct source){ .path = path, .posix = !strncmp(slash ? slash + 1 : path, "posix-", 6) };
    struct reader r = { .source = s, .first = 1 };
    FILE *file = fopen(path, "r");
    if (!file)
        wrong(&r, "cannot be read");
    read_comment(&r, file);
    read_marks(s, file);
    fclose(file);
    if (!s->expect_count)
        wrong(&r, "nothing is expected");
}

bool expect_has(const struct words *words, const char *word)
{
    for (int i = 0; i < words->count; i++)
        if (!strcmp(words->items[i], word))
            return true;
    return false;
}

char *expect_join(const struct words *words)
{
    size_t length = 1;
    for (int i = 0; i < words->count; i++)
        length += strlen(words->items[i]) + 4;
    char *text = calloc(1, length);
    for (int i = 0; i < words->count; i++) {
        bool quote = strpbrk(words->items[i], " *?'\"$&;") != NULL;
        strcat(text, quote ? " '" : " ");
        strcat(text, words->items[i]);
        strcat(text, quote ? "'" : "");
    }
    return text;
}
