/* SPDX-License-Identifier: MIT */
#include "simulator/pen.h"

#include <string.h>

enum { PAGE_WIDTH = 595, PAGE_HEIGHT = 842, TITLE_COLUMNS = 150 };

/* ---- text ---- */

/* The fonts have the characters of ISO 8859-1. */
static int to_latin(uint32_t c)
{
    switch (c) {
    case 0x2018: case 0x2019: return '\'';
    case 0x201c: case 0x201d: return '"';
    case 0x2013: case 0x2014: return '-';
    default: return c < 0x100 ? (int)c : '?';
    }
}

static void put_character(FILE *out, int c)
{
    if (c == '(' || c == ')' || c == '\\')
        fprintf(out, "\\%c", c);
    else if (c < 0x80)
        fputc(c, out);
    else
        fprintf(out, "\\%03o", c);
}

static void put_string(FILE *out, const char *text, size_t length, size_t columns)
{
    const char *end = text + length;
    bool cut = pen_columns(text, length) > columns;
    fputc('(', out);
    for (size_t left = cut ? columns - (columns > 3 ? 3 : columns) : columns; left && text < end; left--)
        put_character(out, to_latin(pen_character(&text, end)));
    fputs(cut ? "...)" : ")", out);
}

static void draw_text(struct pen *p, enum pen_text style, int x, int y, const char *text, size_t length, size_t columns)
{
    static const char *const procedures[PEN_TEXTS] = { "Title", "Name", "Label", "Note", "Number", "Wrong" };
    put_string(p->out, text, length, columns);
    fprintf(p->out, " %d %d %s\n", x, -y, procedures[style]);
}

/* ---- shapes ---- */

static void draw_line(struct pen *p, enum pen_line style, int x1, int y1, int x2, int y2)
{
    fprintf(p->out, "%d %d %d %d %s\n", x1, -y1, x2, -y2, style == PEN_LANE ? "Lane" : "Row");
}

static void draw_arrow(struct pen *p, enum pen_arrow style, int x1, int y1, int x2, int y2)
{
    const char *ink = style == PEN_RACE ? "Race" : "Message";
    if (x1 == x2)
        fprintf(p->out, "%s %d %d %d Around\n", ink, x1, -y1, -y2);
    else
        fprintf(p->out, "%s %d %d %d %d Arrow\n", ink, x1, -y1, x2, -y2);
}

static void draw_dot(struct pen *p, enum pen_dot style, int x, int y)
{
    fprintf(p->out, "%d %d %s\n", x, -y, style == PEN_FULL ? "Full" : "Plain");
}

static void draw_bar(struct pen *p, unsigned pattern, int x, int y, int width, int height)
{
    fprintf(p->out, "%d %d %d %d Bar%u\n", x, -(y + height), width, height, pattern);
}

static void draw_box(struct pen *p, enum pen_box style, int x, int y, int width, int height)
{
    fprintf(p->out, "%d %d %d %d %s\n", x, -(y + height), width, height, style == PEN_HEAD ? "Head" : "Alarm");
}

struct pen pen_ps(FILE *out, bool color)
{
    return (struct pen){ .out = out, .color = color, .line = draw_line, .arrow = draw_arrow, .dot = draw_dot, .bar = draw_bar,
                         .box = draw_box, .text = draw_text };
}

/* ---- the file ---- */

static const char shared_prolog[] =
    "/latin { findfont dup length dict begin { 1 index /FID ne { def } { pop pop } ifelse } forall\n"
    "  /Encoding ISOLatin1Encoding def currentdict end definefont pop } bind def\n"
    "/Mono /Courier latin /MonoItalic /Courier-Oblique latin /MonoBold /Courier-Bold latin /Sans /Helvetica-Bold latin\n";

static const char color_prolog[] =
    "/Ink { .1 .1 .1 setrgbcolor } bind def /Blue { .12 .37 .68 setrgbcolor } bind def /Red { .69 0 .13 setrgbcolor } bind def\n"
    "/Soft { .37 .42 .49 setrgbcolor } bind def /LaneInk { .54 .58 .65 setrgbcolor } bind def\n"
    "/HeadFill { .91 .93 .97 setrgbcolor } bind def /HeadInk { .36 .49 .69 setrgbcolor } bind def\n"
    "/AlarmFill { .99 .93 .93 setrgbcolor } bind def\n"
    "/Filled { 3 index 3 index 3 index 3 index rectfill 0 setgray .5 setlinewidth rectstroke } bind def\n"
    "/Bar0 { .96 .78 .40 setrgbcolor Filled } bind def /Bar1 { .62 .84 .71 setrgbcolor Filled } bind def\n"
    "/Bar2 { .79 .71 .92 setrgbcolor Filled } bind def /Bar3 { .62 .83 .92 setrgbcolor Filled } bind def\n"
    "/Bar4 { .95 .69 .65 setrgbcolor Filled } bind def /Bar5 { .84 .84 .63 setrgbcolor Filled } bind def\n";

