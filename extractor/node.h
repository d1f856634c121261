/* The nodes of a function as lines of Promela, each with what becomes of it: conditions, switches, statements, calls that are followed.
 * SPDX-License-Identifier: MIT */
#ifndef NODE_H
#define NODE_H

#include "extractor/maker.h"

void node_put_all(struct maker *, int instance);                 /* of the function that is called there */

#endif
