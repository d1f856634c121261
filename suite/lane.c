/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "suite/lane.h"

#include "base/memory.h"
#include "objects/types.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

/* ---- coming to stand ---- */

static struct op process_op(uint8_t code, uint32_t process)
{
    return (struct op){ .type = TYPE_PROCESS, .code = code, .process = (uint8_t)process, .object = NO_OBJECT };
}

/* Before what the process stood that now takes a step. NULL: it begins. */
static const struct op *done(const struct lane *l)
{
    for (uint32_t i = l->walked_count; i-- > 0;)
        if (l->walked[i].cue.process == l->walked[l->walked_count].cue.process)
            return &l->walked[i].arrival.op;
    return NULL;
}

/* It is told of the place of the driver's last request. Takes the words. */
static void end_with(struct lane *l, struct arrival *a, uint8_t code, int argument, char *words)
{
    int driver = l->driver_of[a->op.process];
    char *all = prose_make("driver %s %s", l->share->suite->drivers[driver].name, words);
    a->op = process_op(code, a->op.process);
    a->op.arg[0] = argument;
    a->op.text = texts_number(l->share->texts, all);
    a->op.place = done(l) ? done(l)->place : 0;
    free(all);
    free(words);
}

/* What a shell ends with that is told to run what is not there, or what cannot be run; NULL: it ended otherwise. */
static const char *no_command(int status)
{
    int s = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return s == 127 ? "a command was not found" : s == 126 ? "a command could not be run" : NULL;
}

/* Takes the words. */
static char *with_reason(char *words, int status)
{
    const char *why = no_command(status);
    char *all = prose_make("%s%s%s%s", words, why ? " (" : "", why ? why : "", why ? ")" : "");
    free(words);
    return all;
}

/* others: somebody has its socket still, whom it has started. */
static void driver_ended(struct lane *l, struct arrival *a, int status, bool others)
{
    int driver = l->driver_of[a->op.process];
    if (WIFSIGNALED(status))
        end_with(l, a, PROCESS_CRASH, WTERMSIG(status), prose_make("ended by SIG%s", sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "RT"));
    else if (WEXITSTATUS(status))
        end_with(l, a, PROCESS_CRASH, SIGABRT, with_reason(prose_make("ended with status %d", WEXITSTATUS(status)), status));
    else if (l->talks[driver].line.length)
        end_with(l, a, PROCESS_STRUCTURE, 0, prose_make("ended in the middle of a request"));
    else
        a->op = process_op(PROCESS_EXIT, a->op.process);
    l->share->ended |= is_process(&a->op, PROCESS_EXIT) ? UINT64_C(1) << driver : 0;
    l->share->unheard |= others ? UINT64_C(1) << driver : 0;
}

static void box_ended(struct lane *l, struct arrival *a, int status)
{
    bool killed = WIFSIGNALED(status);
    end_with(l, a, PROCESS_CRASH, SIGABRT, killed ? prose_make("ran when the black box ended by signal %d", WTERMSIG(status))
                                                  : with_reason(prose_make("ran when the black box ended with status %d", WEXITSTATUS(status)), status));
}

/* It asked for nothing and did nothing, for its command cannot be run: no error of what is tested. */
static int cannot_run(const struct lane *l, int driver, struct err *err)
{
    if (driver < 0)                      /* the one that makes them */
        return 0;
    int status = l->box.ends.status[driver];
    const struct suite_driver *d = &l->share->suite->drivers[driver];
    if (done(l) || !is_process(&l->walked[l->walked_count].arrival.op, PROCESS_CRASH) || !l->box.ends.is[driver] || !no_command(status))
        return 0;
    return fail(err, "the driver %s ended with status %d before it asked for anything: %s (it is run by sh in the folder of the suite): %s",
                d->name, WEXITSTATUS(status), no_command(status), d->run);
}

/* Has it ended, and somebody whom it has started has its socket still? That one may be about to end, too, or to go on in its place: a moment is given. */
static bool lingers(struct lane *l, int driver, enum heard heard)
{
    static const double moment = 0.5;
    if (heard != HEARD_NOTHING || !l->box.ends.is[driver] || l->box.ends.status[driver])
        return false;
    if (!l->lingering)
        l->until = box_now() + moment;
    l->lingering = true;
    return box_now() <= l->until;
}

