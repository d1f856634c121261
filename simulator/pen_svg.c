/* SPDX-License-Identifier: MIT */
#include "simulator/pen.h"

#include "base/prose.h"

#include <string.h>

/* ---- text ---- */

static void put_utf8(FILE *out, uint32_t c)
{
    if (c < 0x80) {
        fputc((int)c, out);
        return;
    }
    int bytes = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    fputc((int)((0xf00u >> bytes & 0xff) | c >> 6 * (bytes - 1)), out);
    while (--bytes)
        fputc((int)(0x80 | (c >> 6 * (bytes - 1) & 0x3f)), out);
}

static void put_character(FILE *out, uint32_t c)
{
    if (prose_entity(c))
        fputs(prose_entity(c), out);
    else
        put_utf8(out, c);
}

static void put_text(FILE *out, const char *text, size_t length, size_t columns)
{
    const char *end = text + length;
    bool cut = pen_columns(text, length) > columns;
    for (size_t left = cut ? columns - 1 : columns; left && text < end; left--)
        put_character(out, pen_character(&text, end));
    if (cut)
        put_utf8(out, 0x2026);                   /* an ellipsis */
}

static void draw_text(struct pen *p, enum pen_text style, int x, int y, const char *text, size_t length, size_t columns)
{
    static const char *const names[PEN_TEXTS] = { "title", "name", "label", "note", "number", "wrong" };
    fprintf(p->out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", names[style], x, y);
    put_text(p->out, text, length, columns);
    if (pen_columns(text, length) > columns) {
        fputs("<title>", p->out);
        put_text(p->out, text, length, SIZE_MAX);
        fputs("</title>", p->out);
    }
    fputs("</text>\n", p->out);
}

/* ---- shapes ---- */

static void draw_line(struct pen *p, enum pen_line style, int x1, int y1, int x2, int y2)
{
    fprintf(p->out, "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n",
            style == PEN_LANE ? "lane" : "row", x1, y1, x2, y2);
}

static void draw_arrow(struct pen *p, enum pen_arrow style, int x1, int y1, int x2, int y2)
{
    fprintf(p->out, "<path class=\"%s\" ", style == PEN_RACE ? "race" : "arrow");
    if (x1 == x2)                                /* to itself: around the lane */
        fprintf(p->out, "d=\"M%d %dH%dV%dH%d\"/>\n", x1, y1, x1 - 16, y2, x2);
    else
        fprintf(p->out, "d=\"M%d %dL%d %d\"/>\n", x1, y1, x2, y2);
}

static void draw_dot(struct pen *p, enum pen_dot style, int x, int y)
{
    fprintf(p->out, "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"4\"/>\n", style == PEN_FULL ? "full" : "plain", x, y);
}

static void draw_bar(struct pen *p, unsigned pattern, int x, int y, int width, int height)
{
    fprintf(p->out, "<rect class=\"bar b%u\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\"/>\n",
            pattern, x, y, width, height);
}

static void draw_box(struct pen *p, enum pen_box style, int x, int y, int width, int height)
{
    fprintf(p->out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>\n",
            style == PEN_HEAD ? "head" : "alarm", x, y, width, height);
}

struct pen pen_svg(FILE *out, bool color)
{
    return (struct pen){ .out = out, .color = color, .line = draw_line, .arrow = draw_arrow, .dot = draw_dot, .bar = draw_bar,
                         .box = draw_box, .text = draw_text };
}

/* ---- the file ---- */

static const char shared_style[] =
    "text { font: 11px 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace; fill: #1a1a1a; }\n"
    ".title { font: bold 17px Helvetica, Arial, sans-serif; }\n"
    ".name { font: bold 12px Helvetica, Arial, sans-serif; }\n"
    ".label, .note { paint-order: stroke; stroke: #fff; stroke-width: 4px; stroke-linejoin: round; }\n"
    ".note { font-style: italic; }\n"
    ".number { font-size: 9px; text-anchor: end; }\n"
    ".wrong { font-weight: bold; }\n"
    "line, path, circle, rect { fill: none; stroke-width: 1px; }\n"
    ".arrow, .race { stroke-width: 1.5px; marker-end: url(#tip); } .race { stroke-dasharray: 5 3; marker-end: url(#race-tip); }\n";

static const char color_style[] =
    ".lane { stroke: #8a94a6; } .row { stroke: #edf0f4; } .number { fill: #5f6b7c; } .note { fill: #4a5568; }\n"
    ".head { fill: #e8eef7; stroke: #5b7db1; } .arrow { stroke: #1f5fae; } .tip { fill: #1f5fae; stroke: none; }\n"
    ".plain { fill: #fff; stroke: #1f5fae; stroke-width: 1.5px; } .full { fill: #1f5fae; stroke: #1f5fae; }\n"
    ".race { stroke: #b00020; } .race-tip { fill: #b00020; stroke: none; } .wrong { fill: #b00020; } .alarm { fill: #fdecee; stroke: #b00020; }\n"
    ".b0 { fill: #f6c667; stroke: #a86f00; } .b1 { fill: #9ed7b5; stroke: #2c7a4b; } .b2 { fill: #c9b6ea; stroke: #6a45a8; }\n"
    ".b3 { fill: #9fd3ea; stroke: #1d7397; } .b4 { fill: #f3b0a6; stroke: #b0442f; } .b5 { fill: #d6d6a0; stroke: #7a7a1a; }\n";

static const char plain_style[] =
    ".lane { stroke: #666; } .row { stroke: #eee; } .head { fill: #fff; stroke: #000; } .arrow, .race { stroke: #000; }\n"
    ".tip, .race-tip { fill: #000; stroke: none; } .plain { fill: #fff; stroke: #000; } .full { fill: #000; stroke: #000; }\n"
    ".alarm { fill: #fff; stroke: #000; stroke-width: 2px; } .bar { stroke: #000; }\n";

static void put_patterns(FILE *out)
{
    static const char *const lines[PEN_PATTERNS] = {
        "M0 4L4 0", "M0 0L4 4", "M0 2H4", "M0 4L4 0M0 0L4 4", "M2 0V4", "M0 2H4M2 0V4",
    };
    for (int i = 0; i < PEN_PATTERNS; i++)
        fprintf(out, "<pattern id=\"p%d\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">"
                "<rect width=\"4\" height=\"4\" "
                "style=\"fill: #fff\"/><path d=\"%s\" style=\"stroke: #000; stroke-width: .8px\"/></pattern>\n", i, lines[i]);
    fputs("<style>", out);
    for (int i = 0; i < PEN_PATTERNS; i++)
        fprintf(out, ".b%d { fill: url(#p%d); } ", i, i);
    fputs("</style>\n", out);
}

void pen_svg_begin(struct pen *p, int width, int height, const char *title)
{
    fprintf(p->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n", width, height, width, height);
    if (title) {
        fputs("<title>", p->out);
        put_text(p->out, title, strlen(title), SIZE_MAX);
        fputs("</title>\n", p->out);
    }
    fprintf(p->out, "<style>\n%s%s</style>\n<defs>\n", shared_style, p->color ? color_style : plain_style);
    if (!p->color)
        put_patterns(p->out);
    for (const char *const *tip = (const char *const[]){ "tip", "race-tip", NULL }; *tip; tip++)
        fprintf(p->out, "<marker id=\"%s\" markerUnits=\"userSpaceOnUse\" markerWidth=\"16\" markerHeight=\"10\" refX=\"14\" "
                "refY=\"5\" orient=\"auto\"><path class=\"%s\" d=\"M0 1L10 5L0 9Z\"/></marker>\n", *tip, *tip);
    fprintf(p->out, "</defs>\n<rect width=\"%d\" height=\"%d\" style=\"fill: #fff\"/>\n", width, height);
}

void pen_svg_end(struct pen *p)
{
    fputs("</svg>\n", p->out);
}
