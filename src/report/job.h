/* A job is one check of one program: start it, bring it to where the search begins, search, replay every error found in
 * fresh processes before believing it, write the scenario files. The outcome is data; text.h and json.h print it.
 *
 * Invariants: what counts as an error in the outcome was executed, and replayed from the start in fresh processes; then its file is
 * on disk. Each finding counts as one thing. The outcome is complete only if everything was searched and nothing was found.
 * SPDX-License-Identifier: MIT */
#ifndef JOB_H
#define JOB_H

#include "history/starter.h"
#include "native/native.h"
#include "search/search.h"

/* A process of the program that stands where a scenario ends. */
struct standing {
    int   process;                           /* counts from 1; in a group the first thread of a UNIX process */
    pid_t pid;
};

/* Who is told what a search does, to make a certificate of it. self NULL: nobody. */
struct recorder {
    void *self;
    void (*begin)(void *self, struct system *);            /* at its first state; a later one voids what was before */
    /* One of the two, which are those of a watcher (search.h); the other is NULL. */
    void (*transition)(void *self, uint64_t from, uint64_t to, const struct step *);
    void (*execution)(void *self, uint64_t number, const struct step *path, uint32_t depth);
};

struct invariants;

/* What is done about data races. IGNORE: they are not looked for, and not searched. */
#define RACES(X) \
    X(REPORT, report, "each pair of places is told once, and the search goes on, with what the race can do") \
    X(STOP,   stop,   "the first one ends the search") \
    X(IGNORE, ignore, "they are not looked for, nor what they can do; atomic variables are seen all the same")
#define X(upper, ...) RACES_##upper,
enum races { RACES(X) RACES_COUNT };
#undef X

struct job {
    const char            *name;             /* the program as the user typed it, all words: "main.c" */
    const char            *self;             /* how the user calls us: "verisoft", "build/verisoft" */
    const char            *options;          /* what else a replay's command line needs after the name ("" or "-lm --object x.so") */
    const char            *program_arguments;        /* as typed after --, "" when none; `replay` lines end with them */
    bool                   compiled;         /* the program was given as sources */
    /* NULL, or: gives an executable that tells of its accesses to memory, for a sharing group; NULL with 0: there is none. */
    int                  (*watched)(void *, const char **executable, struct err *);
    void                  *watched_arg;
    const struct starter  *starter;          /* NULL, or: who starts it instead of native, as a sharing group */
    struct native_settings native;
    struct search_settings search;
    struct search_settings group_search;     /* when the program turns out to be a sharing group */
    const struct structure *structure;       /* may be empty */
    struct invariants     *invariants;       /* NULL: none */
    int                    nproc;            /* 0: not given; else it must be exact */
    const char            *init_path;        /* a scenario to start from; NULL: none */
    uint64_t               stop_at_error;    /* 0: no limit; data races do not count */
    enum races             races;
    struct suppressions   *suppressions;     /* borrowed; NULL: none */
    bool                   save_state_space;
    uint64_t               max_sss;          /* megabytes */
    const char            *certificate;      /* file for a certificate of the search; NULL: none is wanted */
    struct recorder        recorder;
    const char            *output;           /* folder for files; "." */
    const volatile int    *interrupt;
    void                 (*progress)(void *, const struct counts *, uint32_t depth, uint32_t errors, bool group);    /* NULL: none */
    void                  *progress_arg;
    void                 (*hold)(void *, const struct standing *, int count);    /* NULL, or: called where a replay ends */
    void                  *hold_arg;
};

/* One line of a story: a transition, or (step 0) what is wrong at the end. */
struct story_line {
    uint32_t step;                           /* counts from 1; 0: the error itself */
    int      process;                        /* counts from 1 */
    char    *text;                           /* rcv_from_queue(0) = "room_is_hot" */
    char    *notes;                          /* VS_print lines, NULL: none */
    char    *location;                       /* main.c:42, NULL: unknown */
};

/* What becomes of something that was found. */
enum counts_as {
    COUNTS_AS_ERROR,                         /* it was replayed in fresh processes */
    COUNTS_AS_LIMIT,                         /* the program does what VeriSoft cannot follow: there it was not searched further */
    COUNTS_AS_UNCONFIRMED,                   /* it could not be replayed, for lack of time or because of the machine */
    COUNTS_AS_COUNT
};

struct raced {
    char    *variable;
    uint64_t size;
    struct { int process; uint32_t step; const char *verb; char *location, *stack; } by[2];      /* process and step count from 1 */
};

