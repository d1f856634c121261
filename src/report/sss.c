/* SPDX-License-Identifier: MIT */
#include "report/sss.h"

#include "base/memory.h"
#include "checks/checks.h"
#include "base/prose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1, BUFFER = 1 << 20, MEGABYTE = 1 << 20, LAST_LINE = 128 };

struct sss {
    const struct job *job;
    const struct run *run;
    char             *file;
    FILE             *out;
    uint64_t          size, limit;   /* bytes written, and that may be written before the last line */
    uint64_t          lost;          /* lines that found no room */
    uint64_t          state;         /* where the system is */
};

static void put(struct sss *sss, const char *line, size_t length)
{
    if (sss->lost || sss->size + length > sss->limit) {
        sss->lost++;
        return;
    }
    sss->size += length;
    assert(sss->size <= sss->limit);
    fwrite(line, 1, length, sss->out);
}

static void put_header(struct sss *sss)
{
    char *name = prose_make("%s", sss->job->name);
    prose_one_line(name);
    char *header = prose_make("verisoft-sss %d\nprogram: %s\nsearch: %s\nreduction: %s\nprocesses: %d\n", VERSION, name,
                              search_strategy_names[sss->job->search.strategy],
                              search_reduction_names[sss->job->search.reduction], sss->run->system->processes);
    sss->size = strlen(header);
    fwrite(header, 1, sss->size, sss->out);
    free(header);
    free(name);
}

struct sss *sss_open(const char *file, const struct job *job, const struct run *run, struct err *err)
{
    FILE *out = fopen(file, "w");
    if (!out) {
        fail_errno(err, "%s: the state space cannot be written", file);
        return NULL;
    }
    setvbuf(out, NULL, _IOFBF, BUFFER);
    struct sss *sss = memory_get(sizeof *sss);
    *sss = (struct sss){ .job = job, .run = run, .file = prose_make("%s", file), .out = out };
    sss->limit = job->max_sss * MEGABYTE > LAST_LINE ? job->max_sss * MEGABYTE - LAST_LINE : 0;
    put_header(sss);
    return sss;
}

int sss_close(struct sss *sss, struct err *err)
{
    int last;
    if (sss->lost)
        last = fprintf(sss->out, "end: cut short by max_sss, %llu more lines\n", (unsigned long long)sss->lost);
    else
        last = fprintf(sss->out, "end: complete\n");
    assert(last < LAST_LINE);        /* so the file does not grow beyond its bound */
    bool bad = ferror(sss->out);
    bad |= fclose(sss->out) != 0;
    int rc = bad ? fail_errno(err, "%s: the state space is not complete", sss->file) : 0;
    free(sss->file);
    free(sss);
    return rc;
}

static void start_again(struct sss *sss)
{
    fflush(sss->out);
    rewind(sss->out);
    if (ftruncate(fileno(sss->out), 0))
        return;                      /* not a file that can shrink (a pipe): the layers stand one after the other */
    sss->lost = 0;
    put_header(sss);
}

static void mark(struct sss *sss, const char *what, int process)
{
    char line[96];
    int length = process < 0
        ? snprintf(line, sizeof line, "state %llu: %s\n", (unsigned long long)sss->state, what)
        : snprintf(line, sizeof line, "state %llu: %s, process %d\n", (unsigned long long)sss->state, what, process + 1);
    assert((size_t)length < sizeof line);
    put(sss, line, (size_t)length);
}

static void mark_errors(struct sss *sss)
{
    const struct system *system = sss->run->system;
    enum error_kind kind;
    for (int p = 0; p < system->processes; p++)
        if (checks_process(system, p, &kind))
            mark(sss, search_error_names[kind], p);
    if (checks_deadlock(system))
        mark(sss, search_error_names[ERROR_DEADLOCK], -1);
}

void sss_state(struct sss *sss, uint64_t number, uint32_t depth)
{
    if (number == 0 && depth == 0)
        start_again(sss);
    sss->state = number;
    mark_errors(sss);
    if (system_aborted(sss->run->system))
        mark(sss, "abort", -1);
    else if (system_finished(sss->run->system))
        mark(sss, "end", -1);
}

void sss_transition(struct sss *sss, uint64_t from, uint64_t to, const struct step *step)
{
    sss->state = to;
    if (sss->lost) {
        sss->lost++;
        return;
    }
    const struct op *op = &sss->run->system->graphs[step->process].nodes[step->node].op;
    char *does = run_transition(sss->run, NULL, op, step->result);
    char *line = prose_make("%llu %llu %u %s\n", (unsigned long long)from, (unsigned long long)to, step->process + 1, does);
    put(sss, line, strlen(line));
    free(line);
    free(does);
}

void sss_livelock(struct sss *sss, int process)
{
    mark(sss, search_error_names[ERROR_LIVELOCK], process);
}
