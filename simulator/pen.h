/* What a chart is drawn with. Two pens: one writes SVG, one PostScript. Lengths are whole points, y goes down.
 * SPDX-License-Identifier: MIT */
#ifndef PEN_H
#define PEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum pen_text { PEN_TITLE, PEN_NAME, PEN_LABEL, PEN_NOTE, PEN_NUMBER, PEN_WRONG, PEN_TEXTS };
enum pen_line { PEN_LANE, PEN_ROW };
enum pen_arrow { PEN_MESSAGE, PEN_RACE };
enum pen_dot  { PEN_PLAIN, PEN_FULL };
enum pen_box  { PEN_HEAD, PEN_ALARM };

enum { PEN_PATTERNS = 6 };                   /* of bars */

struct pen {
    FILE *out;
    bool  color;
    void (*line)(struct pen *, enum pen_line, int x1, int y1, int x2, int y2);
    void (*arrow)(struct pen *, enum pen_arrow, int x1, int y1, int x2, int y2);
    void (*dot)(struct pen *, enum pen_dot, int x, int y);
    void (*bar)(struct pen *, unsigned pattern, int x, int y, int width, int height);
    void (*box)(struct pen *, enum pen_box, int x, int y, int width, int height);
    /* The left end of the base line, the right end for numbers; no more than `columns` characters are shown. */
    void (*text)(struct pen *, enum pen_text, int x, int y, const char *text, size_t length, size_t columns);
};

struct pen pen_svg(FILE *, bool color);
struct pen pen_ps(FILE *, bool color);

void pen_svg_begin(struct pen *, int width, int height, const char *title);
void pen_svg_end(struct pen *);
void pen_ps_begin(struct pen *, int pages, const char *title);
void pen_ps_page(struct pen *, int number, int scale, int x, int y);     /* scale in thousandths; where the origin is on paper */
void pen_ps_page_end(struct pen *);
void pen_ps_end(struct pen *);

/* The next character of UTF-8, never a control character: what is none is U+FFFD, and white space a blank. */
uint32_t pen_character(const char **text, const char *end);
size_t   pen_columns(const char *text, size_t length);

#endif
