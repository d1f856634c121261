/* SPDX-License-Identifier: MIT */
#include "simulator/chart.h"

#include "base/memory.h"
#include "simulator/pen.h"

#include <stdlib.h>
#include <string.h>

enum {
    MARGIN = 16, NUMBERS = 34,               /* left of the first lane: numbers of the steps */
    HEAD_HEIGHT = 24, TITLE_HEIGHT = 32,
    ROW_HEIGHT = 24, NOTE_HEIGHT = 14, BASE = 12,        /* BASE: where in its row an event is */
    ABOVE = 12,                              /* between heads and rows */
    LABEL_AT = 18, CHARACTER = 7,            /* of the monospaced font, rounded up */
    BAR_WIDTH = 8, BARS = 4,                 /* side by side, at most */
    MOST_COLUMNS = 60, LEAST_COLUMNS = 10, MOST_NOTES = 20, MOST_LABEL = 8,
    PAPER_WIDTH = 595, PAPER_HEIGHT = 842, PAPER_MARGIN = 36, LEAST_SCALE = 550,
};
#define NOWHERE UINT32_MAX

struct hold { uint32_t from, to; int lane, slot; unsigned pattern; };    /* events; to == count: to the end */

struct layout {
    const struct chart *chart;
    size_t              columns;             /* of a label, at most */
    int                *x;                   /* of each lane's line, and behind the last lane */
    int                *y;                   /* where each row begins, and the end of the last; below the heads it is 0 */
    uint32_t            rows;                /* one for each event, and one for the condition */
    int                 top;                 /* height of title and heads */
    struct hold        *holds;
    uint32_t            hold_count;
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- lines of a text ---- */

/* The next line of `text`, at most so many characters; false: there is no more. */
static bool next_line(const char **text, size_t columns, const char **line, size_t *length)
{
    const char *at = *text, *end = at + strcspn(at, "\n"), *blank = NULL;
    size_t used = 0;
    if (!*at)
        return false;
    for (; at < end && used < columns; used++) {
        if (*at == ' ')
            blank = at;
        pen_character(&at, end);
    }
    if (at < end && blank && blank > *text)
        at = blank;
    *line = *text;
    *length = (size_t)(at - *text);
    *text = at + (*at == '\n' || (at < end && *at == ' '));
    return true;
}

static uint32_t count_lines(const char *text, size_t columns)
{
    const char *line;
    size_t length;
    uint32_t count = 0;
    while (text && next_line(&text, columns, &line, &length))
        count++;
    return count;
}

static uint32_t lines_of(const struct layout *l, const char *text, uint32_t most)
{
    uint32_t lines = count_lines(text, l->columns);
    return lines < most ? lines : most;
}

static uint32_t note_lines(const struct layout *l, const struct chart_event *e) { return lines_of(l, e->notes, MOST_NOTES); }

static uint32_t label_lines(const struct layout *l, const struct chart_event *e)
{
    return *e->text ? lines_of(l, e->text, MOST_LABEL) : 1;
}

/* ---- holds ---- */

/* Of a take or a give. */
struct use { uint32_t object, event; };

static int compare_uses(const void *a, const void *b)
{
    const struct use *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

static uint32_t find_uses(const struct chart *c, struct use *uses)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->events[i].object != NOWHERE && (c->events[i].role == CHART_TAKE || c->events[i].role == CHART_GIVE))
            uses[count++] = (struct use){ c->events[i].object, i };
    qsort(uses, count, sizeof *uses, compare_uses);
    return count;
}

/* From the last use of an object to the first: the next give of each process, and of any. */
static void pair_uses(const struct chart *c, const struct use *uses, uint32_t count, uint32_t *ends)
{
    uint32_t *own = memory_get(((size_t)c->lane_count + 1) * sizeof *own), any = NOWHERE;
    for (uint32_t i = count; i-- > 0;) {
        const struct chart_event *e = &c->events[uses[i].event];
        if (i + 1 == count || uses[i + 1].object != uses[i].object) {
            memset(own, 0xff, ((size_t)c->lane_count + 1) * sizeof *own);
            any = NOWHERE;
        }
        if (e->role == CHART_GIVE) {
            own[e->process] = any = uses[i].event;
            continue;
        }
        uint32_t end = own[e->process] != NOWHERE ? own[e->process] : any;
        ends[uses[i].event] = end != NOWHERE ? end : c->count;
    }
    free(own);
}

