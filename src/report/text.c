/* SPDX-License-Identifier: MIT */
#include "report/text.h"

#include "report/explain.h"
#include "report/outcome.h"
#include "report/prose.h"
#include "report/table.h"

#include <stdlib.h>
#include <string.h>

struct page { FILE *out; const struct job *job; const struct outcome *outcome; struct look look; };

#define RED   "\033[1;31m"
#define GREEN "\033[1;32m"
#define BOLD  "\033[1m"

static const char *colour(const struct page *page, const char *code) { return page->look.colour ? code : ""; }
static const char *plain(const struct page *page) { return colour(page, "\033[0m"); }

/* ---- numbers ---- */

struct number { char text[32]; };

static struct number grouped(uint64_t value)                     /* 354,940,010 */
{
    char digits[24];
    struct number n;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *to = n.text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return n;
}

static const char *s(uint64_t count) { return count == 1 ? "" : "s"; }

/* ---- paragraphs ---- */

/* Lines of text, indented, broken at spaces where the terminal ends. */
static void paragraph(const struct page *page, const char *text, int indent)
{
    size_t room = page->look.width > indent + 20 ? (size_t)(page->look.width - indent) : 0;
    while (*text) {
        size_t length = strcspn(text, "\n"), part = length;
        if (room && length > room) {
            for (part = room; part && text[part] != ' '; part--)
                ;
            part = part ? part : strcspn(text, " \n");
        }
        fprintf(page->out, "%*s%.*s\n", indent, "", (int)part, text);
        text += part;
        text += *text == ' ' || *text == '\n';
    }
}

/* ---- what was searched ---- */

struct words { char text[64]; };

/* To go back, memory was put back, or the program started again. */
static struct words how_it_went_back(const struct outcome *o)
{
    struct words n;
    if (o->native.restores)
        snprintf(n.text, sizeof n.text, "put back %s time%s", grouped(o->native.restores).text, s(o->native.restores));
    else
        snprintf(n.text, sizeof n.text, "started %s time%s", grouped(o->native.starts).text, s(o->native.starts));
    return n;
}

/* That costs a hundred times more, so it is said. */
static void say_starts_again(const struct page *page)
{
    const char *why = page->outcome->native.starts_again;
    if (!*why)
        return;
    bool function = !strchr(why, ' ');
    char *words = prose_make("To go back, the program is started again instead of its memory put back, which is slower: %s%s%s.",
                             function ? "it calls " : "there is ", why, function ? "(), which leaves something in the kernel" : "");
    paragraph(page, words, 0);
    free(words);
}

static void say_searched(const struct page *page)
{
    const struct outcome *o = page->outcome;
    const struct counts *c = &o->search.counts;
    fprintf(page->out, "%s%s%s: %d process%s%s%s.", colour(page, BOLD), page->job->name, plain(page), o->processes,
            o->processes == 1 ? "" : "es", o->objects && *o->objects ? ", " : "", o->objects ? o->objects : "");
    if (c->states && o->group)
        fprintf(page->out, " Searched %s whole execution%s, %s transition%s, to depth %u; the program itself ran %s, %s.",
                grouped(c->executions).text, s(c->executions), grouped(c->transitions).text, s(c->transitions), c->max_depth,
                grouped(o->native.transitions).text, how_it_went_back(o).text);
    else if (c->states)
        fprintf(page->out, " Searched %s state%s, %s transition%s, to depth %u; the program itself ran %s%s.",
                grouped(c->states).text, s(c->states), grouped(c->transitions).text, s(c->transitions), c->max_depth,
                grouped(o->native.transitions).text, o->native.transitions <= c->transitions ? " of them" : "");
    fputc('\n', page->out);
    say_starts_again(page);
}

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

static void say_commands(const struct page *page, const struct error *error)
{
    const struct job *job = page->job;
    const char *space = job->options && *job->options ? " " : "", *options = job->options ? job->options : "";
    const char *arguments = job->program_arguments ? job->program_arguments : "", *dashes = *arguments ? " -- " : "";
    char *file = for_shell(outcome_file(job, error->scenario)), *folder = for_shell(prose_make("%s", job->output));
    bool elsewhere = strcmp(job->output, ".");
    fprintf(page->out, "\n  see it happen:  %s replay %s%s%s %s%s%s\n", job->self, job->name, space, options, file, dashes,
            arguments);
    fprintf(page->out, "  walk through:   %s %s%s%s -simul %s%s%s%s%s\n", job->self, job->name, space, options, file,
            elsewhere ? " --output " : "", elsewhere ? folder : "", dashes, arguments);
    fprintf(page->out, "  under gdb:      %s replay %s%s%s %s --gdb%s%s\n", job->self, job->name, space, options, file, dashes,
            arguments);
    free(file);
    free(folder);
}

static void say_error(const struct page *page, const struct error *error, uint32_t number)
{
    fprintf(page->out, "\n%serror %u: %s at depth %u%s\n", colour(page, RED), number, explain_heading(error->kind), error->depth,
            plain(page));
    char *what = prose_make("%s%s%s", error->location ? error->location : "", error->location ? ": " : "", error->message);
    paragraph(page, what, 2);
    free(what);
    if (error->line_count)
        fputc('\n', page->out);
    table_print(page->out, error, page->look);
    if (error->explanation) {
        fputc('\n', page->out);
        paragraph(page, error->explanation, 2);
    }
    if (error->scenario)
        say_commands(page, error);
}

/* ---- no errors: what that means ---- */

