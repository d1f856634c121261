/* A drawing of an automaton. States stand in a row, in the order in which they are reached, each with its name in the never claim: a
 * double frame for accepting ones. An edge to the next state is a straight arrow, one to the state itself a loop above; every
 * other edge leaves its state below, runs along a lane of its own and goes up to the state it leads to. So no label can lie on another
 * or on a state, however many there are:
 *
 *        p              q                     longer edges have deeper lanes, and at a state their feet are nearer to
 *       (_)            (_)                    its middle: the lanes of two edges of one state do not cross
 *     [init] --p--> [accept] --q--> [all]
 *      ^  \\___________q___________/^
 *      \\______!p______|
 *
 * Where states are told apart by whether they were reached, colour and frame do it, for eyes and printers without colours.
 * Lengths are whole pixels.
 * SPDX-License-Identifier: MIT */
#include "properties/buchi.h"

#include "base/memory.h"
#include "base/prose.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    LETTER = 7, LINE = 14,           /* width and height of a letter */
    BOX = 30,                        /* height of a state */
    FOOT = 12,                       /* from one edge below a state to the next */
    LOOP = 26,                       /* height of a loop */
    MARGIN = 24, AIR = 10, ARROW = 40,
    TITLE_COLUMNS = 100, MOST_EDGES = 300,
};

struct label { char *text; int lines, width; };              /* its lines end in \n */

struct drawn {
    const struct buchi_edge *edge;
    struct label label;
    enum { STRAIGHT, LOOPED, BELOW } how;
    int from_x, to_x;                /* BELOW: its feet */
    int lane, label_x;               /* BELOW: where it runs, and where its label is, in the middle */
};

struct drawing {
    const struct buchi *b;
    const char *title;
    const bool *reached;
    struct drawn *edges;
    int *x, *width;                  /* of each state: left end */
    int *lane_y, lanes;              /* where the line of a lane is */
    int top, bottom, right;          /* of the row of states; of the whole */
    int height;
    struct prose out;
};

static int largest(int a, int b) { return a > b ? a : b; }

/* ---- what is to be drawn ---- */

/* The guard, a line for each cube. */
static struct label label_of(const struct buchi *b, const struct buchi_edge *e)
{
    struct prose text = { 0 };
    struct label l = { 0 };
    for (uint32_t i = 0; i < e->count; i++) {
        const struct buchi_edge one = { e->from, e->to, e->first + i, 1 };
        char *cube = buchi_guard(b, &one);
        prose_add(&text, "%s%s\n", i ? "|| " : "", cube);
        l.width = largest(l.width, LETTER * (int)(strlen(cube) + (i ? 3 : 0)));
        l.lines++;
        free(cube);
    }
    l.text = prose_take(&text);
    return l;
}

static int height_of(const struct label *l) { return l->lines * LINE; }

static void list_edges(struct drawing *d)
{
    d->edges = memory_get(d->b->edge_count * sizeof *d->edges);
    for (uint32_t i = 0; i < d->b->edge_count; i++) {
        const struct buchi_edge *e = &d->b->edges[i];
        d->edges[i] = (struct drawn){ .edge = e, .label = label_of(d->b, e),
                                      .how = e->to == e->from ? LOOPED : e->to == e->from + 1 ? STRAIGHT : BELOW };
    }
}

static const struct drawn *find(const struct drawing *d, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < d->b->edge_count; i++)
        if (d->b->edges[i].from == from && d->b->edges[i].to == to)
            return &d->edges[i];
    return NULL;
}

static int label_width(const struct drawing *d, uint32_t from, uint32_t to)
{
    const struct drawn *e = from < d->b->state_count && to < d->b->state_count ? find(d, from, to) : NULL;
    return e ? e->label.width : 0;
}

/* ---- the row of states ---- */

static int feet_of(const struct drawing *d, uint32_t s)
{
    int feet = 0;
    for (uint32_t i = 0; i < d->b->edge_count; i++)
        feet += d->edges[i].how == BELOW && (d->b->edges[i].from == s || d->b->edges[i].to == s);
    return feet;
}

/* How far the label of its loop goes beyond a state, on each side. */
static int overhang(const struct drawing *d, uint32_t s)
{
    return largest(0, (label_width(d, s, s) - d->width[s] + 1) / 2);
}

/* Between a state and the next: room for the label of the arrow, and for those of their loops. */
static int gap_after(const struct drawing *d, uint32_t s)
{
    return largest(label_width(d, s, s + 1) + ARROW / 2, AIR) + overhang(d, s) + overhang(d, s + 1) + 2 * AIR;
}

