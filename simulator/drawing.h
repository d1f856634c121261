/* The simulator's scenario as a chart.
 * SPDX-License-Identifier: MIT */
#ifndef DRAWING_H
#define DRAWING_H

#include "simulator/simulator.h"

enum drawing { DRAWING_SVG, DRAWING_PS };

void drawing_write(struct simulator *, enum drawing, const char *title, bool color, FILE *);       /* title NULL: none */

#endif