static void say_everything(const struct page *page)
{
    enum reduction r = page->outcome->settings.reduction;
    fprintf(page->out, "%sNo errors%s: ", colour(page, GREEN), plain(page));
    if (page->outcome->group && r == REDUCTION_NONE)
        fprintf(page->out, "every order of the operations by which its threads and processes synchronise was searched. A shared "
                "variable that is used without synchronisation is not seen: such a race can hide an error.\n");
    else if (page->outcome->group)
        fprintf(page->out, "every order of the operations by which its threads and processes synchronise was searched, or differs "
                "from one that was only in the order of operations that cannot affect each other. A shared variable that is used "
                "without synchronisation is not seen: such a race can hide an error.\n");
    else if (r == REDUCTION_NONE || r == REDUCTION_SLEEP || page->outcome->search.states_once)
        fprintf(page->out, "every reachable state was searched.\n");
    else
        fprintf(page->out, "every interleaving was searched, or differs from one that was only in the order of operations that "
                "cannot affect each other.\n");
}

static void say_depth(const struct page *page)
{
    const struct search_result *r = &page->outcome->search;
    uint32_t depth = r->layer ? r->layer : page->outcome->settings.max_depth;
    if (r->coverage == COVERAGE_DEPTH)
        fprintf(page->out, "No error within %u transition%s; what comes after that was not searched.\n", depth, s(depth));
    else
        fprintf(page->out, "No error found, but max_depth %u cut the search short, and then the reduction %s can miss errors even "
                "within that depth; --reduction sleep misses none there.\n", depth,
                search_reduction_names[page->outcome->settings.reduction]);
    if (r->counts.depth_cut)
        fprintf(page->out, "%s path%s went on beyond max_depth. ", grouped(r->counts.depth_cut).text, s(r->counts.depth_cut));
    fprintf(page->out, "To search further: --max-depth %u.%s\n", 2 * depth,
            page->outcome->group ? "" : " A program that runs for ever ends with --search stateful.");
}

static void say_cut(const struct page *page)
{
    const struct search_result *r = &page->outcome->search;
    switch (r->stopped_by) {
    case STOPPED_MAX_DEPTH:
        say_depth(page);
        break;
    case STOPPED_STOP_AT_STATE:
        fprintf(page->out, "No error in the %s states searched; then stop_at_state ended the search. To search further: "
                "--stop-at-state %llu\n", grouped(r->counts.states).text, (unsigned long long)(2 * r->counts.states));
        break;
    case STOPPED_TIME_LIMIT:
        fprintf(page->out, "The time limit ended the search. No error was found until then; the rest was not searched. To search "
                "further: --time-limit with more seconds, or 0.\n");
        break;
    case STOPPED_INTERRUPT:
        fprintf(page->out, "Interrupted. No error was found until then; the rest was not searched.\n");
        break;
    default:
        fprintf(page->out, "No error was found, but only a part of what the program can do was searched.\n");
        break;
    }
}

static void say_not_looked_for(const struct page *page)
{
    const struct search_settings *search = &page->outcome->settings;
    if (page->job->init_path)
        fprintf(page->out, "The search began where %s ends; what the program can do otherwise was not searched.\n",
                page->job->init_path);
    if (search->ignore_deadlock)
        fprintf(page->out, "Deadlocks were not looked for (ignore_deadlock).\n");
    if (!search->livelock_limit && !page->outcome->group)
        fprintf(page->out, "Livelocks were not looked for (livelock_limit is 0).\n");
    else if (search->livelock_limit && !page->outcome->search.livelock_checked)
        fprintf(page->out, "Livelocks were not looked for: --search iterative does so.\n");
    else if (search->livelock_limit && search->reduction != REDUCTION_NONE)
        fprintf(page->out, "Livelocks were looked for on the searched paths only: --search iterative --reduction none searches all.\n");
}

/* After errors: was there more to search? That a search ends at the error it was told to end at needs no word. */
static void say_more(const struct page *page)
{
    enum stopped_by by = page->outcome->search.stopped_by;
    if (by == STOPPED_INTERRUPT)
        fprintf(page->out, "\nInterrupted: there may be more errors.\n");
    else if (by == STOPPED_MAX_DEPTH || by == STOPPED_STOP_AT_STATE || by == STOPPED_TIME_LIMIT)
        fprintf(page->out, "\nThe search was cut short by %s: there may be more errors.\n", search_stop_names[by]);
}

static void say_verdict(const struct page *page)
{
    const struct outcome *o = page->outcome;
    if (o->result == RESULT_ERRORS) {
        say_more(page);
        return;
    }
    fputc('\n', page->out);
    if (o->result == RESULT_COMPLETE)
        say_everything(page);
    else
        say_cut(page);
    if (o->result == RESULT_COMPLETE || o->search.stopped_by == STOPPED_MAX_DEPTH)
        say_not_looked_for(page);
}

void text_report(FILE *out, const struct job *job, const struct outcome *outcome, struct look look)
{
    struct page page = { out, job, outcome, look };
    say_searched(&page);
    for (uint32_t i = 0; i < outcome->error_count; i++)
        say_error(&page, &outcome->errors[i], i + 1);
    say_verdict(&page);
    if (outcome->state_space) {
        char *file = outcome_file(job, outcome->state_space);
        fprintf(out, "\nstate space: %s\n", file);
        free(file);
    }
    if (outcome->warnings) {
        fputs("\nwarning:\n", out);
        paragraph(&page, outcome->warnings, 2);
    }
}
