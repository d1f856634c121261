/* SPDX-License-Identifier: MIT */
#include "report/table.h"

#include "report/prose.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 5, STEP = 4, GAP = 2, UNKNOWN_WIDTH = 120 };     /* columns; UNKNOWN_WIDTH: not a terminal */
enum { LIST_LANE = 64 };                         /* columns: longer lines of a list push their location to the right */
enum { WHOLE = 80, FIRST = 20, LAST = 40 };      /* lines: of a longer story only the first and the last are shown */

struct table {
    FILE               *out;
    const struct error *error;
    struct look         look;
    int                 lane[MAX_PROCESSES + 1];         /* of each process (counts from 1): from 0, -1: none */
    int                 who[MAX_PROCESSES];              /* the process of each lane */
    size_t              width[MAX_PROCESSES];
    int                 lanes;
    bool                list;                            /* one lane for all */
};

static void widen(size_t *width, const char *text)
{
    size_t columns = prose_columns(text);
    if (columns > *width)
        *width = columns;
}

/* Each line of a text with several: calls body with `line` (length bytes). */
#define EACH_LINE(text, line, length) \
    for (const char *line = (text); line && *line; line += strcspn(line, "\n"), line += *line == '\n') \
        for (int length = (int)strcspn(line, "\n"), once = 1; once; once = 0)

static void measure_line(struct table *t, const struct line *line)
{
    size_t *width = &t->width[t->list ? 0 : t->lane[line->process]];
    widen(width, line->text);
    EACH_LINE(line->notes, note, length)
        if ((size_t)length + 3 > *width)
            *width = (size_t)length + 3;
}

static void measure(struct table *t)
{
    memset(t->width, 0, sizeof t->width);
    if (!t->list)
        for (int i = 0; i < t->lanes; i++)
            t->width[i] = sizeof "process 00" - 1;
    for (uint32_t i = 0; i < t->error->line_count; i++)
        measure_line(t, &t->error->lines[i]);
    if (t->list && t->width[0] > LIST_LANE)
        t->width[0] = LIST_LANE;
}

static void give_lanes(struct table *t)
{
    bool takes_part[MAX_PROCESSES + 1] = { false };
    for (uint32_t i = 0; i < t->error->line_count; i++)
        takes_part[t->error->lines[i].process] = true;
    for (int p = 1; p <= MAX_PROCESSES; p++) {
        t->lane[p] = takes_part[p] ? t->lanes : -1;
        if (takes_part[p])
            t->who[t->lanes++] = p;
    }
}

static bool fits(const struct table *t)
{
    size_t total = INDENT + STEP, location = 0;
    for (int i = 0; i < t->lanes; i++)
        total += GAP + t->width[i];
    for (uint32_t i = 0; i < t->error->line_count; i++)
        if (t->error->lines[i].location)
            widen(&location, t->error->lines[i].location);
    return total + GAP + location <= (size_t)(t->look.width ? t->look.width : UNKNOWN_WIDTH);
}

static void pad(const struct table *t, size_t columns)
{
    fprintf(t->out, "%*s", (int)columns, "");
}

/* Text in the lane of its process, and blanks up to the end of the last lane when more follows. */
static void in_lane(const struct table *t, int process, const char *text, int length, const char *location)
{
    int lane = t->list ? 0 : t->lane[process], lanes = t->list ? 1 : t->lanes;
    char *cell = prose_make("%.*s", length, text);
    size_t used = prose_columns(cell);
    for (int i = 0; i < lane; i++)
        pad(t, GAP + t->width[i]);
    pad(t, GAP);
    fputs(cell, t->out);
    free(cell);
    if (location) {
        pad(t, used < t->width[lane] ? t->width[lane] - used : 0);
        for (int i = lane + 1; i < lanes; i++)
            pad(t, GAP + t->width[i]);
        fprintf(t->out, "  %s%s%s", t->look.colour ? "\033[2m" : "", location, t->look.colour ? "\033[0m" : "");
    }
    fputc('\n', t->out);
}

static void start_line(const struct table *t, const struct line *line)
{
    const char *red = t->look.colour && line && !line->step ? "\033[1;31m" : "", *off = *red ? "\033[0m" : "";
    pad(t, INDENT);
    if (!line)
        pad(t, STEP);
    else if (line->step)
        fprintf(t->out, "%*u", STEP, line->step);
    else
        fprintf(t->out, "%s%*s%s", red, STEP, "!", off);
    if (t->list && line)
        fprintf(t->out, "%9d", line->process);
    else if (t->list)
        pad(t, 9);
}

static void print_line(const struct table *t, const struct line *line)
{
    start_line(t, line);
    in_lane(t, line->process, line->text, (int)strlen(line->text), line->location);
    EACH_LINE(line->notes, note, length) {
        char *text = prose_make("-- %.*s", length, note);
        start_line(t, NULL);
        in_lane(t, line->process, text, (int)strlen(text), NULL);
        free(text);
    }
}

static void print_head(const struct table *t)
{
    pad(t, INDENT);
    fprintf(t->out, "%*s", STEP, "step");
    if (t->list) {
        fprintf(t->out, "%9s\n", "process");
        return;
    }
    for (int i = 0; i < t->lanes; i++) {
        int used = fprintf(t->out, "%*sprocess %d", GAP, "", t->who[i]);
        if (i + 1 < t->lanes)
            pad(t, GAP + t->width[i] - (size_t)used);
    }
    fputc('\n', t->out);
}

static void print_lines(const struct table *t)
{
    uint32_t count = t->error->line_count;
    for (uint32_t i = 0; i < count; i++) {
        if (count > WHOLE && i == FIRST) {
            pad(t, INDENT);
            fprintf(t->out, "%*s  %u transitions more; the scenario file has them all\n", STEP, "...", count - FIRST - LAST);
            i = count - LAST;
        }
        print_line(t, &t->error->lines[i]);
    }
}

void table_print(FILE *out, const struct error *error, struct look look)
{
    struct table t = { .out = out, .error = error, .look = look };
    if (!error->line_count)
        return;
    give_lanes(&t);
    measure(&t);
    if (!fits(&t)) {
        t.list = true;
        measure(&t);
    }
    print_head(&t);
    print_lines(&t);
}
