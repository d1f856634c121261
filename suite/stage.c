/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "suite/stage.h"

#include "base/memory.h"
#include "suite/answers.h"
#include "suite/box.h"
#include "suite/talk.h"
#include "wire.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { TRIES = 20 };                     /* of a path that does not lead where it led */

struct theatre {
    const struct suite *suite;
    struct box          box;
    const volatile int *interrupt;
    struct stage       *live;            /* whose drivers there are; NULL: nobody's */
    struct answers      answers;
    uint64_t            runs, varied;    /* paths that were begun; those that led elsewhere than before */
    char               *was, *is;        /* the first of them, in words; NULL: none */
};

/* A leg that was run, and where it led. */
struct walked { struct leg leg; struct arrival arrival; uint64_t key; };

struct stage {
    struct theatre       *theatre;
    const struct history *history;
    struct texts         *texts;
    int                   output;
    struct runner         runner;
    struct starter_counts counts;
    struct created       *objects;
    struct walked           *ran;           /* the path of those that live now */
    uint32_t              ran_count, ran_room;
    struct talk           talks[MAX_PROCESSES];          /* by driver */
    int                   driver_of[MAX_PROCESSES];      /* by process; -1: none */
    int                   created;       /* drivers so far */
};

/* ---- coming to stand ---- */

static struct op process_op(uint8_t code, int process)
{
    return (struct op){ .type = TYPE_PROCESS, .code = code, .process = (uint8_t)process, .object = NO_OBJECT };
}

static void end_with(struct stage *s, struct arrival *a, uint8_t code, int argument, char *words)
{
    a->op = process_op(code, a->op.process);
    a->op.arg[0] = argument;
    a->op.text = texts_number(s->texts, words);
    free(words);
}

static void ended(struct stage *s, struct arrival *a, int status)
{
    if (WIFSIGNALED(status))
        end_with(s, a, PROCESS_CRASH, WTERMSIG(status), prose_make("SIG%s", sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "RT"));
    else if (WEXITSTATUS(status))
        end_with(s, a, PROCESS_CRASH, SIGABRT, prose_make("it ended with status %d", WEXITSTATUS(status)));
    else
        a->op = process_op(PROCESS_EXIT, a->op.process);
}

