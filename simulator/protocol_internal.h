/* What the files of the protocol share: protocol.c has the table of requests and those that move, look and step; protocol_files.c those
 * about files, protocol_space.c those about the state space. Only these include it.
 * SPDX-License-Identifier: MIT */
#ifndef PROTOCOL_INTERNAL_H
#define PROTOCOL_INTERNAL_H

#include "simulator/arguments.h"
#include "simulator/debug.h"
#include "simulator/protocol.h"
#include "simulator/simulator.h"
#include "simulator/sources.h"
#include "simulator/space.h"

#define SPACE_FILE "sss.VS"

struct protocol {
    struct simulator *simulator;
    struct debug     *debug;         /* NULL until something is asked of it */
    bool              debug_group;   /* it is of a job that is a group */
    struct inside     inside;
    struct known_sources   *sources;       /* NULL until they are asked for */
    struct space      space;
    bool              has_space;     /* it was read */
    uint64_t          seq;           /* changes beside those of the simulator */
    bool              over;
};

/* What a request does with its arguments; what it answers it puts into the reply, also when it fails. */
#define HANDLER(name) int request_##name(struct protocol *p, const json_t *q, json_t *reply, struct err *err)

#define X(name, arguments, help) HANDLER(name);
REQUESTS(X)
#undef X

int  protocol_give(json_t *reply, const char *key, json_t *value);       /* takes; NULL is a failure. Key NULL: all that is in it */
int  protocol_moved(struct protocol *, json_t *reply, int rc);           /* says where the system stands, if all went well; gives rc */
int  protocol_move(struct protocol *, uint32_t position, json_t *reply, struct err *);
void protocol_leave(struct protocol *);                                  /* nobody is inside then */
/* Warns in the reply when a file says that it is of another program; NULL: it does not say. */
void protocol_warn(const struct protocol *, const char *what, const char *program, json_t *reply);

#endif