static void place_states(struct drawing *d)
{
    uint32_t count = d->b->state_count;
    d->x = memory_get(count * sizeof *d->x);
    d->width = memory_get(count * sizeof *d->width);
    for (uint32_t s = 0; s < count; s++) {
        char *name = buchi_state(d->b, s);
        d->width[s] = largest(LETTER * (int)strlen(name) + 2 * AIR, FOOT * (feet_of(d, s) + 1));
        free(name);
    }
    d->x[0] = MARGIN + largest(ARROW, overhang(d, 0));
    for (uint32_t s = 0; s + 1 < count; s++)
        d->x[s + 1] = d->x[s] + d->width[s] + gap_after(d, s);
    d->right = d->x[count - 1] + d->width[count - 1] + overhang(d, count - 1);
}

static int middle(const struct drawing *d, uint32_t s) { return d->x[s] + d->width[s] / 2; }

/* ---- what goes below ---- */

static int span(const struct drawn *e) { return abs((int)e->edge->to - (int)e->edge->from); }

/* From left to right along the bottom of a state: edges to the left, short ones first, then edges to the right, long ones first. */
static int foot_order(const struct drawn *e, uint32_t s)
{
    int other = (int)(e->edge->from == s ? e->edge->to : e->edge->from) - (int)s;
    int order = other < 0 ? -other * 2 : 4000000 - other * 2;
    return order + (e->edge->to == s);
}

static void place_feet(struct drawing *d, uint32_t s)
{
    int feet = feet_of(d, s), start = middle(d, s) - FOOT * (feet - 1) / 2;
    for (uint32_t i = 0; i < d->b->edge_count; i++) {
        struct drawn *e = &d->edges[i];
        int before = 0;
        if (e->how != BELOW || (e->edge->from != s && e->edge->to != s))
            continue;
        for (uint32_t j = 0; j < d->b->edge_count; j++) {
            const struct drawn *f = &d->edges[j];
            before += f->how == BELOW && (f->edge->from == s || f->edge->to == s) && foot_order(f, s) < foot_order(e, s);
        }
        *(e->edge->from == s ? &e->from_x : &e->to_x) = start + FOOT * before;
    }
}

/* The stretch of a lane that an edge and its label need. */
static void stretch(const struct drawn *e, int *left, int *right)
{
    int centre = (e->from_x + e->to_x) / 2;
    int half = largest(abs(e->from_x - e->to_x), e->label.width) / 2 + AIR;
    *left = centre - half;
    *right = centre + half;
}

static bool lane_free(const struct drawing *d, const struct drawn *e, int lane)
{
    int left, right, l, r;
    stretch(e, &left, &right);
    for (uint32_t i = 0; i < d->b->edge_count; i++) {
        const struct drawn *f = &d->edges[i];
        if (f == e || f->how != BELOW || f->lane != lane)
            continue;
        stretch(f, &l, &r);
        if (left < r && l < right)
            return false;
    }
    return true;
}

/* Short edges choose first. */
static void choose_lanes(struct drawing *d)
{
    for (uint32_t i = 0; i < d->b->edge_count; i++)
        d->edges[i].lane = -1;
    for (int length = 1; length < (int)d->b->state_count; length++)
        for (uint32_t i = 0; i < d->b->edge_count; i++) {
            struct drawn *e = &d->edges[i];
            if (e->how != BELOW || span(e) != length)
                continue;
            int lane = 0;
            while (!lane_free(d, e, lane))
                lane++;
            e->lane = lane;
            d->lanes = largest(d->lanes, lane + 1);
        }
}

/* A lane is as high as its highest label, which stands above the line. */
static void place_lanes(struct drawing *d)
{
    d->lane_y = memory_get((size_t)d->lanes * sizeof *d->lane_y);
    d->height = d->bottom + AIR;
    for (int lane = 0; lane < d->lanes; lane++) {
        int high = 0;
        for (uint32_t i = 0; i < d->b->edge_count; i++)
            if (d->edges[i].lane == lane)
                high = largest(high, height_of(&d->edges[i].label));
        d->height += high + AIR;
        d->lane_y[lane] = d->height;
    }
    d->height += MARGIN;
}

/* Does an edge with a deeper lane pass the label, if its middle is at x? */
static bool crossed(const struct drawing *d, const struct drawn *e, int x)
{
    int near = e->label.width / 2 + LETTER / 2;
    for (uint32_t i = 0; i < d->b->edge_count; i++) {
        const struct drawn *f = &d->edges[i];
        if (f->how == BELOW && f->lane > e->lane && (abs(f->from_x - x) < near || abs(f->to_x - x) < near))
            return true;
    }
    return false;
}

/* In the middle of its line, or as near to it as nothing crosses it. */
static void place_label(const struct drawing *d, struct drawn *e)
{
    int centre = (e->from_x + e->to_x) / 2, room = (abs(e->from_x - e->to_x) - e->label.width) / 2 - LETTER;
    e->label_x = centre;
    for (int off = 0; off <= room; off += 2)
        for (int sign = -1; sign <= 1; sign += 2)
            if (!crossed(d, e, centre + sign * off)) {
                e->label_x = centre + sign * off;
                return;
            }
}