/* What it says is heard first, though it or the box may be gone since. True: that is where it stands. */
static bool has_come(struct lane *l, int driver, struct arrival *a)
{
    struct talk *t = &l->talks[driver];
    struct op op = { .process = a->op.process };
    enum heard heard = l->spoke_twice ? HEARD_NONSENSE : t->socket >= 0 ? talk_hear(t, l->share->suite, l->share->texts, &op) : HEARD_END;
    l->share->heard |= heard != HEARD_NOTHING && heard != HEARD_END ? UINT64_C(1) << driver : 0;
    if (l->spoke_twice)
        op.text = texts_number(l->share->texts, talk_spoke_twice);
    if (heard == HEARD_OPERATION)
        a->op = op;
    else if (heard == HEARD_NONSENSE)
        end_with(l, a, PROCESS_STRUCTURE, 0, prose_make("%s", texts_string(l->share->texts, op.text)));
    else if (heard == HEARD_NOTE)
        l->until = box_now() + l->share->suite->timeout;
    else if (box_is_gone(&l->box))
        box_ended(l, a, l->box.ends.status[UNIT_BOX]);
    else if (lingers(l, driver, heard))
        return false;
    else if (l->box.ends.is[driver])
        driver_ended(l, a, l->box.ends.status[driver], heard == HEARD_NOTHING);
    else if (box_now() > l->until)
        end_with(l, a, PROCESS_DIVERGENCE, DIVERGENCE_ALONE, prose_make("did nothing for %d seconds that VeriSoft could see", l->share->suite->timeout));
    else if (heard == HEARD_END)
        t->socket = t->socket >= 0 ? (close(t->socket), -1) : -1;        /* how it ended, the warden will tell */
    return a->op.type != TYPE_COUNT;
}

static uint64_t digest(const struct arrival *a)
{
    struct op op = a->op;
    uint64_t words[] = { (uint64_t)op.type << 16 | op.code, op.object, (uint32_t)op.arg[0], (uint32_t)op.arg[1], op.text, op.place, a->notes };
    return XXH3_64bits(words, sizeof words) | 1;
}

/* The one that creates the drivers, and is no process of the system's. */
static void first_arrives(struct lane *l, struct arrival *a)
{
    const struct suite *suite = l->share->suite;
    if (l->created == (int)suite->driver_count) {
        a->op = process_op(PROCESS_EXIT, 0);
        return;
    }
    char *words = prose_make("driver(%s)", suite->drivers[l->created].name);
    a->op = process_op(PROCESS_CREATE, 0);
    a->op.arg[0] = 1;                    /* a process of its own */
    a->op.text = texts_number(l->share->texts, words);
    free(words);
}

/* ---- did it ever come to something else by the same steps? ---- */

static char *in_words(const struct lane *l, const struct op *op, uint32_t said)
{
    const char *notes = texts_string(l->share->texts, said), *text = texts_string(l->share->texts, op->text);
    static const char *const names[] = { [TYPE_TOSS] = "toss", [TYPE_ASSERT] = "check", [TYPE_ABORT] = "assume" };
    const char *name = op->type < sizeof names / sizeof *names && names[op->type] ? names[op->type] : "";
    char *words = prose_make("%s%s%s%s%s%s", name, *name && *text ? " " : "", text, is_process(op, PROCESS_EXIT) ? "its end" : "",
                             *notes ? ", after " : "", notes);
    prose_one_line(words);
    return words;
}

static bool varies(struct lane *l, const struct walked *w)
{
    struct lanes_share *s = l->share;
    if (l->strayed || chronicle_see(&s->chronicle, w->node, &w->arrival))
        return false;
    const struct chronicled *before = &s->chronicle.nodes[w->node];
    if (!s->varied++) {
        s->was = in_words(l, &before->op, before->notes);
        s->is = in_words(l, &w->arrival.op, w->arrival.notes);
    }
    return true;
}

/* ---- steps ---- */

static struct walked *last(struct lane *l) { return &l->walked[l->walked_count]; }

static int start_driver(struct lane *l, int driver, struct err *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return fail_errno(err, "no socket for the driver %s", l->share->suite->drivers[driver].name);
    talk_init(&l->talks[driver], ends[0]);
    l->share->starts++;
    struct errand e = { driver, l->share->suite->drivers[driver].run, ends[1], l->output, l->box.port, l->follower };
    int rc = box_start(&l->box, &e, err);
    close(ends[1]);
    return rc;
}

/* The next step of the plan is begun. */
static int set_off(struct lane *l, struct err *err)
{
    ARRAY_GROW(l->walked, l->walked_count, l->walked_room);
    struct walked *w = last(l);
    *w = (struct walked){ .cue = l->plan.items[l->walked_count], .arrival.op = { .type = TYPE_COUNT } };
    w->arrival.op.process = (uint8_t)w->cue.process;
    w->node = chronicle_get(&l->share->chronicle, lane_at(l), w->cue);
    l->share->transitions++;
    l->until = box_now() + l->share->suite->timeout;
    l->lingering = false;
    int driver = l->driver_of[w->cue.process];
    if (w->cue.process == 0)
        return 0;
    assert(driver >= 0);
    if (l->talks[driver].socket < 0 && !l->box.ends.is[driver])
        return start_driver(l, driver, err);
    l->spoke_twice = talk_speaks(&l->talks[driver]);
    if (!l->spoke_twice)
        talk_tell(&l->talks[driver], w->cue.result, l->share->texts);
    return 0;
}

