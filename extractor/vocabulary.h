/* The variables of the program in the model: each has a name there, and is declared only when something of the model uses it.
 * What a property speaks of is *watched*: it is global, one for each copy of the machine.
 * SPDX-License-Identifier: MIT */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#include "extractor/promela.h"

struct name_of_variable {
    int                       machine, instance;     /* -1 and 0: a global of the program */
    const struct function    *function;              /* NULL: a global */
    const struct variable_of *variable;
    char                     *name;                  /* with [me] behind it where there are several */
    char                     *declared;              /* the same without */
    bool                      used, watched;
};

struct vocabulary {
    const struct machines   *machines;
    const struct harness    *harness;
    struct name_of_variable *items;
    int                      count, room;
    const struct variable_of **controls;             /* of each machine: its state, if a property speaks of MACHINE@STATE; or NULL */
    bool                     changed;                /* something is used that was not before */
};

int         vocabulary_start(struct vocabulary *, const struct machines *, const struct harness *, struct err *);
void        vocabulary_fini(struct vocabulary *);

/* From now on it is used. NULL: there is no such variable. */
const char *vocabulary_use(struct vocabulary *, int machine, int instance, const struct function *, const char *variable);
/* NULL: it is not used (so far). */
const char *vocabulary_used(struct vocabulary *, int machine, int instance, const struct function *, const char *variable);
bool        vocabulary_shared(const struct vocabulary *, int machine, const char *name);   /* is it global in the model, by its name there? */
bool        vocabulary_global(const struct vocabulary *, const char *variable);                   /* is it a global of the program? */
const char *vocabulary_watched(struct vocabulary *, int machine, const char *variable);    /* of the routine; NULL: no property speaks of it */

/* Where MACHINE@STATE is kept: the state in which it waits, or got the event that it works on. Gives; NULL: no property asks. */
char       *vocabulary_control(const struct vocabulary *, int machine);

char       *vocabulary_forget(const struct vocabulary *, int machine);     /* Promela that makes what does not last 0; gives */
char       *vocabulary_declare(const struct vocabulary *, int machine);    /* Promela, line by line; -1: what is global; gives */
void        vocabulary_tell(const struct vocabulary *, struct model *);    /* what each name means, in the program's words */
bool        vocabulary_reserved(const char *word);                    /* is it a word of Promela? */

#endif
