/* The one table of options: the command line, system_file.VS, --help, the man page and the sample file all read it, so they
 * cannot differ. To add an option is to add a line here and to use its value in plan.c.
 *
 * A name is written with underscores, as in system_file.VS and in the report; on the command line max_depth is --max-depth.
 * SPDX-License-Identifier: MIT */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "report/job.h"
#include "search/search.h"
#include "wire.h"

#include <stdbool.h>
#include <stdint.h>

enum option_kind {
    KIND_NUMBER,
    KIND_SIZE,                       /* bytes: 500000, 64K, 64M, 2G */
    KIND_AMOUNT,                     /* a number of things, or, with K, M or G, their bytes */
    KIND_SWITCH,                     /* 0 or 1; on the command line its bare name is 1 */
    KIND_CHOICE,                     /* one of a few names; its number is an index of them */
    KIND_TEXT,
    KIND_LIST,                       /* a text that may be given again and again */
    KIND_FLAG                        /* no value */
};

/* Where an option may stand. */
enum { IN_FILE = 1, IN_CHECK = 2, IN_REPLAY = 4, IN_SIMULATE = 16, IN_CERTIFY = 32, IN_TEST = 64,
       REPEATED = 8,                 /* given to a check, the replay of what it found needs it too */
       PARAMETER = IN_FILE | IN_CHECK, ALL = IN_CHECK | IN_REPLAY | IN_SIMULATE | IN_CERTIFY, SHARED = IN_FILE | ALL | REPEATED };

#define OPTION_GROUPS(X) \
    X(SEARCH, "Search") X(ERRORS, "Errors") X(PROGRAM, "Program") X(FILES, "Files and output") X(OTHER, "Other")

#define VOLATILES(X) \
    X(ATOMIC, atomic, "atomic variables: their accesses are operations, and race with nothing that is atomic, too") \
    X(PLAIN,  plain,  "variables like any other: to use them without a lock is a data race, as C says")
#define X(upper, ...) VOLATILE_##upper,
enum volatiles { VOLATILES(X) VOLATILE_COUNT };
#undef X

#define TIMER_ORDERS(X) \
    X(TIME, time, "the one whose virtual time comes first; computing takes no time") \
    X(ANY,  any,  "any that is armed") \
    X(LATE, late, "as time, but only when nobody else can go on: what a watchdog is for")
#define X(upper, ...) TIMER_ORDER_##upper,
enum timer_orders { TIMER_ORDERS(X) TIMER_ORDER_COUNT };
#undef X

#define NO_DEFAULT INT64_MIN