/* The first process is where it comes to at once; what it created has the number that its step gave. */
static bool first_went_on(struct lane *l, struct walked *w)
{
    if (l->created < (int)l->share->suite->driver_count && l->walked_count)
        l->driver_of[w->cue.result] = l->created++;
    first_arrives(l, &w->arrival);
    return true;
}

static void begin_again(struct lane *l)
{
    for (uint32_t i = 0; i < l->share->suite->driver_count; i++)
        talk_fini(&l->talks[i]);
    for (int p = 0; p < MAX_PROCESSES; p++)
        l->driver_of[p] = -1;
    l->created = 0;
    l->walked_count = 0;
    l->strayed = l->spoke_twice = false;
    l->invariant = NO_NODE;
    l->state = LANE_STARTING;
    l->share->runs++;
}

/* ---- invariants ---- */

static bool all_ended(const struct lane *l)
{
    for (uint32_t i = 0; i < l->share->suite->driver_count; i++)
        if (!l->box.ends.is[i])
            return false;
    return true;
}

static bool is_due(const struct lane *l, uint32_t invariant)
{
    const struct op *op = done(l);
    const struct suite_invariant *v = &l->share->suite->invariants[invariant];
    bool goes_well = !types_mishap(&l->walked[l->walked_count].arrival.op);
    return goes_well && op && (v->at_end ? all_ended(l) : op->type == TYPE_STEP && op->code == STEP_STEP);
}

/* The next that is due, from that one on, is begun; 1: there is none. */
static int next_invariant(struct lane *l, uint32_t from, struct err *err)
{
    for (l->invariant = from; l->invariant < l->share->suite->invariant_count; l->invariant++)
        if (is_due(l, l->invariant)) {
            struct errand e = { UNIT_HELPER, l->share->suite->invariants[l->invariant].run, -1, l->output, l->box.port, false };
            l->until = box_now() + l->share->suite->timeout;
            l->share->tested[l->invariant] = true;
            return box_start(&l->box, &e, err);
        }
    l->invariant = NO_NODE;
    return 1;
}

/* How it went: what is not so ends the driver whose step it was. 1: the step is done. */
static int end_invariant(struct lane *l, struct err *err)
{
    const struct suite_invariant *v = &l->share->suite->invariants[l->invariant];
    struct arrival *a = &last(l)->arrival;
    bool ended = l->box.ends.is[UNIT_HELPER];
    int status = ended ? l->box.ends.status[UNIT_HELPER] : 0;
    if (!ended && box_now() <= l->until)
        return 0;
    if (ended && !status)
        return next_invariant(l, l->invariant + 1, err);
    if (ended && no_command(status))
        return fail(err, "the invariant %s cannot be asked: %s (status %d; it is run by sh in the folder of the suite)", v->name,
                    no_command(status), WEXITSTATUS(status));
    if (!ended)
        return fail(err, "the invariant %s has not ended after %d seconds (timeout of the suite): %s", v->name, l->share->suite->timeout, v->run);
    a->op = (struct op){ .type = TYPE_ASSERT, .code = ASSERT_FAILED, .process = a->op.process, .object = NO_OBJECT,
                         .text = texts_number(l->share->texts, v->name) };
    l->invariant = NO_NODE;
    return 1;
}

/* A step is done. */
static int arrived(struct lane *l, struct err *err)
{
    struct walked *w = last(l);
    int driver = l->driver_of[w->cue.process], tries = l->share->suite->variation == VARIATION_STOP ? 1 : TRIES;
    struct prose *notes = driver >= 0 ? &l->talks[driver].notes : NULL;
    w->arrival.notes = notes && notes->length ? texts_number(l->share->texts, notes->text) : 0;
    if (notes)
        notes->length = 0;
    w->arrival.fingerprint[1] = digest(&w->arrival);
    l->walked_count++;
    l->strayed = varies(l, w) || l->strayed;
    if (!l->strayed || l->follower) {
        l->state = l->walked_count == l->plan.count ? LANE_STANDING : LANE_WALKING;
        return l->state == LANE_WALKING ? set_off(l, err) : 0;
    }
    l->state = LANE_LOST;
    if (++l->tries >= tries)
        return 0;
    begin_again(l);
    return box_begin(&l->box, l->box.port, l->output, err);
}

