/* SPDX-License-Identifier: MIT */
#include "extractor/tell.h"

#include "base/memory.h"
#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 2, PLACE = 20, PAGE = 80, ROOM = PAGE - 5 - PLACE - GAP };    /* ROOM: for what is done, behind number and place */

/* ---- what the forms share ---- */

static bool is_message(const struct step *s)
{
    return s->message && (s->kind == STEP_SEND || s->kind == STEP_EVENT || s->kind == STEP_RECEIVE);
}

static char *place_of(const struct step *s)
{
    if (!s->place.file)
        return prose_make("%s", "");
    const char *slash = strrchr(s->place.file, '/');
    return prose_make("%s:%d", slash ? slash + 1 : s->place.file, s->place.line);
}

/* "p becomes true, q becomes false", against the step before; NULL: nothing changes. */
static char *changes(const struct trail *t, int step)
{
    struct prose out = { 0 };
    const char *now = t->steps[step].symbols, *before = step ? t->steps[step - 1].symbols : NULL;
    for (int i = 0; now && i < t->property->symbol_count; i++) {
        char was = before ? before[i] : '0';
        if (now[i] != was && now[i] != '?')
            prose_add(&out, "%s%s becomes %s", out.length ? ", " : "", t->property->symbols[i].name, now[i] == '1' ? "true" : "false");
    }
    return out.text;
}

static void repeats(const struct trail *t, int step, FILE *out)
{
    if (step == t->cycle)
        fputs(step == t->count ? "---- and nothing more happens ----\n" : "---- from here on it repeats for ever ----\n", out);
}

/* What is in a message chart: each message once, where it is received or, if it is not, where it was sent. */
static bool is_received(const struct trail *t, int sent)
{
    for (int i = sent + 1; i < t->count; i++)
        if (t->steps[i].from == sent)
            return true;
    return false;
}

static bool in_chart(const struct trail *t, int step)
{
    const struct step *s = &t->steps[step];
    return s->kind == STEP_UNSPECIFIED || s->lost || (is_message(s) && (s->kind != STEP_SEND || !is_received(t, step)));
}

/* Where it ends: what is violated, or who stands where. */
static void ends(const struct trail *t, FILE *out)
{
    fputc('\n', out);
    for (int i = 0; t->cycle < 0 && i < t->stand_count; i++) {
        const struct stand *s = &t->stands[i];
        if ((t->violated >= 0 && t->violated != s->process) || !s->text)
            continue;
        fprintf(out, "%s%s: ", t->violated >= 0 ? "violated by " : "at the end ", t->processes[s->process]);
        if (s->place.file)
            fprintf(out, "%s:%d: ", s->place.file, s->place.line);
        fprintf(out, "%s\n", s->text);
    }
}

/* ---- a chart in ASCII ---- */

/* Who has a message has a column; it is as wide as a page of 80 allows, and wide enough for what stands on an arrow. */
struct chart { const struct trail *t; int *column; int count; size_t width; };

static void take_part(struct chart *c, int process)
{
    if (c->column[process] < 0)
        c->column[process] = c->count++;
}

static size_t middle_of(const struct chart *c, int process)
{
    return (size_t)c->column[process] * c->width + c->width / 2;
}

static bool is_arrow(const struct trail *t, const struct step *s)
{
    return s->kind != STEP_UNSPECIFIED && !s->lost && s->from >= 0 && t->steps[s->from].process != s->process;
}

