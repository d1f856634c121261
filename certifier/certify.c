/* SPDX-License-Identifier: MIT */
#include "certifier/certify.h"

#include "base/memory.h"
#include "certifier/balance.h"
#include "certifier/kept.h"
#include "certifier/marks.h"
#include "certifier/merge.h"
#include "certifier/outlook.h"
#include "certifier/wording.h"
#include "certifier/wrong.h"
#include "base/prose.h"
#include "properties/invariant.h"
#include "system/glimpse.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A state that was entered and not left. */
struct visit {
    uint64_t    state;
    struct step step;                /* by which it was entered */
    uint32_t    done;                /* where in `done` its own begin, */
    bool        in_order;            /* each of them behind the one before: by process, and by choice, as a search does it */
    bool        passed;              /* on the way to where a part begins: nothing was found out of it yet */
};

struct done { uint32_t process, choice; };       /* a transition that was executed */

/* How it is found out whether a state is the one that it is said to be. */
enum by { BY_BELIEF, BY_BALANCE, BY_KEEPING };

enum { RECOUNT_FEW = 1 << 16, RECOUNT_RARELY = 4 };

struct follower {
    const struct certify_settings *settings;
    struct script        *script;
    struct certification *out;
    struct system        *system;
    struct wording        wording;
    enum by               by;
    struct balance        balance;           /* BY_BALANCE */
    struct marks          marks;             /* BY_KEEPING */
    struct kept           kept;
    struct tally         *all;               /* fingerprints of all states that were entered; NULL: the script is believed */
    uint64_t              recount;           /* when so many were, it is looked whether they are different */
    struct visit         *path;
    struct done          *done;
    uint32_t              depth, room, done_count, done_room;
    const struct script_start *start;        /* NULL: it is a whole script */
    bool                  transitions;       /* there are invariants of transitions */
    bool                  over;              /* there is a verdict */
};

/* ---- verdicts ---- */

static void save_path(struct follower *f)
{
    certification_save(f->out, f->settings->program, f->system, &f->path[1].step, sizeof *f->path, f->depth - 1);
}

/* The entry is a lie, and this is what the program does instead. 0, as for every verdict. */
__attribute__((format(printf, 3, 4))) static int reject(struct follower *f, const struct script_entry *e, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    certification_reject(f->out, e ? e->number : 0, format, list);
    va_end(list);
    f->out->state = e ? e->from : 0;
    f->over = true;
    if (e)
        save_path(f);
    return 0;
}

/* ---- what the program does ---- */

static char *words_of(const struct follower *f, uint32_t label)
{
    const struct script_label *l = labels_get(script_labels(f->script), label);
    return prose_make("process %d: %s%s%s", l->process + 1, l->operation, *l->outcome ? " = " : "", l->outcome);
}

static uint32_t label_at(struct follower *f, int process, uint32_t node, uint32_t result)
{
    return wording_label(&f->wording, f->system, (struct labels *)script_labels(f->script), UNWORDED_LEAVE, (uint32_t)process, node, result);
}

static int no_such_transition(struct follower *f, const struct script_entry *e, const char *why)
{
    const struct system *s = f->system;
    char *says = words_of(f, e->label);
    int process = labels_get(script_labels(f->script), e->label)->process;
    char *does = process < s->processes ? labels_operation(s, &system_pending(s, process)->op) : NULL;
    if (does)
        reject(f, e, "the script goes on by %s, but %s it stands before %s", says, why, does);
    else
        reject(f, e, "the script goes on by %s, but the program has %d processes", says, s->processes);
    free(says);
    free(does);
    return 0;
}

static uint64_t rank(struct done d) { return (uint64_t)d.process << 32 | d.choice; }          /* in the order of a search */

static int compare_done(const void *a, const void *b)
{
    uint64_t one = rank(*(const struct done *)a), other = rank(*(const struct done *)b);
    return (one > other) - (one < other);
}

