/* A report for a person is made of paragraphs on a page of some width. For the files that make it up: text.c, verdict.c.
 * SPDX-License-Identifier: MIT */
#ifndef PAGE_H
#define PAGE_H

#include "report/text.h"

struct page { FILE *out; const struct job *job; const struct outcome *outcome; struct look look; };

#define RED   "\033[1;31m"
#define GREEN "\033[1;32m"
#define BOLD  "\033[1m"

const char *page_colour(const struct page *, const char *code);  /* "" without colours */
const char *page_plain(const struct page *);

/* Lines of text, broken at blanks where the page ends; what goes on stands `hang` columns further in. */
void page_paragraph(const struct page *, const char *text, int indent, int hang);
void page_say(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct number { char text[32]; };
struct number page_number(uint64_t);                             /* 354,940,010 */
struct number page_about(double);                                /* 354,940,010; 3.5e+20 */
static inline const char *page_s(uint64_t count) { return count == 1 ? "" : "s"; }

void verdict_searched(const struct page *);      /* how much was searched */
void verdict_say(const struct page *);           /* what that means */

#endif