static void box_ended(struct stage *s, struct arrival *a, int status)
{
    bool killed = WIFSIGNALED(status);
    end_with(s, a, PROCESS_CRASH, SIGABRT, killed ? prose_make("the black box ended by signal %d meanwhile", WTERMSIG(status))
                                                  : prose_make("the black box ended with status %d meanwhile", WEXITSTATUS(status)));
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool interrupted(const struct theatre *t) { return t->interrupt && *t->interrupt; }

/* News of the driver that is waited for, or of the box. 1: that is where it stands. */
static int take_news(struct stage *s, int driver, struct arrival *a, struct err *err)
{
    int unit, status, rc;
    while ((rc = warden_news(&s->theatre->box.warden, &unit, &status, err)) > 0) {
        if (unit == UNIT_BOX) {
            box_ended(s, a, status);
            return 1;
        }
        if (unit != driver)
            continue;                    /* it stands before an operation all the same, until it is told to go on */
        ended(s, a, status);
        return 1;
    }
    return rc;
}

/* What it said first is heard, though it may be gone since: so news are asked for when nothing is there to be heard. */
static int listen_once(struct stage *s, int driver, struct arrival *a, struct err *err)
{
    struct talk *t = &s->talks[driver];
    struct pollfd both[] = { { t->socket, POLLIN, 0 }, { s->theatre->box.warden.socket, POLLIN, 0 } };
    enum { MOMENT = 50 };                /* milliseconds, after which an interrupt is seen */
    poll(both, 2, MOMENT);
    struct op op = { .process = a->op.process };
    enum heard heard = both[0].revents & POLLIN ? talk_hear(t, s->theatre->suite, s->texts, &op) : HEARD_NOTHING;
    if (heard == HEARD_OPERATION)
        a->op = op;
    if (heard == HEARD_NONSENSE)
        end_with(s, a, PROCESS_STRUCTURE, 0, prose_make("%s", texts_string(s->texts, op.text)));
    if (heard == HEARD_OPERATION || heard == HEARD_NONSENSE)
        return 1;
    if (both[0].revents & (POLLHUP | POLLERR) || heard == HEARD_END)
        t->socket = t->socket >= 0 ? (close(t->socket), -1) : -1;        /* how it ended, the warden tells */
    return both[1].revents || t->socket < 0 ? take_news(s, driver, a, err) : 0;
}

static uint64_t digest(const struct arrival *a)
{
    struct op op = a->op;
    uint64_t words[] = { (uint64_t)op.type << 16 | op.code, op.object, (uint32_t)op.arg[0], (uint32_t)op.arg[1], op.text, op.place, a->notes };
    return XXH3_64bits(words, sizeof words) | 1;
}

static int arrive(struct stage *s, int process, struct arrival *a, struct err *err)
{
    int driver = s->driver_of[process], rc = 0;
    double end = now() + s->theatre->suite->timeout;
    while (!rc && now() < end && !interrupted(s->theatre))
        rc = listen_once(s, driver, a, err);
    if (rc < 0)
        return rc;
    if (!rc && interrupted(s->theatre))
        return -EINTR;
    if (!rc)
        end_with(s, a, PROCESS_DIVERGENCE, 0, prose_make("did nothing for %d seconds that VeriSoft could see", s->theatre->suite->timeout));
    struct prose *notes = &s->talks[driver].notes;
    a->notes = notes->length ? texts_number(s->texts, notes->text) : 0;
    notes->length = 0;
    return 0;
}

/* ---- going on ---- */

static void arrive_stage(struct stage *s, struct arrival *a)
{
    const struct suite *suite = s->theatre->suite;
    if (s->created == (int)suite->driver_count) {
        a->op = process_op(PROCESS_EXIT, 0);
        return;
    }
    char *words = prose_make("driver(%s)", suite->drivers[s->created].name);
    a->op = process_op(PROCESS_CREATE, 0);
    a->op.arg[0] = 1;                    /* a process of its own */
    a->op.text = texts_number(s->texts, words);
    free(words);
}

static int start_driver(struct stage *s, int driver, struct err *err)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return fail_errno(err, "no socket for the driver %s", s->theatre->suite->drivers[driver].name);
    talk_init(&s->talks[driver], ends[0]);
    s->counts.starts++;
    struct errand e = { driver, s->theatre->suite->drivers[driver].run, ends[1], s->output, s->theatre->box.port };
    int rc = warden_start(&s->theatre->box.warden, &e, err);
    close(ends[1]);
    return rc;
}

static int go(struct stage *s, const struct leg *leg, struct arrival *a, struct err *err)
{
    const struct op *from = &s->history->graphs[leg->process].nodes[leg->from].op;
    *a = (struct arrival){ .op.process = (uint8_t)leg->process };
    s->counts.transitions++;
    if (leg->process == 0) {
        if (is_process(from, PROCESS_CREATE))
            s->driver_of[leg->result] = s->created++;
        arrive_stage(s, a);
        return 0;
    }
    int driver = s->driver_of[leg->process];
    assert(driver >= 0);
    int rc = 0;
    if (is_process(from, PROCESS_START))
        rc = start_driver(s, driver, err);
    else
        talk_tell(&s->talks[driver], leg->result);
    return rc < 0 ? rc : arrive(s, (int)leg->process, a, err);
}

/* ---- going back ---- */

static void forget(struct stage *s)
{
    for (uint32_t i = 0; i < s->theatre->suite->driver_count; i++)
        talk_fini(&s->talks[i]);
    for (int p = 0; p < MAX_PROCESSES; p++)
        s->driver_of[p] = -1;
    s->created = 0;
    s->ran_count = 0;
}

static int begin(struct stage *s, struct err *err)
{
    struct theatre *t = s->theatre;
    if (t->live)
        forget(t->live);
    forget(s);
    t->live = NULL;
    int rc = box_begin(&t->box, s->output, err);
    if (rc < 0)
        return rc;
    t->live = s;
    t->runs++;
    return 0;
}

/* ---- along a path ---- */

