/* SPDX-License-Identifier: MIT */
#include "report/table.h"

#include "base/memory.h"
#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, STEP = 4, GAP = 2, PROCESS = 9, HANG = 2 };   /* columns */
enum { LEAST_LANE = 16, LIST_LANE = 64 };        /* columns of a lane at least, of that of a list at most */
enum { WHOLE = 80, FIRST = 20, LAST = 40 };      /* lines: of a longer story only the first and the last are shown */

struct table {
    FILE               *out;
    const struct error *error;
    struct look         look;
    int                 lane[MAX_PROCESSES + 1];         /* of each process (counts from 1): from 0, -1: none */
    int                 who[MAX_PROCESSES];              /* the process of each lane */
    size_t              width[MAX_PROCESSES];            /* of each lane; what is longer goes on in the next line */
    size_t              least[MAX_PROCESSES];            /* its longest word */
    int                 lanes;
    bool                list;                            /* one lane for all */
    bool                brief;                           /* of the files' names only what tells them apart */
    bool                apart;                           /* that is the last part; else what is below .. */
    size_t              common;                          /* .. this folder: bytes of its name, with the slash */
    size_t              location;                        /* columns of the longest */
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

static int lane_of(const struct table *t, int process) { return t->list ? 0 : t->lane[process]; }

static void measure_words(struct table *t, int lane, const char *text)
{
    for (size_t word; *text; text += word + strspn(text + word, " ")) {
        char *one = prose_make("%*s%.*s", HANG, "", (int)(word = strcspn(text, " ")), text);
        widen(&t->least[lane], one);
        free(one);
    }
}

static void measure_line(struct table *t, const struct story_line *line)
{
    size_t *width = &t->width[lane_of(t, line->process)];
    widen(width, line->text);
    measure_words(t, lane_of(t, line->process), line->text);
    EACH_LINE(line->notes, note, length)
        if ((size_t)length + 3 > *width)
            *width = (size_t)length + 3;
}

/* As wide as the page lets it be. */
static size_t list_lane(const struct table *t)
{
    size_t others = INDENT + STEP + PROCESS + 2 * GAP + t->location, width = (size_t)t->look.width;
    if (!width || width >= others + LIST_LANE)
        return LIST_LANE;
    return width > others + LEAST_LANE ? width - others : LEAST_LANE;
}

static char *heading(const struct table *t, int lane)            /* process 2 (producer) */
{
    const char *thread = t->error->threads[t->who[lane] - 1];
    return prose_make(thread ? "process %d (%s)" : "process %d", t->who[lane], thread);
}

static void measure(struct table *t)
{
    memset(t->width, 0, sizeof t->width);
    for (int i = 0; !t->list && i < t->lanes; i++) {
        char *head = heading(t, i);
        t->width[i] = prose_columns(head);
        free(head);
    }
    for (uint32_t i = 0; i < t->error->line_count; i++)
        measure_line(t, &t->error->lines[i]);
    size_t most = list_lane(t);
    if (t->list && t->width[0] > most)
        t->width[0] = most;
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

/* ---- locations ---- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* NULL is fine. */
static const char *shown(const struct table *t, const char *location)
{
    if (!location || !t->brief)
        return location;
    return t->apart ? last_part(location) : location + t->common;
}

static void measure_locations(struct table *t)
{
    t->location = 0;
    for (uint32_t i = 0; i < t->error->line_count; i++)
        if (t->error->lines[i].location)
            widen(&t->location, shown(t, t->error->lines[i].location));
}

static bool same_file(const char *a, const char *b)
{
    size_t length = strcspn(a, ":");
    return length == strcspn(b, ":") && !strncmp(a, b, length);
}

/* The part of the folder that the other name has, too. */
static size_t shared_folder(const char *name, size_t folder, const char *other)
{
    size_t same = 0;
    for (size_t i = 0; i < folder && name[i] == other[i]; i++)
        same = name[i] == '/' ? i + 1 : same;
    return same;
}

static bool is_new(const char **files, uint32_t count, const char *one)
{
    while (count-- > 0)
        if (same_file(files[count], one))
            return false;
    return true;
}

/* What is enough of the files' names to tell them apart. */
static void look_at_files(struct table *t)
{
    const char **files = NULL;
    uint32_t count = 0, room = 0;
    t->apart = true;
    for (uint32_t i = 0; i < t->error->line_count; i++) {
        const char *one = t->error->lines[i].location;
        if (!one || !is_new(files, count, one))
            continue;
        t->common = shared_folder(one, count ? t->common : (size_t)(last_part(one) - one), count ? files[0] : one);
        for (uint32_t k = 0; k < count; k++)
            t->apart &= !same_file(last_part(files[k]), last_part(one));
        ARRAY_GROW(files, count, room);
        files[count++] = one;
    }
    free(files);
}

/* ---- does it fit? ---- */

static size_t total_width(const struct table *t)
{
    size_t total = INDENT + STEP;
    for (int i = 0; i < t->lanes; i++)
        total += GAP + t->width[i];
    return total + GAP + t->location;
}

/* The widest lane in which no word is as wide; -1: none. */
static int widest(const struct table *t)
{
    int lane = -1;
    for (int i = 0; i < t->lanes; i++)
        if (t->width[i] > t->least[i] && t->width[i] > LEAST_LANE && (lane < 0 || t->width[i] > t->width[lane]))
            lane = i;
    return lane;
}

static uint32_t lines_of(const struct table *t, const struct story_line *line)
{
    size_t width = t->width[lane_of(t, line->process)], part = prose_fitting(line->text, width);
    uint32_t lines = 1;
    for (const char *rest = line->text + part; *(rest += strspn(rest, " ")); rest += prose_fitting(rest, width - HANG))
        lines++;
    return lines;
}

/* What goes on in the next line is hard to read in several lanes, if there is much of it. */
static bool is_torn(const struct table *t)
{
    uint32_t count = t->error->line_count, lines = 0;
    for (uint32_t i = 0; i < count; i++)
        lines += lines_of(t, &t->error->lines[i]);
    return lines > count + 1 + count / 6;
}

/* Makes lanes narrower until they go side by side; false: they cannot. */
static bool fits(struct table *t)
{
    for (int lane; t->look.width && total_width(t) > (size_t)t->look.width; t->width[lane]--)
        if ((lane = widest(t)) < 0)
            return false;
    return !is_torn(t);
}

static bool try_to_fit(struct table *t, bool list, bool brief)
{
    t->list = list;
    t->brief = brief;
    measure_locations(t);
    measure(t);
    return t->list ? !t->look.width || INDENT + STEP + PROCESS + 2 * GAP + t->width[0] + t->location <= (size_t)t->look.width : fits(t);
}

/* Lanes side by side, else a list; and as much of the files' names as there is room for. */
static void choose(struct table *t)
{
    look_at_files(t);
    if (!try_to_fit(t, false, false) && !try_to_fit(t, false, true) && !(try_to_fit(t, true, false) && !is_torn(t)))
        try_to_fit(t, true, true);
}

static void pad(const struct table *t, size_t columns)
{
    fprintf(t->out, "%*s", (int)columns, "");
}

/* Text in the lane of its process, and blanks up to the end of the last lane when more follows. */
static void in_lane(const struct table *t, int process, const char *text, int length, const char *location)
{
    int lane = lane_of(t, process), lanes = t->list ? 1 : t->lanes;
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

static void start_line(const struct table *t, const struct story_line *line)
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
        fprintf(t->out, "%*d", PROCESS, line->process);
    else if (t->list)
        pad(t, PROCESS);
}

/* The rest of a text that is too long for its lane, from the place on where its first line ended. */
static void go_on(const struct table *t, int process, const char *text)
{
    while (*(text += strspn(text, " "))) {
        size_t part = prose_fitting(text, t->width[lane_of(t, process)] - HANG);
        char *cell = prose_make("%*s%.*s", HANG, "", (int)part, text);
        start_line(t, NULL);
        in_lane(t, process, cell, (int)strlen(cell), NULL);
        free(cell);
        text += part;
    }
}

static void print_line(const struct table *t, const struct story_line *line)
{
    size_t part = prose_fitting(line->text, t->width[lane_of(t, line->process)]);
    start_line(t, line);
    in_lane(t, line->process, line->text, (int)part, shown(t, line->location));
    go_on(t, line->process, line->text + part);
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
        fprintf(t->out, "%*s\n", PROCESS, "process");
        return;
    }
    for (int i = 0; i < t->lanes; i++) {
        char *head = heading(t, i);
        size_t columns = prose_columns(head);
        if (columns > t->width[i])
            columns = strcspn(head, "(") - 1;            /* the number is all that has room */
        fprintf(t->out, "%*s%.*s", GAP, "", (int)columns, head);
        if (i + 1 < t->lanes)
            pad(t, columns < t->width[i] ? t->width[i] - columns : 0);
        free(head);
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
    choose(&t);
    print_head(&t);
    print_lines(&t);
}
