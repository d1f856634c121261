/* SPDX-License-Identifier: MIT */
#include "job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CRASH_STATUS = 70 };

const char *job_name(enum job_kind kind)
{
    static const char *const names[JOB_KINDS] = { "sum", "reverse", "fail", "crash" };
    return kind < JOB_KINDS ? names[kind] : "unknown";
}

/* ---- payloads: a byte, four bytes and a text ---- */

static void pack(struct frame *f, unsigned char first, uint32_t number, const char *text)
{
    size_t length = strnlen(text, JOB_TEXT - 1);
    f->payload[0] = first;
    for (int i = 0; i < 4; i++)
        f->payload[1 + i] = (unsigned char)(number >> 8 * i);
    memcpy(f->payload + 5, text, length);
    f->length = (uint16_t)(5 + length);
}

static int unpack(const struct frame *f, unsigned char *first, uint32_t *number, char *text)
{
    if (f->length < 5 || f->length - 5 >= JOB_TEXT)
        return -EPROTO;
    *first = f->payload[0];
    *number = 0;
    for (int i = 0; i < 4; i++)
        *number |= (uint32_t)f->payload[1 + i] << 8 * i;
    memcpy(text, f->payload + 5, (size_t)f->length - 5);
    text[f->length - 5] = '\0';
    return 0;
}

void job_to_frame(const struct job *job, uint32_t id, struct frame *f)
{
    f->kind = FRAME_JOB;
    f->job = id;
    pack(f, (unsigned char)job->kind, job->number, job->text);
}

int job_from_frame(const struct frame *f, struct job *job)
{
    unsigned char kind;
    if (f->kind != FRAME_JOB || unpack(f, &kind, &job->number, job->text) < 0 || kind >= JOB_KINDS)
        return -EPROTO;
    job->kind = kind;
    return 0;
}

void result_to_frame(const struct result *r, uint32_t id, struct frame *f)
{
    f->kind = r->outcome == RESULT_DONE ? FRAME_RESULT : FRAME_FAILURE;
    f->job = id;
    pack(f, 0, r->number, r->text);
}

int result_from_frame(const struct frame *f, struct result *r)
{
    unsigned char unused;
    if (f->kind != FRAME_RESULT && f->kind != FRAME_FAILURE)
        return -EPROTO;
    r->outcome = f->kind == FRAME_RESULT ? RESULT_DONE : RESULT_FAILED;
    return unpack(f, &unused, &r->number, r->text);
}

/* ---- the work ---- */

static void sum(const struct job *job, struct result *r)
{
    r->number = 0;
    for (uint32_t i = 1; i <= job->number; i++)
        r->number += i;
}

static void reverse(const struct job *job, struct result *r)
{
    size_t length = strlen(job->text);
    for (size_t i = 0; i < length; i++)
        r->text[i] = job->text[length - 1 - i];
    r->text[length] = '\0';
}

void job_execute(const struct job *job, struct result *r)
{
    memset(r, 0, sizeof *r);
    r->outcome = RESULT_DONE;
    switch (job->kind) {
    case JOB_SUM:
        sum(job, r);
        break;
    case JOB_REVERSE:
        reverse(job, r);
        break;
    case JOB_CRASH:
        _exit(CRASH_STATUS);
    default:
        r->outcome = RESULT_FAILED;
        snprintf(r->text, sizeof r->text, "%s cannot be done", job_name(job->kind));
    }
}