static bool was_done(const struct follower *f, int process, uint32_t choice)
{
    const struct visit *v = &f->path[f->depth - 1];
    struct done wanted = { (uint32_t)process, choice };
    if (f->done_count == v->done || (v->in_order && rank(f->done[f->done_count - 1]) < rank(wanted)))
        return false;
    if (v->in_order)
        return bsearch(&wanted, f->done + v->done, f->done_count - v->done, sizeof wanted, compare_done);
    for (uint32_t i = v->done; i < f->done_count; i++)
        if (rank(f->done[i]) == rank(wanted))
            return true;
    return false;
}

static void note_done(struct follower *f, int process, uint32_t choice)
{
    struct visit *v = &f->path[f->depth - 1];
    struct done new = { (uint32_t)process, choice };
    v->in_order = v->in_order && (f->done_count == v->done || rank(f->done[f->done_count - 1]) < rank(new));
    ARRAY_GROW(f->done, f->done_count, f->done_room);
    f->done[f->done_count++] = new;
}

/* The choice behind the one that was executed last here: mostly it is meant next. */
static uint32_t next_choice(const struct follower *f, int process)
{
    bool any = f->done_count > f->path[f->depth - 1].done;
    return any && f->done[f->done_count - 1].process == (uint32_t)process ? f->done[f->done_count - 1].choice + 1 : 0;
}

/* Which choice does the entry mean? Of those with the same words, one that was not done yet. False: the process does nothing like it here. */
static bool find_choice(struct follower *f, uint32_t label, int process, uint32_t *choice)
{
    uint32_t choices = system_choices(f->system, process), found = UINT32_MAX, first = next_choice(f, process);
    for (uint32_t i = 0; i < choices; i++) {
        *choice = (first + i) % choices;
        if (label_at(f, process, f->system->node[process], system_preview(f->system, process, *choice)) != label)
            continue;
        found = *choice;
        if (!was_done(f, process, *choice))
            return true;
    }
    *choice = found;
    return found != UINT32_MAX;
}

/* There is nothing to choose, and it was not done yet. Not for a program with threads: what is executed there is run. */
static bool has_one_way(const struct follower *f, int process, uint32_t *choice)
{
    *choice = 0;
    return !system_shares(f->system) && system_choices(f->system, process) == 1 && !was_done(f, process, 0);
}

/* ---- entering and leaving ---- */

static void enter(struct follower *f, uint64_t state, const struct step *step)
{
    ARRAY_GROW(f->path, f->depth, f->room);
    f->path[f->depth++] = (struct visit){ state, *step, f->done_count, true, false };
    f->out->states++;
    if (f->depth - 1 > f->out->depth)
        f->out->depth = f->depth - 1;
}

/* An error of the program in the state just entered. */
static int tell_error(struct follower *f, const struct wrong_thing *wrong)
{
    certification_wrong(f->out, wrong);
    f->out->state = f->path[f->depth - 1].state;
    f->over = true;
    save_path(f);
    return 0;
}

/* The program was run along a path that it had run before, and did something else. */
static int not_the_same(struct follower *f)
{
    return tell_error(f, &(struct wrong_thing){ FOUND_NONDETERMINISM, -1,
        prose_make("on the way to this state the program does not do the same again as it did before: something is not under control"), false });
}

static int check_state(struct follower *f)
{
    struct wrong_thing wrong;
    return wrong_in(f->system, f->settings->ignore_deadlock, &wrong) ? tell_error(f, &wrong) : 0;
}

/* In another part something is said of the state, which is the current one. */
static void write_down(struct follower *f, uint64_t state)
{
    uint64_t fingerprint[2] = { 0 };
    if (!f->settings->map)
        return;
    system_lasting_fingerprint(f->system, fingerprint);
    merge_write_state(f->settings->map, state, fingerprint);
}