/* Hatched: x y width height, and the slopes of the lines. */
static const char plain_prolog[] =
    "/Ink { 0 setgray } bind def /Blue { 0 setgray } bind def /Red { 0 setgray } bind def /Soft { .25 setgray } bind def\n"
    "/LaneInk { .4 setgray } bind def /HeadFill { 1 setgray } bind def /HeadInk { 0 setgray } bind def\n"
    "/AlarmFill { 1 setgray } bind def\n"
    "/Hatched { /slopes exch def /h exch def /w exch def /y exch def /x exch def gsave\n"
    "  1 setgray x y w h rectfill 0 setgray .4 setlinewidth gsave x y w h rectclip\n"
    "  slopes { /s exch def y w sub 3 y h add w add { x exch moveto w w s mul rlineto stroke } for } forall grestore\n"
    "  .5 setlinewidth x y w h rectstroke grestore } bind def\n"
    "/Bar0 { [1] Hatched } bind def /Bar1 { [-1] Hatched } bind def /Bar2 { [0] Hatched } bind def\n"
    "/Bar3 { [1 -1] Hatched } bind def /Bar4 { [] Hatched } bind def /Bar5 { [0 1] Hatched } bind def\n";

static const char shapes_prolog[] =
    "/Show { moveto show } bind def\n"
    "/White { 2 index stringwidth pop 2 add /w exch def 1 index 1 sub 1 index 3 sub w 12 1 setgray rectfill } bind def\n"
    "/Title { /Sans 17 selectfont Ink Show } bind def /Name { /Sans 12 selectfont Ink Show } bind def\n"
    "/Label { /Mono 11 selectfont White Ink Show } bind def /Note { /MonoItalic 11 selectfont White Soft Show } bind def\n"
    "/Number { /Mono 9 selectfont Soft moveto dup stringwidth pop neg 0 rmoveto show } bind def\n"
    "/Wrong { /MonoBold 11 selectfont Red Show } bind def\n"
    "/Segment { newpath 4 2 roll moveto lineto stroke } bind def\n"
    "/Lane { LaneInk 1 setlinewidth Segment } bind def /Row { .93 setgray 1 setlinewidth Segment } bind def\n"
    "/Tip { gsave translate rotate newpath -4 0 moveto -14 4 lineto -14 -4 lineto closepath fill grestore } bind def\n"
    "/Message { Blue [] 0 setdash } bind def /Race { Red [5 3] 0 setdash } bind def\n"
    "/Arrow { 1.5 setlinewidth /y2 exch def /x2 exch def /y1 exch def /x1 exch def x1 y1 x2 y2 Segment [] 0 setdash\n"
    "  y2 y1 sub x2 x1 sub atan x2 y2 Tip } bind def\n"
    "/Around { 1.5 setlinewidth /y2 exch def /y1 exch def /x1 exch def newpath x1 y1 moveto x1 16 sub y1 lineto\n"
    "  x1 16 sub y2 lineto x1 y2 lineto stroke [] 0 setdash 0 x1 y2 Tip } bind def\n"
    "/Disc { newpath 4 0 360 arc } bind def\n"
    "/Full { Disc Blue fill } bind def /Plain { 2 copy Disc 1 setgray fill Disc Blue 1.5 setlinewidth stroke } bind def\n"
    "/Head { 3 index 3 index 3 index 3 index HeadFill rectfill HeadInk 1 setlinewidth rectstroke } bind def\n"
    "/Alarm { 3 index 3 index 3 index 3 index AlarmFill rectfill Red 1.5 setlinewidth rectstroke } bind def\n";

void pen_ps_begin(struct pen *p, int pages, const char *title)
{
    fputs("%!PS-Adobe-3.0\n%%Title: ", p->out);
    put_string(p->out, title ? title : "scenario", strlen(title ? title : "scenario"), TITLE_COLUMNS);
    fprintf(p->out, "\n%%%%Creator: VeriSoft\n%%%%Pages: %d\n%%%%BoundingBox: 0 0 %d %d\n%%%%DocumentMedia: A4 %d %d 0 () ()\n"
            "%%%%LanguageLevel: 2\n%%%%DocumentNeededResources: font Courier Courier-Bold Courier-Oblique Helvetica-Bold\n"
            "%%%%EndComments\n%%%%BeginProlog\n%s%s%s%%%%EndProlog\n"
            "%%%%BeginSetup\n<< /PageSize [%d %d] >> setpagedevice\n%%%%EndSetup\n",
            pages, PAGE_WIDTH, PAGE_HEIGHT, PAGE_WIDTH, PAGE_HEIGHT, shared_prolog, p->color ? color_prolog : plain_prolog,
            shapes_prolog, PAGE_WIDTH, PAGE_HEIGHT);
}

void pen_ps_page(struct pen *p, int number, int scale, int x, int y)
{
    fprintf(p->out, "%%%%Page: %d %d\ngsave %d %d translate %d 1000 div dup scale\n", number, number, x, PAGE_HEIGHT - y, scale);
}

void pen_ps_page_end(struct pen *p)
{
    fputs("grestore showpage\n", p->out);
}

void pen_ps_end(struct pen *p)
{
    fputs("%%Trailer\n%%EOF\n", p->out);
}
