/* What can be done: a job with its argument, and what comes of it. Both travel as the payload of a frame.
 * SPDX-License-Identifier: MIT */
#ifndef JOB_H
#define JOB_H

#include "protocol.h"

enum job_kind {
    JOB_SUM,                         /* 1 + 2 + ... + number */
    JOB_REVERSE,                     /* the text backwards */
    JOB_FAIL,                        /* cannot be done */
    JOB_CRASH,                       /* kills its worker, at every attempt */
    JOB_KINDS
};

enum { JOB_TEXT = 64 };

struct job {
    enum job_kind kind;
    uint32_t      number;            /* of JOB_SUM */
    char          text[JOB_TEXT];    /* of JOB_REVERSE; ends with 0 */
};

struct result {
    enum outcome { RESULT_DONE, RESULT_FAILED, RESULT_LOST } outcome;    /* LOST: its workers died */
    uint32_t number;
    char     text[JOB_TEXT];         /* of JOB_REVERSE, or why it failed */
};

const char *job_name(enum job_kind);

void job_to_frame(const struct job *, uint32_t id, struct frame *);
int  job_from_frame(const struct frame *, struct job *);         /* 0 or -EPROTO */
void job_execute(const struct job *, struct result *);           /* in the worker; may not return */
void result_to_frame(const struct result *, uint32_t id, struct frame *);
int  result_from_frame(const struct frame *, struct result *);   /* 0 or -EPROTO */

#endif