/* Bars of one lane that overlap stand side by side, while there is room. */
static void place_holds(struct layout *l, const uint32_t *ends)
{
    const struct chart *c = l->chart;
    uint32_t (*busy)[BARS] = memory_get(((size_t)c->lane_count + 1) * sizeof *busy);     /* until which event, + 1 */
    for (uint32_t i = 0; i < c->count; i++) {
        if (ends[i] == NOWHERE)
            continue;
        int lane = c->events[i].process, slot = 0;
        while (slot < BARS - 1 && busy[lane][slot] > i)
            slot++;
        busy[lane][slot] = ends[i] + 1;
        l->holds[l->hold_count++] = (struct hold){ i, ends[i], lane, slot, c->events[i].object % PEN_PATTERNS };
    }
    free(busy);
}

static void lay_out_holds(struct layout *l)
{
    const struct chart *c = l->chart;
    struct use *uses = memory_get(((size_t)c->count + 1) * sizeof *uses);
    uint32_t *ends = memory_get(((size_t)c->count + 1) * sizeof *ends);
    memset(ends, 0xff, ((size_t)c->count + 1) * sizeof *ends);
    l->holds = memory_get(((size_t)c->count + 1) * sizeof *l->holds);
    uint32_t count = find_uses(c, uses);
    pair_uses(c, uses, count, ends);
    place_holds(l, ends);
    free(uses);
    free(ends);
}

/* ---- lanes and rows ---- */

static void widen(size_t *width, size_t columns, size_t most)
{
    columns = smaller(columns, most);
    if (columns > *width)
        *width = columns;
}

/* A lane is as wide as what is written in it. */
static void lay_out_lanes(struct layout *l)
{
    const struct chart *c = l->chart;
    size_t *width = memory_get(((size_t)c->lane_count + 1) * sizeof *width);
    for (int i = 0; i < c->lane_count; i++)
        widen(&width[i], pen_columns(c->lanes[i], strlen(c->lanes[i])) + 2, l->columns);
    for (uint32_t i = 0; i < c->count; i++) {
        const struct chart_event *e = &c->events[i];
        const char *text = e->notes, *line;
        size_t length;
        widen(&width[e->process], pen_columns(e->text, strlen(e->text)), l->columns);
        while (text && next_line(&text, l->columns, &line, &length))
            widen(&width[e->process], pen_columns(line, length), l->columns);
    }
    int x = MARGIN + NUMBERS + (BARS - 1) * BAR_WIDTH;
    for (int i = 0; i < c->lane_count; i++) {
        l->x[i] = x;
        x += LABEL_AT + (int)width[i] * CHARACTER + 2 * MARGIN + (BARS - 1) * BAR_WIDTH;
    }
    l->x[c->lane_count] = x - (BARS - 1) * BAR_WIDTH;
    free(width);
}

static int width_of(const struct layout *l)
{
    enum { LEAST = 360 };
    int width = l->x[l->chart->lane_count];
    return width > LEAST ? width : LEAST;
}

static size_t condition_columns(const struct layout *l)
{
    return (size_t)(width_of(l) - 4 * MARGIN) / CHARACTER;
}

static void lay_out_rows(struct layout *l)
{
    const struct chart *c = l->chart;
    int y = ABOVE;
    for (uint32_t i = 0; i < c->count; i++) {
        l->y[i] = y;
        y += ROW_HEIGHT + (int)(label_lines(l, &c->events[i]) - 1 + note_lines(l, &c->events[i])) * NOTE_HEIGHT;
    }
    l->rows = c->count;
    l->y[c->count] = y;
    if (c->condition)
        l->y[++l->rows] = y + ROW_HEIGHT + 16 + (int)count_lines(c->condition, condition_columns(l)) * NOTE_HEIGHT;
    l->top = 8 + (c->title ? TITLE_HEIGHT : 0) + HEAD_HEIGHT;
}

static void layout_init(struct layout *l, const struct chart *c, size_t columns)
{
    *l = (struct layout){ .chart = c, .columns = columns };
    l->x = memory_get(((size_t)c->lane_count + 1) * sizeof *l->x);
    l->y = memory_get(((size_t)c->count + 2) * sizeof *l->y);
    lay_out_lanes(l);
    lay_out_rows(l);
    lay_out_holds(l);
}

