/* A counter-example told in four forms, all from one trail (Holzmann and Smith 2002, 6.3).
 * SPDX-License-Identifier: MIT */
#ifndef TELL_H
#define TELL_H

#include "extractor/trail.h"

#include <stdio.h>

void tell_chart(const struct trail *, FILE *);                   /* a message sequence chart in ASCII */
void tell_svg(const struct trail *, const char *title, FILE *);  /* the same, with the moments at which symbols change */
void tell_statements(const struct trail *, FILE *);              /* C statements of all processes, in columns, with places */
void tell_variables(const struct trail *, FILE *);               /* these, with all variables at each step */

#endif
