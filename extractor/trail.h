/* A counter-example: the steps of the processes of a model, as the verifier replays them, in the words of the program.
 * SPDX-License-Identifier: MIT */
#ifndef TRAIL_H
#define TRAIL_H

#include "extractor/extract.h"

#include <stdbool.h>

struct value { char *name, *text; };             /* "receiver.seqno", "1"; channels are not among them */

enum step_kind { STEP_STATEMENT, STEP_EVENT, STEP_SEND, STEP_RECEIVE, STEP_UNSPECIFIED };   /* an event: a machine's receiving */

struct step {
    enum step_kind  kind;
    int             process;         /* of trail->processes */
    struct place_in place;           /* of the statement; borrowed from the machine; file NULL: it has none */
    char           *text;            /* the statement; of a driver, its Promela */
    char           *message;         /* "msg(0)", of what sends or receives; or NULL */
    char           *channel;
    bool            lost;            /* a link loses its message */
    bool            operation;       /* of a program: on an object; its result is `choice` where it could have several */
    int             act, choice;     /* of a program: which act of the model; -1: none */
    int             thread, born;    /* of a program: the number of the thread in the model, and of one that it made; -1: none */
    bool            free;            /* of a program: a condition that may go either way, because it is left out or the map says so */
    bool            left_out;        /* it is not in the model: control came along it */
    int             from;            /* of a message that is received: the step that sent it; else -1 */
    struct value   *values;          /* all of them, after this step */
    int             value_count, value_room;
    char           *symbols;         /* of the property, after this step: a 0, 1 or ? (cannot be told) for each */
};

struct stand { int process; struct place_in place; char *text; };       /* what a process does next, at the end; NULL: nobody's concern */

struct trail {
    char       **processes;          /* names of the columns */
    int          process_count, process_room;
    struct step *steps;
    int          count, room;
    struct stand *stands;            /* of each process that has a column, at the end */
    int          stand_count, stand_room;
    char        *wrong;              /* of a program: what is wrong at the end, in words; or NULL */
    int          violated;           /* of the processes: who stands before a violated assertion; -1: nobody */
    int          cycle;              /* the step at which what repeats begins; -1: nothing does */
    int          model_steps;        /* as the verifier counts */
    const struct property *property;
    char        *trial, *trial_words, *scenario;         /* of a program: what came of it there (a word, and more); or NULL */
};

int  trail_read(struct trail *, const struct extraction *, const struct property *, const char *replay, struct err *);
void trail_fini(struct trail *);
void trail_each_line(const char *replay, void (*read)(void *, const char *line), void *);

#endif
