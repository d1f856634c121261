/* The protocol of doc/protocol.md: a request in, a reply out. The page and the terminal are its clients.
 * SPDX-License-Identifier: MIT */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include "base/err.h"
#include "report/job.h"

#include <jansson.h>

/* Every request: its name, its arguments (those in brackets may be left out) and what it does. */
#define REQUESTS(X) \
    X(hello,     "",                          "who is there: the program, its files, all requests") \
    X(where,     "",                          "where the system stands: each process, and what is wrong, if anything is") \
    X(next,      "",                          "one transition on, along the scenario") \
    X(previous,  "",                          "one transition back") \
    X(move,      "to",                        "to that position of the scenario") \
    X(reset,     "",                          "to the beginning of the scenario") \
    X(end,       "",                          "to the end of the scenario") \
    X(go,        "process [choice]",          "that process executes its next transition") \
    X(rejoin,    "",                          "back to the scenario that was loaded, to where it was left") \
    X(trace,     "[from] [to]",               "the transitions of the scenario, done and to come") \
    X(objects,   "",                          "the state of every object, and what the last transition changed") \
    X(source,    "[file]",                    "the text of one of the program's source files, or which there are") \
    X(stack,     "process",                   "the functions that the process is in") \
    X(locals,    "process [frame]",           "its local variables") \
    X(print,     "process [frame] expression", "the value of an expression in it") \
    X(step,      "process [choice]",          "its next line, into functions that it calls") \
    X(next_line, "process [choice]",          "its next line, over functions that it calls") \
    X(scenarios, "",                          "the .path files of the output folder") \
    X(load,      "file",                      "another scenario, of the output folder") \
    X(save,      "file",                      "writes the scenario to a new .path file of the output folder") \
    X(scenario,  "",                          "the scenario as such a file has it") \
    X(chart,     "format [file] [title] [color]", "the scenario as a message sequence chart, svg or ps") \
    X(space,     "",                          "the state space that a search saved in sss.VS") \
    X(visit,     "state",                     "drives the system to that state of the state space") \
    X(match,     "pattern",                   "labels of the state space that match the regular expression") \
    X(quit,      "",                          "ends the simulator")

struct protocol;

int      protocol_new(struct protocol **, const struct job *, const char *scenario, struct err *);      /* as simulator_new */
void     protocol_free(struct protocol *);                               /* NULL is fine */
json_t  *protocol_handle(struct protocol *, const json_t *request);      /* gives; never NULL */
uint64_t protocol_seq(const struct protocol *);                          /* grows with every change */
bool     protocol_over(const struct protocol *);                         /* quit was asked for */

#endif
