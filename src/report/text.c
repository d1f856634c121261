/* SPDX-License-Identifier: MIT */
#include "report/text.h"

#include "report/explain.h"
#include "report/outcome.h"
#include "report/page.h"
#include "base/prose.h"
#include "report/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD_WHOLE = 5 };             /* findings; of more, only what and where */

/* ---- errors ---- */

static char *for_shell(char *word)                               /* takes, gives */
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=@%+-";
    if (*word && word[strspn(word, safe)] == 0)
        return word;
    struct prose quoted = { 0 };
    prose_add(&quoted, "'");
    for (const char *c = word; *c; c++)
        prose_add(&quoted, *c == '\'' ? "'\\''" : "%c", *c);
    prose_add(&quoted, "'");
    free(word);
    return prose_take(&quoted);
}

static void say_more_commands(const struct page *page, const struct error *error)
{
    const struct job *job = page->job;
    const char *space = job->options && *job->options ? " " : "", *options = job->options ? job->options : "";
    const char *arguments = job->program_arguments ? job->program_arguments : "", *dashes = *arguments ? " -- " : "";
    char *file = for_shell(outcome_file(job, error->scenario)), *folder = for_shell(prose_make("%s", job->output));
    bool elsewhere = strcmp(job->output, ".");
    fprintf(page->out, "  walk through:   %s %s%s%s -simul %s%s%s%s%s\n", job->self, job->name, space, options, file,
            elsewhere ? " --output " : "", elsewhere ? folder : "", dashes, arguments);
    if (!job->starter)
        fprintf(page->out, "  under gdb:      %s replay %s%s%s %s --gdb%s%s\n", job->self, job->name, space, options, file, dashes,
                arguments);
    free(file);
    free(folder);
}

/* A command that runs the scenario is never broken: it is to be copied. */
static void say_replay(const struct page *page, const struct error *error)
{
    const struct job *job = page->job;
    const char *space = job->options && *job->options ? " " : "", *options = job->options ? job->options : "";
    const char *arguments = job->program_arguments ? job->program_arguments : "", *dashes = *arguments ? " -- " : "";
    char *file = for_shell(outcome_file(job, error->scenario));
    fprintf(page->out, "  see it happen:  %s %s %s%s%s %s%s%s\n", job->self, job->starter ? "test" : "replay", job->name, space, options, file, dashes, arguments);
    free(file);
}

static void say_what(const struct page *page, const struct error *error)
{
    char *what = prose_make("%s%s%s", error->location ? error->location : "", error->location ? ": " : "", error->message);
    page_paragraph(page, what, 2, 2);
    free(what);
    if (error->count > 1) {
        what = prose_make("%s paths end like this; the shortest is shown.", page_number(error->count).text);
        page_paragraph(page, what, 2, 2);
        free(what);
    }
}

static void say_whole(const struct page *page, const struct error *error)
{
    if (error->line_count)
        fputc('\n', page->out);
    table_print(page->out, error, page->look);
    if (error->explanation) {
        fputc('\n', page->out);
        page_paragraph(page, error->explanation, 2, 2);
    }
    if (!error->scenario)
        return;
    fputc('\n', page->out);
    say_replay(page, error);
    say_more_commands(page, error);
}

static void say_error(const struct page *page, const struct error *error, const char *title, uint32_t number)
{
    fprintf(page->out, "\n%s%s %u: %s at depth %u%s\n", page_colour(page, RED), title, number, explain_heading(error->kind), error->depth,
            page_plain(page));
    say_what(page, error);
    if (number <= TOLD_WHOLE)
        say_whole(page, error);
    else if (error->scenario)
        say_replay(page, error);
}

/* ---- what is no error ---- */

/* A limit of ours: the function and its place, once, and what can be done. The same advice is given once. */
static void say_limit(const struct page *page, const struct error *limit, uint32_t number, const char *advice_before)
{
    char *what = prose_make("%s%s%s", limit->location ? limit->location : "", limit->location ? ": " : "", limit->message);
    fprintf(page->out, "\nnot controlled %u: cut %s path%s short\n", number, page_number(limit->count).text, page_s(limit->count));
    page_paragraph(page, what, 2, 2);
    free(what);
    if (limit->explanation && (!advice_before || strcmp(limit->explanation, advice_before)))
        page_paragraph(page, limit->explanation, 2, 2);
    if (limit->scenario)
        say_replay(page, limit);
}

static void say_findings(const struct page *page, enum counts_as sort)
{
    const char *advice = NULL;
    uint32_t number = 0;
    for (uint32_t i = 0; i < page->outcome->finding_count; i++) {
        const struct error *e = &page->outcome->findings[i];
        if (e->counts_as != sort)
            continue;
        if (sort == COUNTS_AS_LIMIT)
            say_limit(page, e, ++number, advice);
        else
            say_error(page, e, sort == COUNTS_AS_ERROR ? "error" : "not confirmed", ++number);
        advice = e->explanation;
    }
}

/* ---- the report ---- */

static bool has_place(const struct error *e)
{
    bool has = e->location;
    for (uint32_t i = 0; i < e->line_count && !has; i++)
        has = e->lines[i].location;
    return has;
}

/* Without -g nothing has a place. */
static void say_no_places(const struct page *page)
{
    for (uint32_t i = 0; i < page->outcome->finding_count; i++)
        if (has_place(&page->outcome->findings[i]))
            return;
    if (page->outcome->finding_count && !page->job->compiled && !page->job->starter)
        page_say(page, "\nThe program has no debugging information: compile it with -g to see the lines of its source and the names "
                 "of its variables here.");
}

static void say_certificate(const struct page *page)
{
    const struct job *job = page->job;
    const char *space = job->options && *job->options ? " " : "", *options = job->options ? job->options : "";
    const char *arguments = job->program_arguments ? job->program_arguments : "", *dashes = *arguments ? " -- " : "";
    const char *wanted = job->search.ignore_deadlock ? " --ignore-deadlock 1" : "";     /* what it says is not looked for */
    char *file = for_shell(prose_make("%s", job->certificate));
    fprintf(page->out, "\ncertificate: %s, %s bytes\n  follow it:      %s certify %s%s%s%s %s%s%s\n", job->certificate,
            page_number(page->outcome->certificate_bytes).text, job->self, job->name, space, options, wanted, file, dashes, arguments);
    free(file);
}

void text_report(FILE *out, const struct job *job, const struct outcome *outcome, struct look look)
{
    struct page page = { out, job, outcome, look };
    verdict_searched(&page);
    say_findings(&page, COUNTS_AS_ERROR);
    say_findings(&page, COUNTS_AS_UNCONFIRMED);
    say_findings(&page, COUNTS_AS_LIMIT);
    say_no_places(&page);
    verdict_say(&page);
    if (outcome->state_space) {
        char *file = outcome_file(job, outcome->state_space);
        fprintf(out, "\nstate space: %s\n", file);
        free(file);
    }
    if (job->certificate && outcome->no_certificate)
        page_say(&page, "\nNo certificate was written: %s", outcome->no_certificate);
    else if (job->certificate)
        say_certificate(&page);
    if (outcome->notes) {
        fputs("\nnote:\n", out);
        page_paragraph(&page, outcome->notes, 2, 2);
    }
    if (outcome->warnings) {
        fputs("\nwarning:\n", out);
        page_paragraph(&page, outcome->warnings, 2, 2);
    }
}