static char *in_words(const struct stage *s, const struct arrival *a)
{
    const char *notes = texts_string(s->texts, a->notes), *text = texts_string(s->texts, a->op.text);
    static const char *const names[] = { [TYPE_TOSS] = "toss", [TYPE_ASSERT] = "check", [TYPE_ABORT] = "assume" };
    const char *name = a->op.type < sizeof names / sizeof *names && names[a->op.type] ? names[a->op.type] : "";
    char *words = prose_make("%s%s%s%s%s%s", name, *name && *text ? " " : "", text, is_process(&a->op, PROCESS_EXIT) ? "its end" : "",
                             *notes ? ", after " : "", notes);
    prose_one_line(words);
    return words;
}

/* Did it ever come to something else by the same steps? */
static bool varies(struct stage *s, const struct walked *r)
{
    struct theatre *t = s->theatre;
    char *words = in_words(s, &r->arrival);
    const struct remembered *before = answers_differ(&t->answers, r->key, r->arrival.fingerprint[1], texts_number(s->texts, words));
    if (before && !t->was) {
        t->was = memory_text(texts_string(s->texts, before->text));
        t->is = memory_text(words);
    }
    t->varied += before != NULL;
    free(words);
    return before;
}

static int run_leg(struct stage *s, const struct leg *leg, bool *varied, struct err *err)
{
    ARRAY_GROW(s->ran, s->ran_count, s->ran_room);
    struct walked *r = &s->ran[s->ran_count];
    int rc = go(s, leg, &r->arrival, err);
    if (rc < 0)
        return rc;
    r->leg = *leg;
    r->key = answers_key(s->ran_count ? r[-1].key : ANSWERS_BEGIN, leg->process, leg->result);
    r->arrival.fingerprint[1] = digest(&r->arrival);
    s->ran_count++;
    *varied = varies(s, r);
    return 0;
}

static bool is_same(const struct stage *s, const struct leg *leg, uint32_t i)
{
    return s->ran[i].leg.process == leg->process && s->ran[i].leg.result == leg->result;
}

static bool leads_there(const struct stage *s, const struct leg *leg, uint32_t i)
{
    return leg->to != NO_NODE
        && s->history->graphs[leg->process].nodes[leg->to].fingerprint[1] == s->ran[i].arrival.fingerprint[1];
}

/* Is what lives on the path, so that it can go on, or need not? */
static bool goes_on(const struct stage *s, const struct leg *path, uint32_t count)
{
    uint32_t both = s->ran_count < count ? s->ran_count : count;
    if (s->theatre->live != s)
        return false;
    for (uint32_t i = 0; i < both; i++)
        if (!is_same(s, &path[i], i) || (i + 1 < both && !leads_there(s, &path[i], i)))
            return false;
    return true;
}

/* Once: as far as it leads where it should. `varied`: it led elsewhere than ever before. */
static int run_once(struct stage *s, const struct leg *path, uint32_t count, uint32_t *right, bool *varied, struct err *err)
{
    int rc = goes_on(s, path, count) ? 0 : begin(s, err);
    *varied = false;
    for (*right = 0; rc >= 0 && *right < count; ++*right) {
        if (*right == s->ran_count)
            rc = run_leg(s, &path[*right], varied, err);
        if (rc < 0 || *varied || !leads_there(s, &path[*right], *right))
            break;
    }
    return rc;
}

static int run(void *self, const struct leg *path, uint32_t count, uint32_t *right, struct arrival *a, struct err *err)
{
    struct stage *s = self;
    bool varied = true;
    int rc = 0, tries = s->theatre->suite->variation == VARIATION_STOP ? 1 : TRIES;
    for (int i = 0; i < tries && varied && rc >= 0; i++) {
        if (i)
            s->theatre->live = NULL;
        rc = run_once(s, path, count, right, &varied, err);
    }
    if (rc < 0) {
        s->theatre->live = NULL;
        return rc;
    }
    if (*right < count)
        *a = s->ran[*right].arrival;
    return 0;
}

/* Foreseen paths are run one after the other, at once. */
static int run_none(void *self, const struct way *ways, uint32_t count, enum sending how, struct err *err)
{
    (void)self, (void)ways, (void)count, (void)how;
    return fail(err, "a suite cannot be foreseen: use --reduction none, sleep or source");
}

