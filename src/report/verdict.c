/* What was searched, and what it means that nothing, or no more, was found. SPDX-License-Identifier: MIT */
#include "report/page.h"

#include "base/prose.h"
#include "report/suppressions.h"

#include <string.h>

/* ---- what was searched ---- */

struct phrase { char text[64]; };

/* To go back, memory was put back, or the program started again. */
static struct phrase how_it_went_back(const struct outcome *o)
{
    struct phrase n;
    if (o->native.restores)
        snprintf(n.text, sizeof n.text, "put back %s time%s", page_number(o->native.restores).text, page_s(o->native.restores));
    else
        snprintf(n.text, sizeof n.text, "started %s time%s", page_number(o->native.starts).text, page_s(o->native.starts));
    return n;
}

static void say_cache(const struct page *page)
{
    const struct outcome *o = page->outcome;
    uint64_t again = o->search.counts.states - o->search.cache.distinct;
    if (!o->settings.cache || !o->search.cache.states)
        return;
    if (o->search.cache.replaced)
        page_say(page, "The cache kept %s states at a time, and gave up others %s times: of the states that were entered, about %s are "
                 "different, and %s were entered again.", page_number(o->search.cache.states).text,
                 page_number(o->search.cache.replaced).text, page_number(o->search.cache.distinct).text, page_number(again).text);
    else
        page_say(page, "The cache had room for all of them.");
}

/* That costs a hundred times more, so it is said. */
static void say_starts_again(const struct page *page)
{
    const char *why = page->outcome->native.starts_again;
    bool function = !strchr(why, ' ');
    if (*why)
        page_say(page, "To go back, the program is started again instead of its memory put back, which is slower: %s%s%s.",
                 function ? "it calls " : "there is ", why, function ? "(), which leaves something in the kernel" : "");
}

/* Before all else: nothing that follows holds for variables that are used without synchronisation. */
static void say_unseen(const struct page *page)
{
    const struct outcome *o = page->outcome;
    if (o->group && !page->job->starter && !o->instrumented && o->processes > 1 && o->search.counts.states)
        page_say(page, "%s: what its threads read and write is not seen.", page->job->compiled ? "Compiled as it is" : "Not compiled by verisoft cc");
    else if (o->unseen && o->processes > 1)
        page_say(page, "Not compiled by verisoft cc: %s. What threads read and write there is not seen.", o->unseen);
}

void verdict_searched(const struct page *page)
{
    const struct outcome *o = page->outcome;
    const struct counts *c = &o->search.counts;
    struct prose w = { 0 };
    say_unseen(page);
    if (o->gave_up)
        page_say(page, "%sNothing was searched%s: the program ended with status %d before %s. Run it without VeriSoft to see "
                 "what it misses: arguments (they go after --), a file, input?", page_colour(page, BOLD), page_plain(page), o->gave_up,
                 c->transitions <= 2 ? "any operation that VeriSoft sees" : "it had a second thread or process");
    prose_add(&w, "%s%s%s: %d process%s%s%s.", page_colour(page, BOLD), page->job->name, page_plain(page), o->processes,
              o->processes == 1 ? "" : "es", o->objects && *o->objects ? ", " : "", o->objects ? o->objects : "");
    if (c->states && o->group && o->search.states_once)
        prose_add(&w, " Searched %s state%s, %s transition%s, to depth %u; the program itself ran %s, %s.",
                  page_number(c->states).text, page_s(c->states), page_number(c->transitions).text, page_s(c->transitions),
                  c->max_depth, page_number(o->native.transitions).text, how_it_went_back(o).text);
    else if (c->states && o->group)
        prose_add(&w, " Searched %s whole execution%s, %s transition%s, to depth %u; the program itself ran %s, %s.",
                  page_number(c->executions).text, page_s(c->executions), page_number(c->transitions).text, page_s(c->transitions),
                  c->max_depth, page_number(o->native.transitions).text, how_it_went_back(o).text);
    else if (c->states)
        prose_add(&w, " Searched %s state%s, %s transition%s, to depth %u; the program itself ran %s%s.",
                  page_number(c->states).text, page_s(c->states), page_number(c->transitions).text, page_s(c->transitions),
                  c->max_depth, page_number(o->native.transitions).text, o->native.transitions <= c->transitions ? " of them" : "");
    page_paragraph(page, w.text, 0, 2);
    prose_fini(&w);
    say_cache(page);
    say_starts_again(page);
}

/* ---- no errors: what that means ---- */

