/* The farm's page in the browser, and the daemon: work goes on beside. SPDX-License-Identifier: MIT */
#include "cli/farm_actions.h"

#include "cli/commands.h"
#include "farm/accounts.h"
#include "farm/queue.h"
#include "farm/site.h"

#include <errno.h>
#include <stdlib.h>

static int check_page(const struct site *site, struct err *err)
{
    return server_has_page(site) ? 0 : fail(err, "the page for the browser is not part of this build, because Node.js was missing when it was made; "
                                            "--once, --watch --no-page and the actions work without it");
}

static int serve(struct farm_context *c, struct work *w, struct daemon *watch, struct err *err)
{
    const struct farm_request *r = c->request;
    const struct gate_keeper keeper = accounts_keeper(c->farm.store);
    const struct server_settings settings = { .port = (int)r->port, .browser = !r->no_browser, .interrupt = c->model.lent.interrupt, .listen = r->listen,
                                              .keeper = r->listen ? &keeper : NULL };
    if (r->listen && !accounts_count(c->farm.store))
        return fail(err, "--listen %.60s: there are no accounts; make one: verisoft farm %s user add NAME --role editor", r->listen, r->harness);
    struct farm_site *s = farm_site_new(&c->farm, w, watch);
    struct site site = farm_site(s);
    int bad = check_page(&site, err);
    if (!bad)
        bad = server_run(&site, &settings, err);
    farm_site_free(s);
    return bad;
}

/* Without a page: what is pending, and then whatever changes, until somebody ends it. */
static int watch_on(struct farm_context *c, struct work *w, struct daemon *watch, struct err *err)
{
    enum { LOOK_EVERY = 200 };       /* milliseconds */
    int bad = 0;
    while (!bad && !*c->model.lent.interrupt) {
        bool news, looked;
        bad = work_step(w, LOOK_EVERY, &news, err);
        watch_step(watch, &c->farm, &looked);
    }
    return bad ? bad : -EINTR;
}

int farm_page(struct farm_context *c, int *status, struct err *err)
{
    const struct farm_request *r = c->request;
    const struct work_settings settings = { (int)r->memory, r->seconds, (int)r->trails };
    const struct mail_settings mail = { r->mail, r->mail_to, r->link };
    struct daemon *watch = NULL;
    int started = 0, bad = farm_take(&c->farm, err);
    (void)status;
    if (!bad && r->watch && !(watch = watch_new(&c->farm, &mail, err)))
        bad = -EINVAL;
    if (!bad && r->watch)
        bad = queue_start_all(&c->farm, QUEUE_AS_A_WHOLE, &started, err);
    struct crew *crew = bad ? NULL : farm_crew(c, err);
    struct work *w = crew ? work_new(&c->farm, crew, &settings) : NULL;
    if (!bad && !w)
        bad = -EINVAL;
    if (!bad)
        bad = r->no_page ? watch_on(c, w, watch, err) : serve(c, w, watch, err);
    work_free(w);
    watch_free(watch);
    return bad;
}