static struct chart chart_of(const struct trail *t)
{
    enum { WIDEST = 22, NARROWEST = 10 };
    struct chart c = { .t = t, .column = memory_get(((size_t)t->process_count + 1) * sizeof *c.column) };
    for (int p = 0; p < t->process_count; p++)
        c.column[p] = -1;
    for (int i = 0; i < t->count; i++)
        if (in_chart(t, i)) {
            if (is_arrow(t, &t->steps[i]))
                take_part(&c, t->steps[t->steps[i].from].process);
            take_part(&c, t->steps[i].process);
        }
    for (int p = 0; p < t->process_count && !c.count; p++)
        take_part(&c, p);
    c.width = PAGE / (size_t)(c.count ? c.count : 1);
    c.width = c.width > WIDEST ? WIDEST : c.width < NARROWEST ? NARROWEST : c.width;
    for (int i = 0; i < t->count; i++) {
        const struct step *s = &t->steps[i];
        bool next = in_chart(t, i) && is_arrow(t, s) && abs(c.column[s->process] - c.column[t->steps[s->from].process]) == 1;
        if (next && strlen(s->message) + 3 > c.width)
            c.width = strlen(s->message) + 3;
    }
    for (int p = 0; p < t->process_count; p++)
        if (c.column[p] >= 0 && strlen(t->processes[p]) + 1 > c.width)
            c.width = strlen(t->processes[p]) + 1;
    return c;
}

static void put_at(char *line, size_t room, size_t at, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length && at + i < room; i++)
        line[at + i] = text[i];
}

static void arrow(char *line, size_t room, size_t from, size_t to, const char *label)
{
    size_t left = from < to ? from : to, right = from < to ? to : from;
    for (size_t i = left + 1; i < right && i < room; i++)
        line[i] = '-';
    line[from < to ? right - 1 : left + 1] = from < to ? '>' : '<';
    size_t length = strlen(label), centre = (left + right) / 2, at = centre > length / 2 ? centre - length / 2 : left + 1;
    put_at(line, room, at <= left + (from > to) ? left + 1 + (from > to) : at, label);
}

static void put_line(char *line, size_t room, FILE *out)
{
    while (room && line[room - 1] == ' ')
        room--;
    fprintf(out, "%.*s\n", (int)room, line);
}

static void chart_line(const struct chart *c, int step, FILE *out)
{
    const struct trail *t = c->t;
    const struct step *s = &t->steps[step];
    size_t room = (size_t)c->count * c->width + strlen(s->message ? s->message : "") + strlen(s->text) + 40, own = middle_of(c, s->process);
    char *line = memory_get(room + 1);
    memset(line, ' ', room);
    for (int p = 0; p < t->process_count; p++)
        if (c->column[p] >= 0)
            line[middle_of(c, p)] = '|';
    if (s->kind == STEP_UNSPECIFIED) {
        put_at(line, room, own + 2, "no response to this event");
    } else if (s->lost) {
        put_at(line, room, own + 2, "loses it");
    } else if (is_arrow(t, s)) {
        arrow(line, room, middle_of(c, t->steps[s->from].process), own, s->message);
    } else {
        char *text = prose_make("%s %s%s%s", s->kind == STEP_SEND ? "sends" : "takes", s->message, s->channel ? " by " : "",
                                s->channel ? s->channel : "");
        put_at(line, room, own + 2, text);
        free(text);
    }
    put_line(line, room, out);
    free(line);
}

static void chart_heads(const struct chart *c, FILE *out)
{
    size_t room = (size_t)(c->count + 1) * c->width;
    char *line = memory_get(room + 1);
    memset(line, ' ', room);
    for (int p = 0; p < c->t->process_count; p++) {
        size_t length = strlen(c->t->processes[p]);
        if (c->column[p] >= 0)
            put_at(line, room, middle_of(c, p) > length / 2 ? middle_of(c, p) - length / 2 : 0, c->t->processes[p]);
    }
    put_line(line, room, out);
    free(line);
}

void tell_chart(const struct trail *t, FILE *out)
{
    struct chart c = chart_of(t);
    chart_heads(&c, out);
    for (int i = 0; i < t->count; i++) {
        repeats(t, i, out);
        if (in_chart(t, i))
            chart_line(&c, i, out);
    }
    repeats(t, t->count, out);
    ends(t, out);
    free(c.column);
}

/* ---- statements ---- */

