/* The server: takes jobs, has a crew of worker processes do them, and hands out the results as they come.
 *
 * A worker that dies is replaced, and its job is tried again, up to a number of attempts. Workers may be told to end by
 * themselves after so many jobs (a way to live with libraries that leak).
 *
 * Invariant: each job that was submitted gets exactly one result.
 * SPDX-License-Identifier: MIT */
#ifndef SERVER_H
#define SERVER_H

#include "job.h"

struct server_options {
    unsigned workers;                /* from 1 to CREW_MOST */
    unsigned jobs_per_worker;        /* then it ends and is replaced; 0: never */
    unsigned attempts;               /* at a job whose workers die; at least 1 */
};

struct server_stats {
    unsigned long done, failed, lost;
    unsigned long hired;             /* workers started */
    unsigned long deaths;            /* those that ended without being asked to, and not after their last job */
    unsigned long retries;
};

struct server;

typedef void server_listener(uint32_t id, const struct job *, const struct result *, void *context);

int  server_new(struct server **, const struct server_options *);        /* gives; 0 or a negative errno */
void server_free(struct server *);                               /* dismisses the workers; NULL is fine */
int  server_submit(struct server *, const struct job *, uint32_t *id);   /* 0 or a negative errno */
/* Until all jobs have a result; the listener hears of each. 0, or a negative errno when the server cannot go on. */
int  server_run(struct server *, server_listener *, void *context);
struct server_stats server_statistics(const struct server *);

#endif