/* What is known of variables that are used without synchronisation. */
static void add_races(const struct page *page, struct prose *w)
{
    const struct outcome *o = page->outcome;
    if (o->race_free)
        prose_add(w, " There is no data race in any execution%s%s.", o->unseen ? ", as far as is seen: not in " : "", o->unseen ? o->unseen : "");
    else if (o->suppressed_count && !o->races)
        prose_add(w, " There is no data race in any execution, but %u that %s leaves out: what %s was searched.", o->suppressed_count,
                  suppressions_file(page->job->suppressions), o->suppressed_count == 1 ? "it does" : "they do");
    else if (o->instrumented && o->search.states_once)
        prose_add(w, " Data races were looked for on one path to each state: use --search dfs to look for them on all.");
    else
        prose_add(w, " A shared variable that is used without synchronisation is not seen: such a race can hide an error.");
    if (o->weak_orders)
        prose_add(w, " Atomic operations that ask for less than sequential consistency were searched as if they had it: on a real machine "
                  "there can be more executions.");
    if (o->whole)
        prose_add(w, " The access at %s is made by instructions that VeriSoft does not know: what is between two parts of it was not searched.", o->whole);
}

static void say_everything(const struct page *page)
{
    enum reduction r = page->outcome->settings.reduction;
    struct prose w = { 0 };
    prose_add(&w, "%sNo errors%s: ", page_colour(page, GREEN), page_plain(page));
    if (page->outcome->group && page->outcome->search.states_once)
        prose_add(&w, "every reachable state was searched, one for all orders of the operations by which its threads synchronise that lead "
                  "there.");
    else if (page->job->starter)
        prose_add(&w, "every choice of the drivers was tried, and every order of their operations%s.", r == REDUCTION_NONE ? ""
                  : " was searched, or differs from one that was only in the order of operations that cannot affect each other");
    else if (page->outcome->group && r == REDUCTION_NONE)
        prose_add(&w, "every order of the operations by which its threads and processes synchronise was searched.");
    else if (page->outcome->group)
        prose_add(&w, "every order of the operations by which its threads and processes synchronise was searched, or differs "
                  "from one that was only in the order of operations that cannot affect each other.");
    else if (search_enters_all(r) || page->outcome->search.states_once)
        prose_add(&w, "every reachable state was searched.");
    else
        prose_add(&w, "every interleaving was searched, or differs from one that was only in the order of operations that "
                  "cannot affect each other.");
    if (page->outcome->group && !page->job->starter)
        add_races(page, &w);
    page_paragraph(page, w.text, 0, 0);
    prose_fini(&w);
}

/* Nothing came to its end: whatever the search did, it saw beginnings alone. */
static void say_all_cut(const struct page *page)
{
    const struct counts *c = &page->outcome->search.counts;
    if (c->depth_cut && !c->executions)
        page_say(page, "Every path so far was cut by the depth bound, at depth %u, before the program ended (max_depth is %u). If it runs for "
                 "ever, make it end: check it with fewer rounds, or fewer threads. Else give it more time, or raise --max-depth.",
                 c->max_depth, page->outcome->settings.max_depth);
}

static void say_depth(const struct page *page)
{
    const struct search_result *r = &page->outcome->search;
    uint32_t depth = r->layer ? r->layer : page->outcome->settings.max_depth;
    if (r->coverage == COVERAGE_DEPTH)
        page_say(page, "No error within %u transition%s; what comes after that was not searched.", depth, page_s(depth));
    else
        page_say(page, "No error found, but max_depth %u cut the search short, and then the reduction %s can miss errors even "
                 "within that depth; --reduction sleep misses none there.", depth,
                 search_reduction_names[page->outcome->settings.reduction]);
    if (r->counts.depth_cut)
        page_say(page, "%s path%s went on beyond max_depth.", page_number(r->counts.depth_cut).text, page_s(r->counts.depth_cut));
    if (page->outcome->round)
        page_say(page, "On one of them process %u comes to %s %s times: perhaps it goes round there, and never gets on.",
                 r->counts.round.process + 1, page->outcome->round, page_number(r->counts.round.times).text);
    page_say(page, "To search further: --max-depth %u.%s", 2 * depth,
             page->outcome->search.states_once ? "" : " A program that runs for ever ends with --search stateful.");
}

/* About how much was seen, or how that could be known. */
static void say_estimate(const struct page *page)
{
    const struct search_result *r = &page->outcome->search;
    bool limit = r->stopped_by == STOPPED_STOP_AT_STATE || r->stopped_by == STOPPED_MEMORY_LIMIT || r->stopped_by == STOPPED_TIME_LIMIT;
    uint64_t seen = (uint64_t)((double)r->counts.states * 100 / (r->estimate.high > 0 ? r->estimate.high : 100));
    if (r->estimate.percent > 0 && r->estimate.counted)
        page_say(page, "These are about %.1f %% of all states (%.1f to %.1f): the others were counted, about %s in all.", r->estimate.percent,
                 r->estimate.low, r->estimate.high, page_number(r->estimate.states).text);
    else if (r->estimate.sampled)
        page_say(page, "These are about %.1f %% of all states (%.1f to %.1f), as samples say: there are too many to count them, about %s.",
                 r->estimate.percent, r->estimate.low, r->estimate.high, page_number(r->estimate.states).text);
    else if (r->estimate.percent > 0)
        page_say(page, "These are less than %.1f %% of all states: %s were counted, and then the count was given up.", r->estimate.high,
                 page_number(seen).text);
    else if (limit && r->counts.estimate_error > 0)
        page_say(page, "There are about %s executions, give or take %s: so many ways to go on there were.",
                 page_about(r->counts.executions_estimate).text, page_about(r->counts.estimate_error).text);
    else if (limit && r->counts.executions_estimate > 0 && page->job->search.strategy != SEARCH_RANDOM)
        page_say(page, "There are about %s executions, by those that were searched.", page_about(r->counts.executions_estimate).text);
    else if (limit && r->states_once && !page->outcome->settings.cache)
        page_say(page, "--search estimate says about how much of all states that is.");
}