/* The state, which is the current one, is entered for the first time. */
static void note_new(struct follower *f, uint64_t state)
{
    uint64_t fingerprint[2], lasting[2] = { 0 };
    system_fingerprint(f->system, fingerprint);
    if (f->settings->map)
        system_lasting_fingerprint(f->system, lasting);
    tally_add(f->all, f->settings->map ? lasting : fingerprint);
    if (f->by == BY_BALANCE) {
        balance_enter(&f->balance);
        return;
    }
    uint32_t references = marks_references(&f->marks, state);
    kept_put(&f->kept, state, fingerprint, references == MARKS_MANY ? UINT64_MAX : references - (state != 0));   /* but for the one that has led to it */
    if (marks_needed(&f->marks, state))
        write_down(f, state);
}

/* A script that goes round and round in a loop, and calls every state new, would only be found out at its end, and that may be as far as it likes. So
 * it is looked now and then: no more than RECOUNT_FEW states are entered, or than RECOUNT_RARELY times as many as there are. */
static int look_for_doubles(struct follower *f, const struct script_entry *e, struct err *err)
{
    bool differ;
    f->recount = f->recount ? f->recount : RECOUNT_FEW;
    if (f->by == BY_BELIEF || f->out->states < f->recount)
        return 0;
    f->recount *= RECOUNT_RARELY;
    int rc = tally_all_differ(f->all, &differ, err);
    return rc < 0 || differ ? rc : reject(f, e, "of the %llu states that it has entered until here, some are the same: it has several numbers for one state",
                                          (unsigned long long)f->out->states);
}

static int arrive_new(struct follower *f, const struct script_entry *e, const struct step *step, struct err *err)
{
    if (f->by != BY_BELIEF)
        note_new(f, e->to);
    enter(f, e->to, step);
    int rc = look_for_doubles(f, e, err);
    if (rc < 0 || f->over)
        return rc;
    if (!f->settings->trustful)
        glimpse_want(f->system, f->system->enabled);     /* all that can be done here must be in the script */
    return check_state(f);
}

/* It was entered in another part: from now on it is known here, too, to the end. */
static const struct kept_state *meet(struct follower *f, uint64_t state, const uint64_t fingerprint[2])
{
    write_down(f, state);
    kept_put(&f->kept, state, fingerprint, UINT64_MAX);
    return kept_get(&f->kept, state);
}

/* It is said to be one that was there before. */
static int arrive_old(struct follower *f, const struct script_entry *e, const struct step *step)
{
    uint64_t fingerprint[2];
    system_fingerprint(f->system, fingerprint);
    if (f->by == BY_BALANCE) {
        balance_lead(&f->balance, e->to, fingerprint);
        system_undo(f->system, step);
        return 0;
    }
    const struct kept_state *known = kept_get(&f->kept, e->to);
    if (!known && f->start && e->to < f->start->next)
        known = meet(f, e->to, fingerprint);
    system_undo(f->system, step);
    if (!known)                      /* so many entries were counted */
        return reject(f, e, "the file has changed while it was read");
    if (known->fingerprint[0] != fingerprint[0] || known->fingerprint[1] != fingerprint[1]) {
        char *says = words_of(f, e->label);
        reject(f, e, "%s is said to lead to state %llu, but the program comes to a state that is not that one", says,
               (unsigned long long)e->to);
        free(says);
        return 0;
    }
    kept_use(&f->kept, e->to);
    return 0;
}

static int follow_step(struct follower *f, const struct script_entry *e, struct err *err)
{
    struct system *s = f->system;
    int process = labels_get(script_labels(f->script), e->label)->process;
    uint32_t choice;
    struct step step;
    if (f->settings->trustful && !e->is_new)
        return 0;                    /* it is believed to lead where it says */
    if (process >= s->processes || !(s->enabled >> process & 1))
        return no_such_transition(f, e, "the process cannot go there:");
    bool only = has_one_way(f, process, &choice);        /* what it gives is seen when it is executed */
    if (!only && !find_choice(f, e->label, process, &choice))
        return no_such_transition(f, e, "there");
    if (!only && was_done(f, process, choice))
        return no_such_transition(f, e, "that was done there before;");
    enum took took = system_execute(s, process, choice, &step, err);
    if (took == STEP_AGAIN || (took == STEP_FAILED && err_code(err) == -ENOTRECOVERABLE))
        return not_the_same(f);
    if (took != STEP_TAKEN)
        return err_code(err);
    if (only && label_at(f, process, step.node, step.result) != e->label) {
        system_undo(s, &step);
        return no_such_transition(f, e, "there");
    }
    note_done(f, process, choice);
    f->out->transitions++;
    struct wrong_thing wrong;
    if (f->transitions && wrong_with(s, &step, &wrong)) {
        enter(f, e->to, &step);
        return tell_error(f, &wrong);
    }
    return e->is_new ? arrive_new(f, e, &step, err) : arrive_old(f, e, &step);
}

