/* Stage two for programs with threads and processes: the flow of their functions in Promela, what statements do in C (Spin's
 * embedded C), with the meaning that the compiler gives it. The C is a file of its own, compiled beside the verifier, with the
 * program's own types; all its data is one block of memory that Spin keeps in its states (include/verisoft-model.h).
 *
 * The unit is an *act*: C that is done at one go. An act *yields* when others may come before it: it touches what they can see, or is an
 * operation on an object. What follows without yielding belongs to the same transition. All acts of all functions are one process type;
 * a call pushes a frame and jumps, a return pops it and jumps back.
 *
 * Invariant: every node of every function that can be reached has a fate, and what cannot be carried over is an error with its place.
 * SPDX-License-Identifier: MIT */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "extractor/promela.h"
#include "base/prose.h"

enum act_kind { ACT_DO, ACT_TEST, ACT_ANY, ACT_SWITCH, ACT_CALL, ACT_RETURN, ACT_PROMELA, ACT_STOP, ACT_GO };

enum { NEXT_ACT = -1, NO_ACT = -2 };
#define NODE_ACT(node) (-3 - (node))             /* the first act of a node of the same function, until it is known */

struct act_way { const char *test; int to; };

struct act {
    enum act_kind   kind;
    int             function, node;  /* whose it is; node -1: nobody's */
    bool            yields, operation;
    bool            resumes;         /* a new process may begin here */
    bool            silent;          /* a loop comes back to it in which nobody yields */
    const char     *guard, *choices, *code;      /* C; NULL: none */
    const char     *name;            /* of an operation: the function that is called; or NULL */
    int             next, otherwise; /* acts */
    int             called;          /* of a call: the function; -1: by pointer */
    const struct tree *through;      /* then: the call, as the source has it */
    struct act_way *ways;            /* of a switch; the last has no test */
    int             way_count, way_room;
};

struct frame_of { const char **temps, **lasting; int temp_count, temp_room, lasting_count, lasting_room; bool used, address; int entry, exit; int *first; };

struct program {
    const struct machines *machines;
    struct harness        *harness;
    struct model          *model;
    struct map             defaults;
    struct act            *acts;
    int                    count, room;
    struct frame_of       *frames;   /* of each function */
    bool                 **shared;   /* of each function and variable; of globals behind the last function */
    bool                 **stays;    /* of each function and node: carried over, for the model reads what it changes (changes.h) */
    char                 **texts;    /* all strings, to be freed together */
    int                    text_count, text_room;
    struct err            *err;
    bool                   bad, atomic;
    bool                   alone;    /* there are no threads: processes share nothing but objects */
    bool                   loops;    /* there are silent acts */
    bool                   allocates, forks, queues, semaphores;    /* what the library must have room for */
};

bool  program_is(const struct machines *);                       /* has it main(), and uses threads or processes or VeriSoft's objects? */
int   program_make(struct model *, const struct machines *, struct harness *, struct err *);

/* ---- between the files of it ---- */

const char *program_text(struct program *, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char **program_list(struct program *, int count);          /* of so many texts; it goes with the program, as they do */
void  program_stop(struct program *, const struct place_in *, const char *text, const char *why);
struct act *program_act(struct program *, enum act_kind, int function, int node);
int   program_function(const struct program *, const char *name);                /* -1: not defined */
bool  program_is_builtin(const char *name);
struct map_entry *program_entry(struct program *, const char *text);             /* of the harness's map, else of the default map; or NULL */

void  program_account(struct program *, int function, int node, enum fate, const char *how);      /* what became of the node */
void  program_flow(struct program *, int function);              /* its nodes as acts, each with its fate */
bool  program_may_leave_out(struct program *, const struct node *);      /* does neither map nor call keep it in the model? */
bool  program_can_keep(struct program *, const struct tree *);   /* is every call in it known? */
void  program_share(struct program *);                           /* which variables others can see */
bool  program_is_shared(const struct program *, int function, const char *variable);
const char *program_variable(struct program *, int function, const char *variable);      /* in C; NULL: unknown */
bool  program_is_many(struct program *, const char *word);       /* do several sources have a variable of this name? Then that is an error */
char *program_c(struct program *);                               /* the C file; gives */
bool  program_is_best(const struct variables_of *, int which);   /* of several declarations of a global: is it the one to be believed? */
void  program_values(struct program *, struct prose *);          /* of it: what tells a trail the values of variables (program_values.c) */
char *program_header(struct program *);                          /* what Promela calls of it; gives */
void  program_promela(struct program *);                         /* the model's text and the origins of its lines */

const char *ctype_plain(struct program *, const char *type);     /* of a variable of its own: without const, volatile and _Atomic */
bool  ctype_is_array(const char *type);
bool  ctype_is_atomic(const char *type);
bool  ctype_is_pointer(const char *type);
bool  ctype_is_integer(const char *plain);
bool  ctype_is_number(const char *plain);                /* also of floating point */
char *tree_text(const struct tree *);                            /* the expression as C, for looking it up; gives */

#endif
