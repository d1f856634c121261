/* SPDX-License-Identifier: MIT */
#include "tasks/tasks.h"

#include "base/memory.h"
#include "tasks/crew.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- a crew, wherever it is ---- */

void crew_free(struct crew *c)
{
    if (c)
        c->place->free(c);
}

uint32_t crew_room(const struct crew *c) { return c->place->room(c); }

int crew_start(struct crew *c, const struct crew_order *orders, uint32_t count, struct err *err)
{
    assert(count <= crew_room(c));
    return count ? c->place->start(c, orders, count, err) : 0;
}

void crew_stop(struct crew *c, uint64_t ticket) { c->place->stop(c, ticket); }

int crew_look(struct crew *c, int milliseconds, struct crew_ended *to, struct err *err) { return c->place->look(c, milliseconds, to, err); }

const char *crew_machine(const struct crew *c, uint64_t ticket) { return c->place->machine(c, ticket); }

/* ---- a list of tasks ---- */

enum { LOOK_EVERY = 200 };           /* milliseconds */

struct all {
    struct task                 *tasks;
    const struct tasks_settings *settings;
    struct crew                 *crew;
    uint32_t                     next, done, running;    /* the next to be begun; how many have ended */
    bool                         enough;
};

static void began(struct task *t)
{
    free(t->said);
    t->said = NULL;
    t->status = -1;
    t->tries++;
}

/* This one, and those behind it. */
static int start(struct all *a, uint32_t first, uint32_t count, struct err *err)
{
    struct crew_order *orders = memory_get((count + 1) * sizeof *orders);
    for (uint32_t i = 0; i < count; i++)
        orders[i] = (struct crew_order){ a->tasks[first + i].command, first + i };
    int bad = crew_start(a->crew, orders, count, err);
    for (uint32_t i = 0; !bad && i < count; i++)
        began(&a->tasks[first + i]);
    a->running += bad ? 0 : count;
    free(orders);
    return bad;
}

static int start_more(struct all *a, uint32_t count, struct err *err)
{
    uint32_t room = crew_room(a->crew), left = count - a->next, more = left < room ? left : room;
    int bad = start(a, a->next, more, err);
    a->next += bad ? 0 : more;
    return bad;
}

static int end(struct all *a, struct crew_ended *e, struct err *err)
{
    assert(a->running && e->ticket < a->next);
    struct task *t = &a->tasks[e->ticket];
    a->running--;
    free(t->said);
    t->said = e->said;
    if (e->status < 0 && t->tries < a->settings->tries)
        return start(a, (uint32_t)e->ticket, 1, err);
    if (e->status < 0)
        return fail(err, "task %u of it died by signal %d, %d times (%s)%s%.300s", (unsigned)e->ticket + 1, e->signal, t->tries, e->signal ? strsignal(e->signal) : "not its own",
                    t->said ? ": " : "", t->said ? t->said : "");
    t->status = e->status;
    a->done++;
    if (a->settings->ended && !a->settings->ended(a->settings->self, (uint32_t)e->ticket, a->done))
        a->enough = true;
    return 0;
}

int tasks_run(struct task *tasks, uint32_t count, const struct tasks_settings *settings, struct err *err)
{
    struct all a = { .tasks = tasks, .settings = settings, .crew = settings->crew ? settings->crew : crew_here(settings->jobs) };
    int rc = 0;
    while (rc >= 0 && !a.enough && (a.running || a.next < count)) {
        struct crew_ended ended;
        rc = start_more(&a, count, err);
        if (rc >= 0 && (rc = crew_look(a.crew, LOOK_EVERY, &ended, err)) > 0)
            rc = end(&a, &ended, err);
        if (rc >= 0 && settings->interrupt && *settings->interrupt)
            rc = -EINTR;
    }
    crew_free(a.crew);
    assert(rc < 0 || a.enough || a.done == count);
    return rc < 0 ? rc : 0;
}