/* A part stands for the first time in a state that was entered in another one, and says what it has: so it must be the same one there. */
static void know(struct follower *f, uint64_t state)
{
    uint64_t fingerprint[2], lasting[2] = { 0 };
    if (f->by == BY_BELIEF)
        return;
    const struct kept_state *led = kept_get(&f->kept, state);    /* an entry has led to it */
    system_fingerprint(f->system, fingerprint);
    if (!led)
        meet(f, state, fingerprint);
    else if (memcmp(led->fingerprint, fingerprint, sizeof fingerprint))
        write_down(f, state);        /* another one: that is seen where parts are compared */
    if (f->start->entry)
        return;
    system_lasting_fingerprint(f->system, lasting);      /* the first state: nobody enters it */
    tally_add(f->all, lasting);
}

/* The first transition of the state that was not executed; false: all were. */
static bool find_left_out(struct follower *f, int *process, uint32_t *choice)
{
    struct visit *v = &f->path[f->depth - 1];
    const struct done *done = f->done + v->done, *end = f->done + f->done_count;
    if (!v->in_order)
        qsort(f->done + v->done, f->done_count - v->done, sizeof *f->done, compare_done);
    v->in_order = true;
    for (uint64_t enabled = f->system->enabled; enabled; enabled &= enabled - 1) {
        *process = __builtin_ctzll(enabled);
        uint32_t choices = system_choices(f->system, *process);
        for (*choice = 0; *choice < choices; ++*choice, ++done)
            if (done == end || rank(*done) != rank((struct done){ (uint32_t)*process, *choice }))
                return true;
    }
    return false;
}

static int left_too_early(struct follower *f, const struct script_entry *e, int process, uint32_t choice)
{
    const struct op *op = &system_pending(f->system, process)->op;
    char *does = labels_operation(f->system, op);
    char *outcome = labels_outcome(f->system, op, system_preview(f->system, process, choice));
    reject(f, e, "the script leaves state %llu, but there the program can also go on by process %d: %s%s%s", (unsigned long long)e->from,
           process + 1, does, *outcome ? " = " : "", outcome);
    free(does);
    free(outcome);
    return 0;
}

static int follow_back(struct follower *f, const struct script_entry *e)
{
    struct visit *v = &f->path[f->depth - 1];
    int process;
    uint32_t choice;
    assert(v->state == e->from);
    if (!f->settings->trustful && find_left_out(f, &process, &choice))
        return left_too_early(f, e, process, choice);
    f->done_count = v->done;
    if (f->depth > 1)
        system_undo(f->system, &v->step);
    f->depth--;
    if (f->depth && v[-1].passed) {
        v[-1].passed = false;
        know(f, v[-1].state);
    }
    return 0;
}

/* ---- all of it ---- */

/* No two numbers may mean one state: else what is told of how many there are would not be so. */
static int count_states(struct follower *f, struct err *err)
{
    uint64_t different;
    if (f->settings->map)            /* other parts have states, too: they are counted together */
        return merge_write_all(f->settings->map, f->all, err);
    int rc = tally_end(f->all, NULL, &different, err);
    if (!rc && different != f->out->states)
        reject(f, NULL, "it has %llu numbers for states, and these are only %llu different states", (unsigned long long)f->out->states,
               (unsigned long long)different);
    return rc;
}