static int await_none(void *self, uint32_t *wrong, uint32_t *right, struct arrival *a, struct err *err)
{
    (void)self, (void)wrong, (void)right, (void)a;
    return fail(err, "a suite cannot be foreseen: use --reduction none, sleep or source");
}

static bool name(void *self, uint32_t object, char *out, size_t room)
{
    const struct suite *suite = ((struct stage *)self)->theatre->suite;
    bool interface = object < suite->interface_count;
    const char *its = interface ? suite->interfaces[object] : suite->semaphores[object - suite->interface_count].name;
    snprintf(out, room, "%s", *its ? its : "box");
    return true;
}

/* ---- the starter ---- */

static struct created *objects(const struct suite *suite)
{
    uint32_t count = suite->interface_count + suite->semaphore_count;
    struct created *all = memory_get(count * sizeof *all);
    for (uint32_t i = 0; i < suite->interface_count; i++)
        all[i] = (struct created){ .type = TYPE_ACCESS, .number = i, .index = -1, .address = 1 + i, .host = -1 };
    for (uint32_t i = 0; i < suite->semaphore_count; i++)
        all[suite->interface_count + i] = (struct created){ .type = TYPE_COUNTER, .number = i, .index = -1, .host = -1,
                                                            .arg = { 0, suite->semaphores[i].value }, .address = 0x1000 + i };
    return all;
}

static void *start_stage(void *self, const struct history *history, struct texts *texts, struct start *start, int output, struct err *err)
{
    (void)err;
    struct stage *s = memory_get(sizeof *s);
    *s = (struct stage){ .theatre = self, .history = history, .texts = texts, .output = output };
    s->runner = (struct runner){ .self = s, .run = run, .send = run_none, .await = await_none, .name = name };
    s->objects = objects(s->theatre->suite);
    for (uint32_t i = 0; i < MAX_PROCESSES; i++)
        talk_init(&s->talks[i], -1);
    forget(s);
    *start = (struct start){ .processes = 1, .objects = s->objects, .group = true,
                             .object_count = s->theatre->suite->interface_count + s->theatre->suite->semaphore_count };
    start->first[0].op = process_op(PROCESS_START, 0);
    return s;
}

static void stop_stage(void *program)
{
    struct stage *s = program;
    if (s->theatre->live == s) {
        s->theatre->live = NULL;
        box_end(&s->theatre->box);
    }
    forget(s);
    free(s->objects);
    free(s->ran);
    free(s);
}

static const struct runner *runner_of(void *program) { return &((struct stage *)program)->runner; }
static struct starter_counts counts_of(void *program) { return ((struct stage *)program)->counts; }

static char *promise(void *self)
{
    struct theatre *t = self;
    return prose_make("Under control were the %u driver%s: their choices, and the order of their steps. What the black box does by itself "
                      "(its threads, its clock, its random numbers) was not; it was put back %llu times.", t->suite->driver_count,
                      t->suite->driver_count == 1 ? "" : "s", (unsigned long long)t->runs);
}

static char *varied_words(void *self)
{
    struct theatre *t = self;
    if (!t->varied)
        return NULL;
    return prose_make("nondeterminism of the black box: %llu time%s in %llu runs the same steps of the drivers led elsewhere than before; "
                      "the first time a driver came to [%s], and when the same steps were run again to [%s]", (unsigned long long)t->varied,
                      t->varied == 1 ? "" : "s", (unsigned long long)t->runs, t->was, t->is);
}

struct theatre *theatre_open(const struct suite *suite, const struct warden_home *home, const volatile int *interrupt, struct err *err)
{
    struct theatre *t = memory_get(sizeof *t);
    *t = (struct theatre){ .suite = suite, .interrupt = interrupt };
    if (box_open(&t->box, suite, home, interrupt, err) >= 0)
        return t;
    theatre_close(t);
    return NULL;
}

void theatre_close(struct theatre *t)
{
    if (!t)
        return;
    box_close(&t->box);
    answers_fini(&t->answers);
    free(t->was);
    free(t->is);
    free(t);
}

struct starter theatre_starter(struct theatre *t)
{
    return (struct starter){ .self = t, .start = start_stage, .runner = runner_of, .counts = counts_of, .stop = stop_stage,
                             .promise = promise, .varied = varied_words };
}