static size_t width_of(const struct trail *t, int process)
{
    size_t width = strlen(t->processes[process]);
    for (int i = 0; i < t->count; i++)
        if (t->steps[i].process == process && strlen(t->steps[i].text) + 2u * t->steps[i].left_out > width)
            width = strlen(t->steps[i].text) + 2u * t->steps[i].left_out;
    return width < 60 ? width : 60;
}

/* Where the columns begin, behind the places; gives. Where they do not fit beside each other on a page of 80 they begin a few letters after one
 * another, for on each line there is but one who does something. */
static size_t *starts_of(const struct trail *t)
{
    enum { LEAST = 30 };             /* letters for the last one */
    size_t *at = memory_get(((size_t)t->process_count + 1) * sizeof *at), most = LEAST;
    for (int p = 0; p < t->process_count; p++)
        at[p + 1] = at[p] + width_of(t, p) + GAP;
    if (t->process_count < 2 || at[t->process_count] <= ROOM + GAP)
        return at;
    for (int p = 0; p < t->process_count; p++)
        most = width_of(t, p) > most ? width_of(t, p) : most;
    size_t apart = (size_t)t->process_count - 1, wish = (ROOM - LEAST) / apart < 8 ? (ROOM - LEAST) / apart : 8;
    size_t indent = most < ROOM && (ROOM - most) / apart > wish ? (ROOM - most) / apart : wish;
    for (int p = 1; p < t->process_count; p++)
        at[p] = at[p - 1] + (indent ? indent : 1);
    return at;
}

static void heads(const struct trail *t, const size_t *at, FILE *out)
{
    size_t used = 0;
    fprintf(out, "%-4s %-*s%*s", "step", PLACE, "place", GAP, "");
    for (int p = 0; p < t->process_count; p++) {
        if (p && used + 1 > at[p]) {
            fprintf(out, "\n%*s", PLACE + 5 + GAP, "");
            used = 0;
        }
        fprintf(out, "%*s%s", (int)(at[p] - used), "", t->processes[p]);
        used = at[p] + strlen(t->processes[p]);
    }
    fputc('\n', out);
}

/* A text that goes on below itself where the page ends. */
static void flow(FILE *out, size_t start, const char *text)
{
    size_t room = start + 10 < ROOM ? ROOM - start : 10;
    for (bool again = false; *text; again = true) {
        size_t length = strlen(text), most = room - 2u * again;
        if (length > most) {
            for (length = most; length && text[length] != ' ' && !strchr(",;(", text[length - 1]);)
                length--;
            length = length ? length : most;     /* one long word */
        }
        if (again)
            fprintf(out, "\n%*s", (int)(PLACE + 5 + GAP + start + 2), "");
        fprintf(out, "%.*s", (int)length, text);
        text += length;
        text += strspn(text, " ");
    }
}

static void statement_line(const struct trail *t, const size_t *at, int step, FILE *out)
{
    const struct step *s = &t->steps[step];
    char *place = place_of(s), *text = prose_make("%s%s%s%s", s->left_out ? "[" : "", s->text, s->left_out ? "]" : "",
                                                  s->kind == STEP_UNSPECIFIED ? "  << no response to this event" : "");
    fprintf(out, "%4d %-*s%*s", step + 1, PLACE, place, (int)(GAP + at[s->process]), "");
    flow(out, at[s->process], text);
    fputc('\n', out);
    free(place);
    free(text);
}

static void lines(const struct trail *t, FILE *out, bool with_values)
{
    size_t *at = starts_of(t);
    heads(t, at, out);
    for (int i = 0; i < t->count; i++) {
        repeats(t, i, out);
        statement_line(t, at, i, out);
        for (int v = 0; with_values && v < t->steps[i].value_count; v++)
            fprintf(out, "%*s%s = %s\n", PLACE + 5 + GAP, "", t->steps[i].values[v].name, t->steps[i].values[v].text);
        char *changed = changes(t, i);
        if (changed)
            fprintf(out, "%*s* %s\n", PLACE + 5, "", changed);
        free(changed);
    }
    free(at);
    repeats(t, t->count, out);
    ends(t, out);
    bool any = false;
    for (int i = 0; i < t->count; i++)
        any |= t->steps[i].left_out;
    if (any)
        fputs("[in brackets]: not in the model; control came along it\n", out);
}