static void layout_fini(struct layout *l)
{
    free(l->x);
    free(l->y);
    free(l->holds);
}

/* ---- drawing: rows `from` to before `to`, the first of them right below the heads ---- */

struct view { const struct layout *layout; struct pen *pen; uint32_t from, to; int shift; };

static int row_y(const struct view *v, uint32_t row)
{
    return v->layout->y[row] + v->shift;
}

static int event_y(const struct view *v, uint32_t event)
{
    return row_y(v, event) + BASE;
}

static void draw_heads(const struct view *v)
{
    const struct layout *l = v->layout;
    const struct chart *c = l->chart;
    int y = l->top - HEAD_HEIGHT;
    if (c->title)
        v->pen->text(v->pen, PEN_TITLE, MARGIN, 26, c->title, strlen(c->title), (size_t)width_of(l) / 9);
    for (int i = 0; i < c->lane_count; i++) {
        size_t length = strlen(c->lanes[i]), columns = smaller(pen_columns(c->lanes[i], length), l->columns);
        v->pen->box(v->pen, PEN_HEAD, l->x[i] - 12, y, (int)columns * CHARACTER + 24, HEAD_HEIGHT);
        v->pen->text(v->pen, PEN_NAME, l->x[i], y + 16, c->lanes[i], length, l->columns);
    }
}

static void draw_grid(const struct view *v)
{
    const struct layout *l = v->layout;
    uint32_t events = v->to < l->chart->count ? v->to : l->chart->count;
    for (uint32_t i = v->from; i < events; i++)
        v->pen->line(v->pen, PEN_ROW, MARGIN + NUMBERS, event_y(v, i), width_of(l) - MARGIN, event_y(v, i));
    for (int i = 0; i < l->chart->lane_count; i++)
        v->pen->line(v->pen, PEN_LANE, l->x[i], l->top, l->x[i], row_y(v, events));
}

static void draw_holds(const struct view *v)
{
    const struct layout *l = v->layout;
    for (uint32_t i = 0; i < l->hold_count; i++) {
        const struct hold *h = &l->holds[i];
        uint32_t end = v->to < l->chart->count ? v->to : l->chart->count;
        if (h->to < v->from || h->from >= v->to)
            continue;
        int top = h->from < v->from ? l->top : event_y(v, h->from);
        int bottom = h->to < end ? event_y(v, h->to) : row_y(v, end);
        v->pen->bar(v->pen, h->pattern, l->x[h->lane] - BAR_WIDTH / 2 - h->slot * BAR_WIDTH, top, BAR_WIDTH, bottom - top);
    }
}

/* From each of these events to the one at `to`. */
static void draw_arrows_to(const struct view *v, enum pen_arrow style, const uint32_t *from, uint32_t count, uint32_t to)
{
    const struct layout *l = v->layout;
    const struct chart_event *events = l->chart->events;
    for (uint32_t k = 0; k < count; k++)
        if (from[k] < to && from[k] < v->to)
            v->pen->arrow(v->pen, style, l->x[events[from[k]].process], event_y(v, from[k]), l->x[events[to].process], event_y(v, to));
}

static void draw_arrows(const struct view *v)
{
    const struct chart *c = v->layout->chart;
    for (uint32_t i = v->from; i < c->count; i++) {
        draw_arrows_to(v, PEN_MESSAGE, c->events[i].from, c->events[i].from_count, i);
        draw_arrows_to(v, PEN_RACE, c->events[i].raced, c->events[i].raced_count, i);
    }
}

/* So many lines of the text, the first one at y. Gives where the next would be. */
static int draw_lines(const struct view *v, enum pen_text kind, int lane, int y, const char *text, uint32_t lines)
{
    const char *line;
    size_t length, columns = v->layout->columns;
    for (; lines && next_line(&text, columns, &line, &length); lines--, y += NOTE_HEIGHT) {
        bool dropped = lines == 1 && *text;
        v->pen->text(v->pen, kind, v->layout->x[lane] + LABEL_AT, y, dropped ? "..." : line, dropped ? 3 : length, columns);
    }
    return y;
}