struct error {
    enum counts_as  counts_as;
    enum error_kind kind;
    uint64_t        count;                   /* different paths that were found to end like this; the shortest is told */
    uint32_t        depth;
    int             process;                 /* counts from 1; 0: all */
    char           *location;                /* NULL: unknown */
    char           *message;                 /* one line: VS_assert(ac) is false in process 1 */
    char           *explanation;             /* more lines in plain words, NULL: none needed */
    char           *function;                /* of a limit: what was called, or where it spins; else NULL */
    char           *scenario;                /* file name in `output`, NULL: it could not be written (`warnings` say why) */
    struct story_line    *lines;                   /* the story */
    uint32_t        line_count;
    struct raced    raced;                   /* of a data race; else empty */
    uint64_t        difference;              /* of nondeterminism: as in struct confirmation; else 0 */
    uint32_t        replays, failed;         /* where a starter ran it: how often it was run again, and how often it failed then */
    uint32_t        longer;                  /* so many steps more there were when it was found */
    char           *threads[MAX_PROCESSES];  /* what each process is, by the function it began with; NULL: unknown */
};

/* A driver of a suite, and the errors that are its own. */
struct driven { char *name; int process; uint32_t errors; };     /* process counts from 1 */

enum result { RESULT_COMPLETE, RESULT_INCOMPLETE, RESULT_ERRORS };

struct outcome {
    enum result          result;
    struct error        *findings;
    uint32_t             finding_count, finding_room;
    uint32_t             counted[COUNTS_AS_COUNT];       /* how many of each sort */
    uint32_t             races;              /* data races among them */
    struct raced        *suppressed;         /* data races that are not told, because the suppressions name them */
    uint32_t             suppressed_count, suppressed_room;
    bool                 instrumented;       /* the program told of its reads and writes */
    char                *unseen;             /* "libz.so.1": code that does not, though the program does; NULL: none is known */
    bool                 race_free;          /* data races were looked for, in everything that was searched, and there is none */
    bool                 weak_orders;        /* atomic accesses that are not sequentially consistent were searched as if they were */
    char                *counts;             /* "main.c:42": a loop that looks and counts, of which not all rounds were searched; NULL: none */
    char                *whole;              /* likewise: an access in several parts between which nothing was searched */
    char                *round;              /* likewise: where a process goes round on the first path that max_depth cut; NULL: unknown */
    uint32_t             passes;             /* searches that were begun again, because there was one more shared variable to see */
    struct search_result search;
    struct search_settings settings;         /* of the search that was made */
    bool                 group;              /* threads, or memory that processes share */
    int                  processes;
    uint32_t             object_count;
    char                *objects;            /* "2 queues, 1 semaphore" */
    uint64_t             local_states[MAX_PROCESSES];
    struct native_counts native;
    double               seconds;            /* of the search, without compiling */
    uint64_t             memory_kb;
    char                *shared;             /* the variables whose accesses are operations, as in a scenario (report/shared.h); NULL: none */
    char                *no_certificate;     /* why there is none, in a sentence; NULL: there is, or none was wanted */
    uint64_t             certificate_bytes;
    char                *state_space;        /* file name, NULL: none written */
    int                  gave_up;            /* the status with which the program ended before it did anything with others; 0: it did not */
    char                *warnings, *notes;   /* lines, NULL: none */
    struct starter_says  says;               /* where a starter ran it; owned */
    struct driven       *drivers;            /* ... and what each of its drivers came to; owned */
    uint32_t             driver_count;
};

/* 0: `outcome` is filled. Negative: the program or the files could not be used, and err says why; what was found until then
 * is in the outcome all the same. Release with outcome_fini. */
int  job_run(const struct job *, struct outcome *, struct err *);
/* From now on accesses to what these ask for are operations, wherever they are; after a run that has found their variables. */
void job_look_closer(const struct job *, const struct invariants *);
int  job_as_group(const struct job *, struct job *group, struct err *);          /* the same, of a sharing group; borrows all */
void outcome_fini(struct outcome *);

/* Runs the scenario file on the real program, step by step, and prints to `out` each transition, the program's own output
 * as it comes, and at the end what is the case there (an error, or what could happen next). `result`: an error was reached; or a
 * limit of ours (incomplete); or nothing is wrong. Negative: the scenario does not fit the program, and err says at which line,
 * what it says and what the program does instead. Lines end before column `width` (0: as long as they are). */
int  job_replay(const struct job *, const char *scenario, FILE *out, int width, enum result *, struct err *);

#endif
