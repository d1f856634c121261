/* The actions of the farm command: one line each in farm_actions. SPDX-License-Identifier: MIT */
#ifndef FARM_ACTIONS_H
#define FARM_ACTIONS_H

#include "cli/farm_model.h"
#include "cli/words.h"
#include "farm/edit.h"
#include "farm/view.h"
#include "tasks/tasks.h"

struct farm_action;

struct farm_request {
    const char               *harness, *database;
    const struct farm_action *action;                /* NULL: the page, or --once */
    struct words              names;                 /* behind the action */
    const char               *json, *junit, *sarif, *form, *mail, *mail_to, *link, *cluster, *listen, *role;
    struct view_filter        filter;
    enum edit_take            take;
    bool                      all, once, watch, no_browser, no_page;
    double                    jobs, memory, seconds, trails, port;
};

struct farm_context { const struct farm_request *request; struct farm_model model; struct farm farm; char *job_name; };       /* job_name: on a cluster; owned */

struct farm_action {
    const char *name;
    int         least, most;         /* words behind it; most -1: any number */
    int         file;                /* which of them is a file; -1: none */
    int       (*act)(struct farm_context *, int *status, struct err *);
};
extern const struct farm_action farm_actions[];      /* up to one without a name */

int farm_act(const struct farm_request *);           /* gives the exit status */
int farm_once(struct farm_context *, int *status, struct err *);
int farm_user(struct farm_context *, int *status, struct err *);         /* accounts */
int farm_page(struct farm_context *, int *status, struct err *);
struct crew *farm_crew(struct farm_context *, struct err *);     /* who works: here, or on a cluster; gives; NULL with err */
int farm_print(const struct farm_request *, const json_t *, struct err *);       /* where --json says */
void farm_say(const struct farm_context *, const json_t *list);  /* in words */

#endif