static int walk(struct lane *l, struct err *err)
{
    int rc = box_hear(&l->box, err);
    l->share->starts -= l->box.copied;
    l->box.copied = 0;
    while (rc >= 0 && l->state == LANE_WALKING) {
        struct walked *w = last(l);
        int driver = l->driver_of[w->cue.process];
        if (l->invariant != NO_NODE)
            rc = end_invariant(l, err);
        else if (w->cue.process == 0 ? first_went_on(l, w) : has_come(l, driver, &w->arrival))
            rc = cannot_run(l, driver, err) < 0 ? -EINVAL : next_invariant(l, 0, err);
        else
            break;
        if (rc > 0)
            rc = arrived(l, err);
        else if (!rc && !l->box.ends.is[UNIT_HELPER])
            break;
    }
    return rc < 0 ? rc : 0;
}

int lane_turn(struct lane *l, struct err *err)
{
    int rc = l->state == LANE_STARTING ? box_turn(&l->box, err) : 0;
    if (rc > 0) {
        l->state = l->plan.count ? LANE_WALKING : LANE_STANDING;
        rc = l->plan.count ? set_off(l, err) : 0;
    }
    return rc >= 0 && l->state == LANE_WALKING ? walk(l, err) : rc;
}

/* ---- where to ---- */

bool lane_moves(const struct lane *l) { return l->state == LANE_STARTING || l->state == LANE_WALKING; }

uint32_t lane_at(const struct lane *l) { return l->walked_count ? l->walked[l->walked_count - 1].node : CHRONICLE_ROOT; }

bool lane_fits(const struct lane *l, const struct cues *path)
{
    uint32_t begun = l->walked_count + (l->state == LANE_WALKING);
    if (l->state == LANE_EMPTY || l->state == LANE_LOST || path->count < begun)
        return false;
    for (uint32_t i = 0; i < begun; i++)
        if (l->walked[i].cue.process != path->items[i].process || l->walked[i].cue.result != path->items[i].result)
            return false;
    return true;
}

static void set_plan(struct lane *l, const struct cues *path)
{
    l->plan.count = 0;
    for (uint32_t i = 0; i < path->count; i++) {
        ARRAY_GROW(l->plan.items, l->plan.count, l->plan.room);
        l->plan.items[l->plan.count++] = path->items[i];
    }
}

int lane_send(struct lane *l, const struct cues *path, int port, int output, struct err *err)
{
    bool fits = lane_fits(l, path) && l->output == output;
    l->tries = 0;
    l->output = output;
    set_plan(l, path);
    if (fits && l->state == LANE_STANDING && l->plan.count > l->walked_count) {
        l->state = LANE_WALKING;
        return set_off(l, err);
    }
    if (fits)
        return 0;
    begin_again(l);
    return box_begin(&l->box, port, output, err);
}

void lane_free(struct lane *l)
{
    if (l->asked != NO_NODE && l->share->chronicle.nodes[l->asked].fate == FATE_ASKED)
        l->share->chronicle.nodes[l->asked].fate = FATE_FREE;
    l->asked = NO_NODE;
}

int lane_waits(const struct lane *l, struct pollfd out[LANE_WAITS], int *milliseconds)
{
    enum { MOMENT = 50 };                /* after which an interrupt is seen */
    double left = l->state == LANE_STARTING && l->box.phase == BOX_STARTING ? (l->box.look - box_now()) * 1e3 + 1 : MOMENT;
    *milliseconds = left < 0 ? 0 : left < MOMENT ? (int)left : MOMENT;
    int driver = l->state == LANE_WALKING ? l->driver_of[l->walked[l->walked_count].cue.process] : -1;
    out[0] = (struct pollfd){ l->box.warden.socket, POLLIN, 0 };
    out[1] = (struct pollfd){ l->box.drivers.pid ? l->box.drivers.socket : -1, POLLIN, 0 };
    out[2] = (struct pollfd){ driver >= 0 && l->invariant == NO_NODE ? l->talks[driver].socket : -1, POLLIN, 0 };
    return LANE_WAITS;
}

int lane_open(struct lane *l, struct lanes_share *share, const struct warden_home *home, struct err *err)
{
    *l = (struct lane){ .share = share, .asked = NO_NODE, .invariant = NO_NODE, .output = -1 };
    for (int i = 0; i < MAX_PROCESSES; i++)
        talk_init(&l->talks[i], -1);
    return box_open(&l->box, share->suite, home, err);
}

void lane_close(struct lane *l)
{
    for (int i = 0; i < MAX_PROCESSES; i++)
        talk_fini(&l->talks[i]);
    box_close(&l->box);
    free(l->plan.items);
    free(l->walked);
}
