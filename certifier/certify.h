/* Follows a certificate and believes nothing of it (algorithm 3.1 of the thesis on search-carrying code): the program is run along the
 * script, and each of its entries is compared with what the program does.
 *
 * Why that is enough: whoever leaves a state before all that is enabled there was executed, takes a transition that there is not, or says
 * of a state that it is one of those before and it is not (by its fingerprint), is seen when the entry is read. What is left are scripts in
 * which all transitions of all states that were entered were executed, and lead to states that were entered: all that there are. A state
 * that is called new and was entered before would only be searched again; that is seen at the end, where the different fingerprints are
 * counted (tally.h), and rejected, too: what is told of how many states there are must be so.
 * Whether a state is the one that it is said to be is found out for all entries at once, at the end, or when there is another verdict (balance.h). If
 * some is not, the script is followed again to name the entry: then, and in a part, fingerprints are kept for the states alone to which
 * entries still to come lead. These are counted before any is followed (marks.h), so the script need not say it, and cannot say it wrongly.
 *
 * A part of a script (partition.h) is followed from where it begins: the path to there is executed, and believed to be what the parts before
 * it say. Of every state on it in which the part stands again, and of every one that some other part speaks of, the fingerprint is written down; they are compared when
 * all parts were followed (merge.h). So all that is said of a state in one part is said of the same state in all of them.
 *
 * Trustful: the script is believed. Its transitions are executed, in the states that they lead to properties are checked; that these are
 * all states is not.
 * SPDX-License-Identifier: MIT */
#ifndef CERTIFY_H
#define CERTIFY_H

#include "certifier/script.h"
#include "certifier/wrong.h"
#include "native/native.h"
#include "report/path.h"

#include <stdarg.h>

#define CERTIFY_RESULTS(X) X(CERTIFIED, certified) X(REJECTED, rejected) X(ERRORS, errors) X(CUT, incomplete)
#define X(upper, lower) CERTIFY_##upper,
enum certify_result { CERTIFY_RESULTS(X) };
#undef X
extern const char *const certify_results[];

struct tree_file;

struct certify_settings {
    const volatile int     *interrupt;       /* not 0: stop; NULL: never */
    const struct fields    *evidence;        /* what the header should say of the program and its settings (certifier's own) */
    bool                    trustful, ignore_deadlock;
    const char             *program;         /* as the user typed it, for scenarios */
    struct tree_file       *tree;            /* NULL, or: it is not a script that is followed, but this */
    FILE                   *map;             /* of a part of a script: where to write what states are that others need; else NULL */
    void                  (*progress)(void *, uint64_t transitions, uint64_t of);        /* NULL: none */
    void                   *progress_arg;
};

struct certification {
    enum certify_result  result;
    uint64_t             entries, states, transitions, depth;            /* that were executed here; the deepest state */
    uint64_t             kept;               /* fingerprints at a time, at most */
    bool                 tree;               /* it is one of executions (tree.h): */
    uint64_t             executions, sleep_cut, races;   /* that ran to their end; that end because all that is left sleeps; races seen */
    uint32_t             parts;              /* in which it was followed; 0: as a whole. `kept` is then that of the part with the most */
    uint64_t             compared;           /* fingerprints of the parts */
    int                  processes;
    struct native_counts native;             /* certify_program fills them in */
    double               seconds;

    /* What is wrong with the certificate, or with the program. */
    uint64_t             entry, state;       /* where; entry 0: in the header, or at the end. Of a tree: the execution */
    char                *message;            /* NULL: nothing */
    enum found_kind      kind;               /* of an error of the program; else FOUND_NOTHING */
    int                  process;            /* counts from 1; 0: all */
    struct path          path;               /* how to come there; empty for what is wrong in the header */
    bool                 path_there;
};

/* Was the certificate made for this program, started in this way? By its header alone. Gives words; NULL: it was. */
char *certify_other_program(const struct fields *theirs, const struct fields *ours);

/* The system is at its initial state, and is there again afterwards. 0, or negative: it could not be done, and err says why. -EINTR:
 * interrupted; what was done until then is in the certification. Release with certification_fini in either case. */
int  certify(const struct certify_settings *, struct script *, struct system *, struct certification *, struct err *);
/* What is to be certified. */
struct certify_program {
    struct native_settings  native;
    const struct structure *structure;       /* may be empty */
    struct invariants      *invariants;      /* NULL: none */
    bool                    executions;      /* certify_program says so: states are not compared */
};

/* The same, also of a tree: starts the program, and an error counts only when it was run again from the start, in fresh processes. */
int  certify_program(const struct certify_settings *, const struct certify_program *, struct script *, struct certification *,
                     struct err *);
void certification_fini(struct certification *);
/* The scenario of what is wrong: so many steps, which stand so many bytes apart. */
void certification_save(struct certification *, const char *program, const struct system *, const struct step *, size_t apart, uint32_t count);
/* It is a lie, in these words: in this entry, or 0. */
void certification_reject(struct certification *, uint64_t entry, const char *format, va_list);
/* This is wrong with the program; or VeriSoft cannot follow it there, and then nobody can have searched it. Takes the words. */
void certification_wrong(struct certification *, const struct wrong_thing *);
/* The header speaks of another program, in these words, which it takes: that is wrong, whatever else is. */
void certification_blame(struct certification *, char *other);

#endif
