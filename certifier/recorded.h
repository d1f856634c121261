/* A recorded search as a system: what a script (script.h) says of a program, without the program. One process stands, in each state of the
 * script, before a VS_toss with as many values as transitions go from there, in the order of the script; where none goes, it ends. So a search
 * that keeps states does on it what it would do on the program, only faster, and can be tried again and again with other settings.
 *
 * What is lost: who takes a transition, and which of them depend on each other. So there are no reductions on it.
 * SPDX-License-Identifier: MIT */
#ifndef RECORDED_H
#define RECORDED_H

#include "base/err.h"
#include "system/system.h"

struct recorded;
/* The script is read whole, and must be of kind `search`, and no part. Gives; NULL with err. */
struct recorded *recorded_open(const char *file, struct err *);
void             recorded_close(struct recorded *);              /* NULL is fine */
struct system   *recorded_system(struct recorded *);             /* at its first state; borrowed */
uint32_t         recorded_states(const struct recorded *);
uint64_t         recorded_transitions(const struct recorded *);

#endif