/*    name              kind    where             least  most            default            value      group    help */
#define OPTIONS(X) \
    X(search,           CHOICE, PARAMETER | IN_TEST,         0, 0,                 SEARCH_AUTO,       "NAME",    SEARCH, \
      "how to walk through the states; a program with threads or shared memory: dfs, unless this is given") \
    X(reduction,        CHOICE, PARAMETER | IN_TEST,         0, 0,                 REDUCTION_SOURCE,  "NAME",    SEARCH, \
      "which interleavings to leave out because they cannot differ; with stateful none or sleep, with bfs and random none, with " \
      "threads or shared memory optimal unless this is given") \
    X(max_depth,        NUMBER, PARAMETER | IN_TEST,         0, UINT32_MAX,        100,               "N",       SEARCH, \
      "go no deeper than N transitions; 0: no bound, which is what auto, stateful and bfs do unless this is given; " \
      "with threads or shared memory 2000, or more where the first path ends by itself") \
    X(depth_incr,       NUMBER, PARAMETER | IN_TEST,         1, UINT32_MAX,        5,                 "N",       SEARCH, \
      "depth of one layer of the searches auto and iterative") \
    X(stop_at_state,    NUMBER, PARAMETER | IN_TEST,         0, INT64_MAX,         NO_DEFAULT,        "N",       SEARCH, \
      "stop after N states; 0: no bound, which is what every search but random (100000) does unless this is given") \
    X(time_limit,       NUMBER, PARAMETER | IN_CERTIFY | IN_TEST, 0, 1000000000,        0,                 "SECONDS", SEARCH, \
      "stop after so many seconds, compiling included, and report what was found until then; 0: no limit") \
    X(memory_limit,     SIZE,   PARAMETER | IN_TEST,         0, INT64_MAX,         0,                 "SIZE",    SEARCH, \
      "stop when the search holds so much memory (64M, 2G), and report what was found until then; 0: no limit") \
    X(cache,            AMOUNT, PARAMETER,         0, INT64_MAX,         0,                 "N|SIZE",  SEARCH, \
      "keep no more than N states, or as many as SIZE holds (64M), and search again those that are come to again; the search is stateful then. " \
      "0: keep all") \
    X(cache_policy,     CHOICE, PARAMETER,         0, 0,                 CACHE_COST,        "NAME",    SEARCH, \
      "which state the cache gives up for a new one") \
    X(random_seed,      NUMBER, PARAMETER | IN_TEST,         INT64_MIN + 1, INT64_MAX, NO_DEFAULT,    "N",       SEARCH, \
      "try the values of VS_toss in a random order that N fixes; also fixes the walks of the random search (there 1 " \
      "unless this is given)") \
    X(init_path,        TEXT,   PARAMETER | IN_TEST,         0, 0,                 NO_DEFAULT,        "FILE",    SEARCH, \
      "start the search where the scenario in FILE ends") \
    X(stop_at_error,    NUMBER, PARAMETER | IN_TEST,         0, INT64_MAX,         1,                 "N",       ERRORS, \
      "stop after N errors; those of one kind at the same places count once; 0: never") \
    X(ignore_deadlock,  SWITCH, PARAMETER | IN_CERTIFY | IN_TEST, 0, 1,                 0,                 "0|1",     ERRORS, \
      "1: a deadlock is no error") \
    X(livelock_limit,   NUMBER, SHARED & ~IN_CERTIFY, 0, UINT32_MAX,        15,                "N",       ERRORS, \
      "a process blocked during N successive transitions is livelocked; 0: do not look for livelocks, which is so with " \
      "threads or shared memory unless this is given") \
    X(invariant,        LIST,   SHARED,            0, 0,                 NO_DEFAULT,        "EXPR",    ERRORS, \
      "an expression of C over the program's variables that must be true in every state; x@2 is x in process 2, next(x) its value after a " \
      "transition; may be given several times. The search is stateful then, unless another one is given") \
    X(divergence_limit, NUMBER, SHARED,            1, 1000000,           10,                "SECONDS", ERRORS, \
      "a process that runs for so long without a visible operation diverges") \
    X(races,            CHOICE, SHARED,            0, 0,                 RACES_REPORT,      "NAME",    ERRORS, \
      "what is done about data races of threads and of processes that share memory") \
    X(suppressions,     TEXT,   SHARED,            0, 0,                 NO_DEFAULT,        "FILE",    ERRORS, \
      "do not tell of data races of the variables, places and functions that FILE names; what they do is searched all the same") \
    X(instrument,       SWITCH, SHARED,            0, 1,                 1,                 "0|1",     PROGRAM, \
      "0: sources are compiled as they are, and data races and atomic variables are not seen; so is it for a certificate, unless this is given") \
    X(volatile,         CHOICE, SHARED,            0, 0,                 VOLATILE_ATOMIC,   "NAME",    PROGRAM, \
      "what volatile variables are taken for") \
    X(rounds,           NUMBER, SHARED,            2, LARGEST_ROUNDS,    USUAL_ROUNDS,      "N",       PROGRAM, \
      "of a loop that looks at a shared variable and counts, N rounds are searched each by itself, the others as a part of the last of these") \
    X(nproc,            NUMBER, SHARED,            1, MAX_PROCESSES,     NO_DEFAULT,        "N",       PROGRAM, \
      "the program has exactly N processes, and any other number is an error; not given: as many as there are") \
    X(object,           LIST,   ALL | REPEATED,    0, 0,                 NO_DEFAULT,        "FILE.so", PROGRAM, \
      "load a type of communication object of your own; may be given several times") \
    X(sigusr2,          SWITCH, SHARED,            0, 1,                 0,                 "0|1",     PROGRAM, \
      "1: end processes by SIGUSR2, so that they can clean up, instead of SIGKILL") \
    X(env,              LIST,   ALL | REPEATED,    0, 0,                 NO_DEFAULT,        "NAME",    PROGRAM, \
      "give the program this variable of the environment (or NAME=VALUE), which is otherwise the same every time and nearly " \
      "empty; may be given several times") \
    X(stdin,            TEXT,   SHARED,            0, 0,                 NO_DEFAULT,        "FILE",    PROGRAM, \
      "what the program reads from standard input: each start of it gets FILE from its beginning; not given: verisoft's own " \
      "standard input if that is a file, else there is nothing to read") \
    X(spurious_wakeups, SWITCH, SHARED,            0, 1,                 0,                 "0|1",     PROGRAM, \
      "1: a thread that waits for a condition variable may wake for no reason, as POSIX allows") \
    X(timers,           CHOICE, SHARED,            0, 0,                 TIMER_ORDER_TIME,  "NAME",    PROGRAM, \
      "which of several timers that are armed may expire") \
    X(overruns,         NUMBER, SHARED,            0, MOST_OVERRUNS,     0,                 "N",       PROGRAM, \
      "a timer that repeats may expire N times more while nobody has seen its last expiry") \
    X(outside,          LIST,   ALL | REPEATED,    0, 0,                 NO_DEFAULT,        "NAME",    PROGRAM, \
      "what a function does, or a type of object, or one such (\"mutex m in log.c\"), or \"process N\", is run " \
      "within the transitions of the others, in one order; may be given several times") \
    X(restart,          SWITCH, PARAMETER | IN_CERTIFY, 0, 1,                 0,                 "0|1",     PROGRAM, \
      "1: go back by starting a program with threads or shared memory again, instead of putting its memory back") \
    X(config,           TEXT,   ALL | REPEATED,    0, 0,                 NO_DEFAULT,        "FILE",    FILES, \
      "read parameters from FILE instead of from system_file.VS in the current folder") \
    X(output,           TEXT,   IN_CHECK | IN_SIMULATE | IN_CERTIFY | IN_TEST, 0, 0, NO_DEFAULT,        "DIR",     FILES, \
      "write scenarios and the state space to DIR instead of to the current folder") \
    X(terminal,         FLAG,   IN_SIMULATE,       0, 1,                 NO_DEFAULT,        NULL,      OTHER, \
      "simulate by typed commands, here, instead of in the browser") \
    X(no_browser,       FLAG,   IN_SIMULATE,       0, 1,                 NO_DEFAULT,        NULL,      OTHER, \
      "open no browser, only print the address of the page") \
    X(port,             NUMBER, IN_SIMULATE,       0, 65535,             0,                 "N",       OTHER, \
      "serve the page at this port; 0: at any that is free") \
    X(certificate,      TEXT,   IN_CHECK,          0, 0,                 NO_DEFAULT,        "FILE.scc", FILES, \
      "write a certificate of the search, which others can follow (verisoft certify); the search is stateful then, unless " \
      "--reduction source or optimal is given. A search that found errors or was cut writes none") \
    X(trustful,         FLAG,   IN_CHECK | IN_CERTIFY, 0, 1,             NO_DEFAULT,        NULL,      FILES, \
      "of a certificate: only transitions that lead to new states, for somebody who believes it and wants to check more properties") \
    X(tasks,            NUMBER, IN_CHECK | IN_CERTIFY, 1, 100000,        NO_DEFAULT,        "K",       SEARCH, \
      "of a certificate: cut it into K parts of the same size, each followed by a command of its own, and compare what they say; not given: four " \
      "times as many as --jobs. Of a search with --cluster: so many parts of it are with the cluster at a time; not given: 16") \
    X(jobs,             NUMBER, IN_CHECK | IN_CERTIFY | IN_TEST, 1, 1024, 1,                "N",       SEARCH, \
      "of a certificate: follow so many parts at a time; of a suite: have so many copies of the box at a time; of a search depth first: so many " \
      "processes search at a time, and all counts and errors are those of one; -j N means the same") \
    X(parts,            TEXT,   IN_CERTIFY,        0, 0,                 NO_DEFAULT,        "DIR",     FILES, \
      "only write the parts to DIR, so that any machine can follow them: verisoft certify PROGRAM DIR/1.part, and so on") \
    X(merge,            TEXT,   IN_CERTIFY,        0, 0,                 NO_DEFAULT,        "DIR",     FILES, \
      "the parts in DIR were followed: the verdict of all of them") \
    X(cluster,          TEXT,   IN_CHECK | IN_CERTIFY, 0, 0,             NO_DEFAULT,        "slurm",   SEARCH, \
      "search parts, or follow those of a certificate, as jobs of Slurm; $TMPDIR, the program and the current folder must be seen by all nodes. The " \
      "search is dfs then, unless another one is given") \
    X(mission,          TEXT,   IN_CHECK,          0, 0,                 NO_DEFAULT,        "FILE",    SEARCH, \
      "search the part of another's search that FILE asks for, and write what came of it to FILE.told: what -j and --cluster run") \
    X(map,              TEXT,   IN_CERTIFY,        0, 0,                 NO_DEFAULT,        "FILE",    FILES, \
      "of a part of a certificate: write what its states are to FILE, to be compared with those of the others; not given: for 1.part to 1.map, " \
      "and the report to 1.json") \
    X(report,           TEXT,   IN_CERTIFY,        0, 0,                 NO_DEFAULT,        "FILE.html", FILES, \
      "write the verdict and what it rests on as one page for the file of evidence") \
    X(json,             TEXT,   IN_CHECK | IN_CERTIFY | IN_TEST, 0, 0,                 NO_DEFAULT,        "FILE",    FILES, \
      "write the report as JSON to FILE too; -: only as JSON, to standard output") \
    X(junit,            TEXT,   IN_CHECK | IN_TEST,          0, 0,                 NO_DEFAULT,        "FILE",    FILES, \
      "write the report as JUnit XML: a test case for the search, and one for each error") \
    X(sarif,            TEXT,   IN_CHECK | IN_TEST,          0, 0,                 NO_DEFAULT,        "FILE",    FILES, \
      "write the report as SARIF, with the story of each error as a code flow") \
    X(save_state_space, SWITCH, PARAMETER | IN_TEST,         0, 1,                 0,                 "0|1",     FILES, \
      "1: save the state space in the file sss.VS") \
    X(max_sss,          NUMBER, PARAMETER | IN_TEST,         1, 1000000,           10,                "MB",      FILES, \
      "the file sss.VS grows no larger than so many megabytes") \
    X(gdb,              FLAG,   IN_REPLAY,         0, 1,                 NO_DEFAULT,        NULL,      OTHER, \
      "where the scenario ends, start gdb on the process that the error is about, or on the first") \
    X(hold,             FLAG,   IN_REPLAY,         0, 1,                 NO_DEFAULT,        NULL,      OTHER, \
      "where the scenario ends, say how to attach a debugger, and wait for Ctrl-C") \
    X(quiet,            FLAG,   IN_CHECK | IN_CERTIFY | IN_TEST, 0, 1,                 NO_DEFAULT,        NULL,      OTHER, \
      "print no report and no progress: the exit status tells") \
    X(no_color,         FLAG,   ALL | IN_TEST,               0, 1,                 NO_DEFAULT,        NULL,      OTHER, \
      "no colours, also on a terminal") \
    X(help,             FLAG,   ALL | IN_TEST,               0, 1,                 NO_DEFAULT,        NULL,      OTHER, \
      "print this help") \
    X(version,          FLAG,   ALL | IN_TEST,               0, 1,                 NO_DEFAULT,        NULL,      OTHER, \
      "print the version")

#define X(name, ...) OPTION_##name,
enum option_id { OPTIONS(X) OPTION_COUNT };
#undef X
#define X(upper, title) GROUP_##upper,
enum option_group { OPTION_GROUPS(X) GROUP_COUNT };
#undef X

struct choice { const char *name, *help; };

struct option {
    const char          *name;
    enum option_kind     kind;
    unsigned             where;
    int64_t              least, most;        /* of a number */
    int64_t              standard;           /* the value when it is not given; NO_DEFAULT: none */
    const char          *value;              /* what help calls it; NULL: takes none */
    enum option_group    group;
    const char          *help;
};

extern const struct option options[OPTION_COUNT];
extern const char *const   option_group_titles[GROUP_COUNT];

/* The names that a KIND_CHOICE can take, and how many. */
const struct choice *option_choices(enum option_id, int *count);

/* The option of that name among those that may stand in one of `where`, or -1. '-' is as good as '_' except in a file. */
int option_find(const char *name, unsigned where);

/* Its default as one writes it: "100", "iterative"; NULL: none. */
struct option_text { char text[32]; };
const char *option_default(enum option_id, struct option_text *);

/* "--max-depth", for messages and help. */
struct option_text option_on_command_line(enum option_id);

#endif