void tell_statements(const struct trail *t, FILE *out)
{
    lines(t, out, false);
}

void tell_variables(const struct trail *t, FILE *out)
{
    lines(t, out, true);
}

/* ---- SVG ---- */

enum { COLUMN = 190, ROW = 26, TOP = 60, MARGIN = 120 };

static void escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        if (prose_entity((unsigned char)*text))
            fputs(prose_entity((unsigned char)*text), out);
        else
            fputc(*text, out);
}

static int middle(int process)
{
    return MARGIN + process * COLUMN;
}

static void text_at(FILE *out, int x, int y, const char *anchor, const char *class, const char *text)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor, class);
    escaped(out, text);
    fputs("</text>\n", out);
}

static void svg_step(const struct trail *t, int step, int y, FILE *out)
{
    const struct step *s = &t->steps[step];
    int to = middle(s->process), from = s->from >= 0 ? middle(t->steps[s->from].process) : to;
    if (s->kind == STEP_UNSPECIFIED || s->lost) {
        text_at(out, to + 8, y + 4, "start", "bad", s->lost ? "loses it" : "no response to this event");
    } else if (from != to) {
        fprintf(out, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"arrow\" marker-end=\"url(#head)\"/>\n", from, y, to, y);
        text_at(out, (from + to) / 2, y - 4, "middle", "message", s->message);
    } else {
        fprintf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"3\" class=\"dot\"/>\n", to, y);
        text_at(out, to + 8, y + 4, "start", "message", s->message);
    }
}

/* The rows of the chart: messages, and steps at which a symbol changes. */
static int svg_rows(const struct trail *t, FILE *out)
{
    int rows = 0, right = middle(t->process_count - 1) + 100;
    for (int i = 0; i < t->count; i++) {
        bool message = in_chart(t, i);
        char *changed = changes(t, i);
        int y = TOP + ROW * (rows + 1);
        if (out && i == t->cycle)
            fprintf(out, "<line x1=\"10\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"cycle\"/>\n"
                    "<text x=\"12\" y=\"%d\" class=\"note\">repeats</text>\n", y - ROW / 2, right, y - ROW / 2, y);
        if (out && message)
            svg_step(t, i, y, out);
        if (out && changed)
            text_at(out, right, y + 4, "start", "symbol", changed);
        rows += message || changed;
        free(changed);
    }
    return rows;
}

void tell_svg(const struct trail *t, const char *title, FILE *out)
{
    int height = TOP + ROW * (svg_rows(t, NULL) + 2), width = middle(t->process_count - 1) + 420;
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>", width, height,
            width, height);
    escaped(out, title);
    fputs("</title>\n<style>text{font:12px sans-serif;fill:#222}.name{font-weight:bold}.symbol{fill:#a40}.bad{fill:#b00}.note{fill:#777}"
          ".life{stroke:#999}.arrow{stroke:#222}.dot{fill:#222}.cycle{stroke:#777;stroke-dasharray:5 4}</style>\n"
          "<defs><marker id=\"head\" markerWidth=\"9\" markerHeight=\"8\" refX=\"8\" refY=\"4\" orient=\"auto\">"
          "<path d=\"M0 0L9 4L0 8z\"/></marker></defs>\n", out);
    for (int p = 0; p < t->process_count; p++) {
        text_at(out, middle(p), TOP - 20, "middle", "name", t->processes[p]);
        fprintf(out, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"life\"/>\n", middle(p), TOP - 10, middle(p), height - 10);
    }
    svg_rows(t, out);
    fputs("</svg>\n", out);
}