static void draw_event(const struct view *v, uint32_t i)
{
    const struct chart_event *e = &v->layout->chart->events[i];
    char number[16];
    int x = v->layout->x[e->process], y = event_y(v, i);
    bool passes = e->role == CHART_SEND || e->role == CHART_RECEIVE;
    size_t length = (size_t)snprintf(number, sizeof number, "%u", i + 1);
    v->pen->text(v->pen, PEN_NUMBER, MARGIN + NUMBERS - 8, y + 3, number, length, length);
    v->pen->dot(v->pen, passes ? PEN_FULL : PEN_PLAIN, x, y);
    y = draw_lines(v, PEN_LABEL, e->process, y + 5, e->text, label_lines(v->layout, e));
    draw_lines(v, PEN_NOTE, e->process, y, e->notes ? e->notes : "", note_lines(v->layout, e));
}

static void draw_condition(const struct view *v)
{
    const struct layout *l = v->layout;
    const char *text = l->chart->condition, *line;
    size_t length;
    int y = row_y(v, l->chart->count) + 10;
    v->pen->box(v->pen, PEN_ALARM, MARGIN, y, width_of(l) - 2 * MARGIN, row_y(v, l->rows) - y - 6);
    for (y += 7; next_line(&text, condition_columns(l), &line, &length); ) {
        y += NOTE_HEIGHT;
        v->pen->text(v->pen, PEN_WRONG, 2 * MARGIN, y, line, length, condition_columns(l));
    }
}

static void draw(const struct layout *l, struct pen *pen, uint32_t from, uint32_t to)
{
    struct view v = { l, pen, from, to, l->top - l->y[from] + ABOVE };
    draw_grid(&v);
    draw_holds(&v);
    draw_arrows(&v);
    draw_heads(&v);
    for (uint32_t i = from; i < to && i < l->chart->count; i++)
        draw_event(&v, i);
    if (to > l->chart->count)
        draw_condition(&v);
}

/* ---- two ways to write it ---- */

void chart_svg(const struct chart *c, FILE *out)
{
    struct layout l;
    struct pen pen = pen_svg(out, c->color);
    layout_init(&l, c, MOST_COLUMNS);
    pen_svg_begin(&pen, width_of(&l), l.top + l.y[l.rows] + MARGIN, c->title);
    draw(&l, &pen, 0, l.rows);
    pen_svg_end(&pen);
    layout_fini(&l);
}

/* Labels get narrower, and take more lines, before the letters become too small to read. */
static void layout_for_paper(struct layout *l, const struct chart *c)
{
    for (size_t columns = MOST_COLUMNS; ; columns = columns * 3 / 4) {
        layout_init(l, c, columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns);
        if (columns <= LEAST_COLUMNS || width_of(l) * LEAST_SCALE <= (PAPER_WIDTH - 2 * PAPER_MARGIN) * 1000)
            return;
        layout_fini(l);
    }
}

/* The row behind the last one of the page that begins with `from`. */
static uint32_t page_end(const struct layout *l, uint32_t from, int room)
{
    uint32_t to = from + 1;
    while (to < l->rows && l->top + ABOVE + l->y[to + 1] - l->y[from] <= room)
        to++;
    return to < l->rows ? to : l->rows;
}

static void draw_page(const struct layout *l, struct pen *pen, int number, int scale, uint32_t from, uint32_t to)
{
    int height = l->top + ABOVE + l->y[to] - l->y[from];
    pen_ps_page(pen, number, scale, PAPER_MARGIN, PAPER_MARGIN);
    fprintf(pen->out, "0 %d %d %d rectclip\n", -height, width_of(l), height);
    draw(l, pen, from, to);
    pen_ps_page_end(pen);
}

void chart_ps(const struct chart *c, FILE *out)
{
    struct layout l;
    struct pen pen = pen_ps(out, c->color);
    layout_for_paper(&l, c);
    int scale = (PAPER_WIDTH - 2 * PAPER_MARGIN) * 1000 / width_of(&l), pages = 0;
    scale = scale > 1000 ? 1000 : scale;
    int room = (int)((PAPER_HEIGHT - 2 * PAPER_MARGIN) * 1000L / (scale ? scale : 1));
    for (uint32_t from = 0; from < l.rows || !pages; from = page_end(&l, from, room))
        pages++;
    pen_ps_begin(&pen, pages, c->title);
    uint32_t from = 0;
    for (int i = 1; i <= pages; i++) {
        uint32_t to = page_end(&l, from, room);
        draw_page(&l, &pen, i, scale, from, to);
        from = to;
    }
    pen_ps_end(&pen);
    layout_fini(&l);
}