static void shift(struct drawing *d, int by)
{
    for (uint32_t s = 0; s < d->b->state_count; s++)
        d->x[s] += by;
    for (uint32_t i = 0; i < d->b->edge_count; i++) {
        d->edges[i].from_x += by;
        d->edges[i].to_x += by;
        d->edges[i].label_x += by;
    }
    d->right += by;
}

/* A label may be wider than its edge is long. */
static void make_room_beside(struct drawing *d)
{
    int most_left = MARGIN, l, r;
    for (uint32_t i = 0; i < d->b->edge_count; i++)
        if (d->edges[i].how == BELOW) {
            stretch(&d->edges[i], &l, &r);
            most_left = l < most_left ? l : most_left;
            d->right = largest(d->right, r);
        }
    shift(d, MARGIN - most_left);
    d->right += MARGIN;
}

static int title_lines(const char *title)
{
    int lines = 0;
    for (const char *at = title; at && *at; lines++) {
        size_t part = prose_fitting(at, TITLE_COLUMNS);
        at += part + strspn(at + part, " ");
    }
    return lines;
}

static int title_width(const char *title)
{
    size_t columns = title ? strlen(title) : 0;
    return (int)(columns < TITLE_COLUMNS ? columns : TITLE_COLUMNS) * (LETTER + 1) + 2 * MARGIN;
}

/* Above the row of states: loops and their labels, and labels of arrows between states. */
static int room_above(const struct drawing *d)
{
    int room = 0;
    for (uint32_t i = 0; i < d->b->edge_count; i++) {
        const struct drawn *e = &d->edges[i];
        if (e->how != BELOW)
            room = largest(room, height_of(&e->label) + (e->how == LOOPED ? LOOP : -BOX / 2));
    }
    return room;
}

static void lay_out(struct drawing *d)
{
    list_edges(d);
    place_states(d);
    d->top = MARGIN + title_lines(d->title) * (LINE + 4) + room_above(d) + AIR;
    d->bottom = d->top + BOX;
    for (uint32_t s = 0; s < d->b->state_count; s++)
        place_feet(d, s);
    choose_lanes(d);
    place_lanes(d);
    for (uint32_t i = 0; i < d->b->edge_count; i++)
        if (d->edges[i].how == BELOW)
            place_label(d, &d->edges[i]);
    make_room_beside(d);
    d->right = largest(d->right, title_width(d->title));
    d->height += d->reached ? LINE + AIR : 0;
}

/* ---- drawing ---- */

static void put_text(struct prose *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char *entity = prose_entity((unsigned char)text[i]);
        if (entity)
            prose_add(out, "%s", entity);
        else
            prose_add(out, "%c", (unsigned char)text[i] < ' ' ? ' ' : text[i]);
    }
}

/* The lines of a label; the last stands at y. */
static void draw_label(struct drawing *d, const struct label *l, int x, int y)
{
    const char *at = l->text;
    for (int i = 0; i < l->lines; i++) {
        size_t length = strcspn(at, "\n");
        prose_add(&d->out, "<text class=\"guard\" x=\"%d\" y=\"%d\">", x, y - (l->lines - 1 - i) * LINE);
        put_text(&d->out, at, length);
        prose_add(&d->out, "</text>\n");
        at += length + 1;
    }
}

static void draw_line(struct drawing *d, const struct drawn *e)
{
    uint32_t from = e->edge->from, to = e->edge->to;
    int x = middle(d, from), y = d->top + BOX / 2;
    prose_add(&d->out, "<path class=\"edge\" d=\"");
    if (e->how == LOOPED)
        prose_add(&d->out, "M%d %dC%d %d %d %d %d %d", x - 8, d->top, x - 22, d->top - LOOP - 4, x + 22, d->top - LOOP - 4, x + 8, d->top);
    else if (e->how == STRAIGHT)
        prose_add(&d->out, "M%d %dH%d", d->x[from] + d->width[from], y, d->x[to]);
    else {
        int corner = e->to_x > e->from_x ? 6 : -6, low = d->lane_y[e->lane];
        prose_add(&d->out, "M%d %dV%dq0 6 %d 6H%dq%d 0 %d -6V%d", e->from_x, d->bottom, low - 6, corner, e->to_x - corner, corner, corner,
                  d->bottom);
    }
    prose_add(&d->out, "\"/>\n");
}

static void draw_guard(struct drawing *d, const struct drawn *e)
{
    uint32_t from = e->edge->from;
    if (e->how == LOOPED)
        draw_label(d, &e->label, middle(d, from), d->top - LOOP);
    else if (e->how == STRAIGHT)
        draw_label(d, &e->label, (d->x[from] + d->width[from] + d->x[from + 1]) / 2 - 3, d->top + BOX / 2 - 6);
    else
        draw_label(d, &e->label, e->label_x, d->lane_y[e->lane] - 6);
}