/* The script is at its end. */
static int conclude(struct follower *f)
{
    const struct certification *c = f->out;
    bool all = c->transitions == script_transitions(f->script) || f->settings->trustful;
    if (c->states != script_states(f->script) || !all)
        return reject(f, NULL, "the header says that there are %llu states and %llu transitions; there are %llu and %llu",
                      (unsigned long long)script_states(f->script), (unsigned long long)script_transitions(f->script),
                      (unsigned long long)c->states, (unsigned long long)c->transitions);
    f->out->result = CERTIFY_CERTIFIED;
    f->over = true;
    return 0;
}

static int look_up(struct follower *f)
{
    enum { OFTEN = 1 << 14 };
    const struct certify_settings *s = f->settings;
    if (f->out->entries % OFTEN)
        return 0;
    if (s->progress)
        s->progress(s->progress_arg, f->out->transitions, script_transitions(f->script));
    return s->interrupt && *s->interrupt ? -EINTR : 0;
}

static int follow(struct follower *f, struct err *err)
{
    struct outlook ahead = { 0 };
    struct script_entry e;
    int rc = 0;
    while (!f->over && rc >= 0) {
        bool failed = false;
        int more = f->by == BY_BELIEF ? outlook_next(&ahead, f->script, f->system, &f->wording, &e, &failed, err) : script_next(f->script, &e, err);
        f->out->entries += more > 0;
        if (failed)
            rc = more;
        else if (more < 0)
            rc = more == -EBADMSG ? reject(f, NULL, "%s", err->text) : more;
        else
            rc = !more ? conclude(f) : e.label == BACK ? follow_back(f, &e) : follow_step(f, &e, err);
        if (rc >= 0 && (rc = look_up(f)) < 0)
            fail(err, "interrupted");
    }
    return rc;
}

/* The state is on the path to where the part begins; these labels were told of it in others. False: one of them there is not. */
static bool stand_on(struct follower *f, const struct script_place *p, const struct step *step)
{
    uint64_t counted = f->out->states;
    uint32_t choice;
    enter(f, p->state, step);
    f->path[f->depth - 1].passed = true;
    f->out->states = counted;
    for (uint32_t i = 0; i < p->told_count; i++) {
        uint32_t label = f->start->told[p->told + i];
        int process = labels_get(script_labels(f->script), label)->process;
        if (process >= f->system->processes || !(f->system->enabled >> process & 1) || !find_choice(f, label, process, &choice))
            return false;
        note_done(f, process, choice);
    }
    return true;
}

/* By the last transition that was told of the state in which it stands. */
static int go_on(struct follower *f, struct step *step, struct err *err)
{
    struct done last = f->done[f->done_count - 1];
    enum took took = system_execute(f->system, (int)last.process, last.choice, step, err);
    return took == STEP_TAKEN ? 0 : took == STEP_FAILED ? err_code(err) : fail(err, "the program does not do the same when it is run again");
}

/* To where the part begins. What is not there is a lie, which is told where it stands: the part in which it is rejects it, too. */
static int begin_part(struct follower *f, struct err *err)
{
    struct step step = { 0 };
    if (f->by != BY_BELIEF)
        write_down(f, 0);            /* where the program begins: elsewhere, nothing of this part can be compared with others */
    for (uint32_t i = 0; i < f->start->depth; i++) {
        const struct script_place *p = &f->start->path[i];
        int rc = i ? go_on(f, &step, err) : 0;
        if (rc < 0)
            return rc;
        if (!stand_on(f, p, &step) || (i + 1 < f->start->depth && !p->told_count))
            return reject(f, &(struct script_entry){ .number = f->start->entry, .from = p->state },
                          "on the way to the entries of this part the script has a transition that the program does not have");
    }
    f->path[f->depth - 1].passed = false;
    know(f, f->path[f->depth - 1].state);
    return 0;
}

static int begin(struct follower *f)
{
    if (f->by != BY_BELIEF)
        note_new(f, 0);
    enter(f, 0, &(struct step){ 0 });
    return check_state(f);
}

