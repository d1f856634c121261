/* SPDX-License-Identifier: MIT */
#include "report/outcome.h"

#include "base/memory.h"
#include "base/prose.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void raced_fini(struct raced *raced)
{
    free(raced->variable);
    for (int i = 0; i < 2; i++) {
        free(raced->by[i].location);
        free(raced->by[i].stack);
    }
}

void outcome_error_fini(struct error *error)
{
    raced_fini(&error->raced);
    for (uint32_t i = 0; i < error->line_count; i++) {
        free(error->lines[i].text);
        free(error->lines[i].notes);
        free(error->lines[i].location);
    }
    free(error->lines);
    for (int p = 0; p < MAX_PROCESSES; p++)
        free(error->threads[p]);
    free(error->location);
    free(error->message);
    free(error->explanation);
    free(error->function);
    free(error->scenario);
}

void outcome_put(struct outcome *outcome, uint32_t at, const struct error *error)
{
    assert(at <= outcome->finding_count && error->counts_as < COUNTS_AS_COUNT);
    if (at == outcome->finding_count) {
        ARRAY_GROW(outcome->findings, outcome->finding_count, outcome->finding_room);
        outcome->finding_count++;
    } else {
        assert(outcome->counted[outcome->findings[at].counts_as]);
        outcome->counted[outcome->findings[at].counts_as]--;
        outcome_error_fini(&outcome->findings[at]);
    }
    outcome->findings[at] = *error;
    outcome->counted[error->counts_as]++;
}

void outcome_suppress(struct outcome *outcome, struct raced *raced)
{
    assert(raced->variable);
    ARRAY_GROW(outcome->suppressed, outcome->suppressed_count, outcome->suppressed_room);
    outcome->suppressed[outcome->suppressed_count++] = *raced;
    *raced = (struct raced){ 0 };
}

static void add_line(char **lines, const char *line)
{
    char *old = *lines;
    *lines = old ? prose_make("%s\n%s", old, line) : prose_make("%s", line);
    free(old);
}

void outcome_warn(struct outcome *outcome, const char *format, ...)
{
    char line[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    add_line(&outcome->warnings, line);
}

void outcome_note(struct outcome *outcome, const char *line)
{
    if (!outcome->notes || !strstr(outcome->notes, line))
        add_line(&outcome->notes, line);
}

char *outcome_file(const struct job *job, const char *name)
{
    const char *folder = job->output && *job->output ? job->output : ".";
    if (!strcmp(folder, "."))
        return prose_make("%s", name);
    return prose_make("%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
}

void outcome_fini(struct outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->finding_count; i++)
        outcome_error_fini(&outcome->findings[i]);
    for (uint32_t i = 0; i < outcome->suppressed_count; i++)
        raced_fini(&outcome->suppressed[i]);
    free(outcome->suppressed);
    free(outcome->findings);
    free(outcome->objects);
    free(outcome->shared);
    free(outcome->no_certificate);
    free(outcome->state_space);
    free(outcome->warnings);
    free(outcome->notes);
    for (uint32_t i = 0; i < outcome->driver_count; i++)
        free(outcome->drivers[i].name);
    free(outcome->drivers);
    free(outcome->says.promise);
    free(outcome->says.was);
    free(outcome->says.is);
    free(outcome->says.untested);
    free(outcome->says.unheard);
    free(outcome->says.silent);
    free(outcome->counts);
    free(outcome->whole);
    free(outcome->round);
    free(outcome->unseen);
    *outcome = (struct outcome){ 0 };
}