static void draw_state(struct drawing *d, uint32_t s)
{
    const char *class = !d->reached ? "state" : d->reached[s] ? "state reached" : "state unreached";
    char *name = buchi_state(d->b, s);
    prose_add(&d->out, "<g class=\"%s\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"12\"/>", class, d->x[s], d->top, d->width[s],
              BOX);
    if (d->b->accepting[s])
        prose_add(&d->out, "<rect class=\"inner\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"9\"/>", d->x[s] + 3, d->top + 3,
                  d->width[s] - 6, BOX - 6);
    prose_add(&d->out, "<text x=\"%d\" y=\"%d\">%s</text></g>\n", middle(d, s), d->top + BOX / 2 + 4, name);
    free(name);
}

static void draw_title(struct drawing *d)
{
    int y = MARGIN;
    for (const char *at = d->title; at && *at; y += LINE + 4) {
        size_t part = prose_fitting(at, TITLE_COLUMNS);
        prose_add(&d->out, "<text class=\"title\" x=\"%d\" y=\"%d\">", MARGIN, y);
        put_text(&d->out, at, part);
        prose_add(&d->out, "</text>\n");
        at += part + strspn(at + part, " ");
    }
}

static void draw_legend(struct drawing *d)
{
    uint32_t count = 0;
    if (!d->reached)
        return;
    for (uint32_t s = 0; s < d->b->state_count; s++)
        count += d->reached[s];
    prose_add(&d->out, "<text class=\"legend\" x=\"%d\" y=\"%d\">%u of %u states reached%s</text>\n", MARGIN, d->height - AIR, count,
              d->b->state_count, count < d->b->state_count ? "; the others are dashed" : "");
}

static const char style[] =
    "text { font: 12px 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace; fill: #1a1a1a; text-anchor: middle; }\n"
    ".title { font-size: 13px; font-weight: bold; text-anchor: start; } .legend { text-anchor: start; fill: #4a5568; }\n"
    ".guard { font-size: 11px; paint-order: stroke; stroke: #fff; stroke-width: 4px; stroke-linejoin: round; }\n"
    ".edge { fill: none; stroke: #1f5fae; stroke-width: 1.4px; marker-end: url(#tip); }\n"
    ".tip { fill: #1f5fae; } .state rect { fill: #f4f7fb; stroke: #34495e; stroke-width: 1.4px; } .state .inner { fill: none; }\n"
    ".reached rect { fill: #cfead6; stroke: #1e6b3a; } .unreached rect { fill: #fff; stroke: #8a94a6; stroke-dasharray: 4 3; }\n"
    ".unreached text { fill: #5f6b7c; }\n";

static void draw(struct drawing *d)
{
    int y = d->top + BOX / 2;
    prose_add(&d->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>", d->right, d->height, d->right, d->height);
    put_text(&d->out, d->title ? d->title : "automaton", strlen(d->title ? d->title : "automaton"));
    prose_add(&d->out, "</title>\n<style>\n%s</style>\n<defs><marker id=\"tip\" markerUnits=\"userSpaceOnUse\" markerWidth=\"11\" "
              "markerHeight=\"8\" refX=\"10\" refY=\"4\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L10 4L0 8Z\"/></marker></defs>\n"
              "<rect width=\"%d\" height=\"%d\" style=\"fill: #fff\"/>\n", style, d->right, d->height);
    draw_title(d);
    prose_add(&d->out, "<path class=\"edge\" d=\"M%d %dH%d\"/>\n", d->x[0] - ARROW + AIR, y, d->x[0]);
    for (uint32_t i = 0; i < d->b->edge_count; i++)
        draw_line(d, &d->edges[i]);
    for (uint32_t s = 0; s < d->b->state_count; s++)
        draw_state(d, s);
    for (uint32_t i = 0; i < d->b->edge_count; i++)
        draw_guard(d, &d->edges[i]);
    draw_legend(d);
    prose_add(&d->out, "</svg>\n");
}

char *buchi_svg(const struct buchi *b, const char *title, const bool *reached, struct err *err)
{
    if (b->edge_count > MOST_EDGES) {
        fail(err, "an automaton of %u edges cannot be drawn so that one could read it: %d is the most; look at it as text", b->edge_count,
             MOST_EDGES);
        return NULL;
    }
    struct drawing d = { .b = b, .title = title, .reached = reached };
    lay_out(&d);
    draw(&d);
    for (uint32_t i = 0; i < b->edge_count; i++)
        free(d.edges[i].label.text);
    free(d.edges);
    free(d.x);
    free(d.width);
    free(d.lane_y);
    return prose_take(&d.out);
}
