/* The files of the web page, which are part of the command (simulator/embed makes the table).
 * SPDX-License-Identifier: MIT */
#ifndef PAGE_H
#define PAGE_H

struct page_file { const char *name, *type; const unsigned char *start, *end; };

extern const struct page_file page_files[];      /* up to one without a name; empty when the page was left out */

#endif