/* Threads that try, give up and try again come to the same states on ever more paths: there is no end of executions, but of states. */
static void say_stateful(const struct page *page)
{
    enum stopped_by by = page->outcome->search.stopped_by;
    if (page->outcome->group && !page->job->starter && !page->outcome->search.states_once && (by == STOPPED_TIME_LIMIT || by == STOPPED_INTERRUPT))
        page_say(page, "Where many orders lead to the same memory, --search stateful is quicker, and it ends also where threads try again and again.");
}

static void say_cut(const struct page *page)
{
    const struct search_result *r = &page->outcome->search;
    const char *found = page->outcome->counted[COUNTS_AS_UNCONFIRMED] ? "confirmed" : "found";
    switch (r->stopped_by) {
    case STOPPED_MAX_DEPTH:
        say_depth(page);
        break;
    case STOPPED_STOP_AT_STATE:
        page_say(page, "No error in the %s states searched; then stop_at_state ended the search. To search further: "
                 "--stop-at-state %llu", page_number(r->counts.states).text, (unsigned long long)(2 * r->counts.states));
        break;
    case STOPPED_TIME_LIMIT:
        page_say(page, "The time limit ended the search. No error was %s until then; the rest was not searched. To search further: "
                 "--time-limit with more seconds, or 0.", found);
        say_all_cut(page);
        break;
    case STOPPED_MEMORY_LIMIT:
        if (page->outcome->settings.memory_limit)
            page_say(page, "The memory limit ended the search. No error was %s until then; the rest was not searched. To search further: "
                     "--memory-limit with more, or 0.", found);
        else
            page_say(page, "There was no more memory. No error was %s until then; the rest was not searched.", found);
        say_all_cut(page);
        break;
    case STOPPED_INTERRUPT:
        page_say(page, "Interrupted. No error was %s until then; the rest was not searched.", found);
        say_all_cut(page);
        break;
    case STOPPED_DIVERGENCE:
        page_say(page, "No error was found, but the search ended at a loop that may wait for memory to change (above).");
        break;
    default:
        page_say(page, page->outcome->counted[COUNTS_AS_LIMIT]
                 ? "No error was found, but where the program does what VeriSoft does not control (above) it was not searched further."
                 : "No error was found, but only a part of what the program can do was searched.");
        break;
    }
    say_estimate(page);
    say_stateful(page);
}

static void say_not_looked_for(const struct page *page)
{
    const struct search_settings *search = &page->outcome->settings;
    if (page->job->init_path)
        page_say(page, "The search began where %s ends; what the program can do otherwise was not searched.",
                 page->job->init_path);
    if (search->ignore_deadlock)
        page_say(page, "Deadlocks were not looked for (ignore_deadlock).");
    if (!search->livelock_limit && !page->outcome->group)
        page_say(page, "Livelocks were not looked for (livelock_limit is 0).");
    else if (search->livelock_limit && !page->outcome->search.livelock_checked)
        page_say(page, "Livelocks were not looked for: --search iterative does so.");
    else if (search->livelock_limit && search->reduction != REDUCTION_NONE)
        page_say(page, "Livelocks were looked for on the searched paths only: --search iterative --reduction none searches all.");
}

/* After errors: was there more to search? That a search ends at the error it was told to end at needs no word. */
static void say_more(const struct page *page)
{
    enum stopped_by by = page->outcome->search.stopped_by;
    bool cut = by == STOPPED_INTERRUPT || by == STOPPED_MAX_DEPTH || by == STOPPED_STOP_AT_STATE || by == STOPPED_TIME_LIMIT
            || by == STOPPED_MEMORY_LIMIT;
    if (cut)
        fputc('\n', page->out);
    if (by == STOPPED_INTERRUPT)
        page_say(page, "Interrupted: there may be more errors.");
    else if (cut)
        page_say(page, "The search was cut short by %s: there may be more errors.", search_stop_names[by]);
}

void verdict_say(const struct page *page)
{
    const struct outcome *o = page->outcome;
    if (o->result == RESULT_ERRORS) {
        say_more(page);
        return;
    }
    if (o->gave_up)
        return;
    fputc('\n', page->out);
    if (o->result == RESULT_COMPLETE)
        say_everything(page);
    else
        say_cut(page);
    if (o->result == RESULT_COMPLETE || o->search.stopped_by == STOPPED_MAX_DEPTH)
        say_not_looked_for(page);
}

