/* Between trail.c, which reads a trail step by step, and trail_words.c, which knows what processes, variables and messages of the model are in
 * the program's words.
 * SPDX-License-Identifier: MIT */
#ifndef TRAIL_READER_H
#define TRAIL_READER_H

#include "extractor/trail.h"

struct raw { char *name, *text; };                               /* a variable of the model as it is after the step */
struct raws { struct raw *items; int count, room; };

struct sent { char *channel; int step; char *message; bool taken; };

struct at_node { int process; const struct function *function; int node; int line, state; bool took; };     /* took: a link holds a message */

/* One step of the verifier, before it is understood. */
struct trail_line {
    int   pid, line, state;
    char *name, *text;
};

struct trail_reader {
    struct trail            *trail;
    const struct extraction *x;
    char                   **symbols;            /* of the property, in the model's words */
    struct raws              raws;               /* globals of the model, and channels */
    struct value            *values;
    int                      value_count, value_room;
    int                     *columns;            /* of each process number of the model; -1: none so far */
    int                      column_count;
    struct sent             *sent;
    int                      sent_count, sent_room;
    struct at_node          *stands;             /* where each column stood last */
    int                      stand_count, stand_room;
    struct trail_line              step;               /* waits for its values */
    bool                     open;
    bool                     in_locals;
    char                    *owner;              /* of the values that are being read: "receiver", or NULL */
    int                      next_cycle;
    bool                     ended, violated;    /* behind the last step; an assertion is violated there */
    int                      last;               /* who moved last */
};

char *trail_process(const struct trail_reader *, const char *model, int pid);    /* its name; gives */
int   trail_column(struct trail_reader *, int pid, const char *name);            /* of the process; made when it is the first of it */
void  trail_value(struct trail_reader *, const char *line);                      /* a line with the value of a variable */
char *trail_symbols(struct trail_reader *);                                      /* of the property, as they are now; gives */
char *trail_model_line(const struct extraction *, int number);                   /* without the blanks around; gives */
void  trail_message(struct trail_reader *, struct step *, const char *text);     /* what the step sends or receives, if it does */

#endif