/* Before anything is followed; to keep fingerprints, how many entries lead to each state has to be known. */
static int prepare(struct follower *f, uint64_t most, struct err *err)
{
    if (f->by == BY_BELIEF)
        return 0;
    f->all = tally_new(script_states(f->script));
    if (f->by == BY_BALANCE)
        return balance_init(&f->balance, err);
    int rc = marks_make(&f->marks, f->script, most, f->settings->interrupt, err);
    return rc == -EBADMSG ? reject(f, NULL, "%s", err->text) : rc;
}

/* Back to where it began. */
static void stop(struct follower *f)
{
    bool recounted = f->recount > RECOUNT_FEW;
    uint64_t at_a_time = f->all ? (uint64_t)tally_at_a_time(f->all) << recounted : 0;
    while (f->depth > 1)
        system_undo(f->system, &f->path[--f->depth].step);
    f->out->kept = f->by != BY_BALANCE ? f->kept.most : f->balance.count < at_a_time ? f->balance.count : at_a_time;
    f->out->processes = f->system->processes;
    wording_fini(&f->wording);
    balance_fini(&f->balance);
    marks_fini(&f->marks);
    tally_free(f->all);
    kept_fini(&f->kept);
    free(f->path);
    free(f->done);
}

/* Did what was followed until now lead where the script says? */
static int weigh(struct follower *f, bool *lied, struct err *err)
{
    bool holds = true;
    int rc = f->by == BY_BALANCE ? balance_holds(&f->balance, f->all, &holds, err) : 0;
    *lied = !holds;
    return rc;
}

/* From the first entry to a verdict, which comes within the first `most`. `lied`: some entry says of a state that it is one that it is not; BY_KEEPING
 * tells which. */
static int follow_by(enum by by, uint64_t most, const struct certify_settings *settings, struct script *script, struct system *system, struct certification *out,
                     bool *lied, struct err *err)
{
    struct follower f = { .settings = settings, .script = script, .system = system, .out = out, .by = by };
    f.transitions = system->invariants && invariants_of_transitions(system->invariants);
    *out = (struct certification){ .result = CERTIFY_CUT };
    int rc = prepare(&f, most, err);
    f.start = script_start(script);
    if (rc >= 0 && !f.over)
        rc = f.start ? begin_part(&f, err) : begin(&f);
    if (rc >= 0 && !f.over)
        rc = follow(&f, err);
    if (rc >= 0)
        rc = weigh(&f, lied, err);
    if (rc >= 0 && !*lied && out->result == CERTIFY_CERTIFIED && by != BY_BELIEF)
        rc = count_states(&f, err);
    stop(&f);
    return rc;
}

/* Once more, to name the entry that is a lie. */
static int find_lie(const struct certify_settings *settings, struct script *script, struct system *system, struct certification *out, struct err *err)
{
    bool lied;
    uint64_t read = out->entries + 1;            /* what comes behind them may be as long as it likes */
    certification_fini(out);
    int rc = script_again(script, err);
    if (rc >= 0)
        rc = follow_by(BY_KEEPING, read, settings, script, system, out, &lied, err);
    if (rc < 0 || out->result != CERTIFY_CERTIFIED)
        return rc;
    certification_wrong(out, &(struct wrong_thing){ FOUND_NONDETERMINISM, -1, prose_make("when the script was followed again, the program did not come to "
        "the same states as before: something is not under control"), false });
    return 0;
}

int certify(const struct certify_settings *settings, struct script *script, struct system *system, struct certification *out,
            struct err *err)
{
    bool told = !script_start(script) || fields_get(script_fields(script), "file", 0);   /* a part of our own need not say of what it is */
    char *other = told ? certify_other_program(script_fields(script), settings->evidence) : NULL;
    bool lied = false;
    if (!system_shares(system))
        script_read_beside(script);
    int rc = follow_by(settings->trustful ? BY_BELIEF : script_start(script) ? BY_KEEPING : BY_BALANCE, UINT64_MAX, settings, script, system, out, &lied, err);
    if (rc >= 0 && lied)
        rc = find_lie(settings, script, system, out, err);
    if (other && rc >= 0)
        certification_blame(out, other);
    else
        free(other);
    return rc;
}
