/* The flow of one function as nodes: a statement each, with where it leads. It is built backwards, from what comes next, so every
 * node knows its successors when it is made; labels and loops get a node beforehand that only points on.
 * SPDX-License-Identifier: MIT */
#ifndef FLOW_H
#define FLOW_H

#include "extractor/clang/tree.h"

#include <stdbool.h>

enum { NOWHERE = -1 };

struct way { char *when; int to; };              /* of a switch: "[3=ack]" */

struct node {
    const char  *kind;               /* NULL: only points on, to `next` */
    struct place place;
    char        *text, *tree;        /* owned; NULL: none */
    int          next, otherwise;    /* node numbers, or NOWHERE */
    struct way  *ways;
    int          way_count, way_room;
};

struct label { char *name; int node; };

struct graph {
    const struct source *source;
    struct variables     variables;
    struct node         *nodes;
    int                  count, room;
    struct label        *labels;
    int                  label_count, label_room;
    int                  breaks, continues;      /* where they lead */
    int                  switched;               /* the switch node around, or NOWHERE */
    int                  otherwise;              /* the default of it */
    struct prose         locals;                 /* lines of declarations */
};

int  flow_add(struct graph *, const char *kind, CXCursor at, char *text, int next);      /* takes the text; gives the node's number */
int  flow_statement(struct graph *, CXCursor, int next);                 /* gives where it begins; `next` is where it leads */
void flow_declare(struct graph *, struct prose *, const char *what, CXCursor, bool with_value);
void flow_place(struct prose *, struct place);
bool flow_has_attribute(const struct source *, CXCursor, const char *name);      /* by which something is done that no statement says */

#endif
