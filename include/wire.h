/* All that the runtime (inside the program under test) and the controller share.
 *
 * The controller makes one region of shared memory. Each process of the program owns a slot there: it describes in it what
 * it stands before (an event), rings the bell, and waits for a command. Invariant: a slot belongs to its process from the
 * moment the command is taken until the event is set, and to the controller at all other times.
 * SPDX-License-Identifier: MIT */
#ifndef WIRE_H
#define WIRE_H

#include "object.h"

#define WIRE_VERSION   1u            /* both ends check it; raise it when anything in this file changes */
#define MAX_PROCESSES  64

/* The types of objects that come with VeriSoft, in the order of the controller's table. */
#define OBJECT_TYPES(X) \
    X(PROCESS, process) X(TOSS, toss) X(ASSERT, assert) X(ABORT, abort) X(SEMAPHORE, semaphore) X(QUEUE, queue)

#define X(upper, lower) TYPE_##upper,
enum { OBJECT_TYPES(X) TYPE_COUNT };
#undef X
enum { TYPE_MEMORY = 15 };           /* only ever created: a shared memory segment, which cannot be attached */
enum { FIRST_USER_TYPE = 16 };       /* types loaded with --object are numbered from here, in the order of the options */

/* Operations of a process on itself and its children. All but WAIT are ends: never enabled, the process goes no further.
 *   EXIT  arg[0] exit status                      WAIT  arg[0] child awaited or -1: any; arg[1] 1: do not block
 *   CRASH arg[0] signal, text: what happened      DIVERGENCE, STRUCTURE, UNSUPPORTED, NONDETERMINISM  text: what happened */
enum { PROCESS_EXIT, PROCESS_WAIT, PROCESS_CRASH, PROCESS_DIVERGENCE, PROCESS_STRUCTURE, PROCESS_UNSUPPORTED,
       PROCESS_NONDETERMINISM };
enum { TOSS_TOSS };                                              /* arg[0] n: one of 0..n */
enum { ASSERT_ASSERT };                                          /* arg[0] the value, text: the expression */
enum { ABORT_ABORT };                                            /* arg[0] the value, text: the expression */
enum { SEMAPHORE_WAIT, SEMAPHORE_SIGNAL, SEMAPHORE_REMOVE };     /* arg[0] n */
enum { QUEUE_SEND, QUEUE_RECEIVE, QUEUE_IS_FULL, QUEUE_IS_EMPTY, QUEUE_REMOVE };   /* text: the message */

/* The result of WAIT: which child (counts from 0) and its wait status; or one of these. */
#define WAIT_RESULT(child, status)  ((uint32_t)(child) << 16 | ((uint32_t)(status) & 0xffff))
#define WAIT_NO_CHILD  UINT32_MAX            /* there is no child to wait for */
#define WAIT_NOT_YET   (UINT32_MAX - 1)      /* not blocking, and none has exited */

/* The result of an operation on an object that was removed, where it would otherwise be RESULT_NONE or a number; a receive
 * gets text number UINT32_MAX, which the program sees as NULL. */
#define RESULT_REMOVED UINT32_MAX

/* ---- the shared region ---- */

#define WIRE_VARIABLE  "VERISOFT_FD"         /* environment: file descriptor of the region; not set: no controller */
#define WIRE_NOTE      "VeriSoft"            /* name of the ELF note in a program with the runtime; its type is the version */

enum {
    MAX_MESSAGE = 4095,              /* bytes of a message or a reply, without the final 0 */
    MAX_NOTES   = 8191,              /* bytes of what VS_print said on the way; more is cut off */
    MAX_QUEUE   = 32767,             /* messages a queue can hold */
    MAX_TOSS    = (1 << 24) - 1,     /* the largest argument of VS_toss */
    MAX_OBJECTS = 4096,              /* a semaphore array counts as one for each of its semaphores */
    FIRST_PID   = 1000,              /* process p sees itself as process id FIRST_PID + p */
    LATEST      = -1                 /* as the number of a semaphore array: the one created last */
};

/* What a process says. Requests are answered by COMMAND_RUN at once and are no visible operations.
 *   OPERATION  a visible operation, or an end: type, code, number, index, arg, text
 *   CREATE     request: an object. type; arg; semaphores: number is the key, arg[0] how many, arg[1] flags;
 *              FIRST_USER_TYPE: text is the name of the type. Result: its number, or a negative errno
 *   SET        request: semaphore number, index gets the value arg[0].  Result: 0
 *   SIZE       request: how many semaphores has the array `number`?     Result: that
 *   FORK       request: a new process. Command: FORK, or none ever
 *   COPIED     answer to COPY: outcome
 *   CRASH      arg[0] signal, address: fault address
 *   REFUSE     text: a function that was called and is not controlled */
enum { EVENT_NONE, EVENT_OPERATION, EVENT_CREATE, EVENT_SET, EVENT_SIZE, EVENT_FORK, EVENT_COPIED, EVENT_CRASH, EVENT_REFUSE };

/* What the controller says.
 *   RUN   goes on with `result`, and with `reply` when has_reply is set
 *   COPY  clones itself; the copy takes slot `target` and waits there for its own command
 *   FORK  the same for the program's own fork: the original goes on at once
 *   END   dies: by SIGUSR2 to itself when `result` is set, so that the program's handler can clean up */
enum { COMMAND_NONE, COMMAND_RUN, COMMAND_COPY, COMMAND_FORK, COMMAND_END };

struct wire_slot {
    uint32_t command;                /* futex; back to NONE when the process takes it */
    uint32_t event;                  /* back to NONE when the controller has read it */
    int32_t  pid;                    /* real one; the kernel writes it as the process is created */
    int32_t  process;                /* number in the program, from the controller */
    int32_t  target;
    int32_t  outcome;                /* of COPY and FORK: 0 or a negative errno */
    uint32_t result;
    uint32_t has_reply;

    uint8_t  type, code;
    uint8_t  kernel_state;           /* it has open files, so memory is not all of its state */
    uint8_t  reserved;
    int32_t  number, index;          /* the object as the program names it; index -1: not in an array */
    int32_t  arg[3];
    uint32_t text_length;            /* more than MAX_MESSAGE: it was cut off */
    uint32_t notes_length;
    uint64_t place;                  /* code address after the call */
    uint64_t address;
    uint64_t fingerprint[2];
    char     text[MAX_MESSAGE + 1];
    char     reply[MAX_MESSAGE + 1];
    char     notes[MAX_NOTES + 1];
};

/* TRACED: the controller watches the start through ptrace, until the runtime is ready and stops itself by SIGSTOP. */
enum { LAUNCH_READY = 1, LAUNCH_FIXED_ADDRESSES = 2, LAUNCH_TRACED = 4, LAUNCH_FAILED = 8, LAUNCH_SANITIZED = 16,
       LAUNCH_ERRNO_SHIFT = 8 };

struct wire {
    uint32_t version;                /* WIRE_VERSION of the controller */
    uint32_t bell;                   /* futex; grows whenever there may be something new in a slot */
    int32_t  controller;             /* its process id: who is not its child must go */
    uint32_t slots_count;
    uint32_t launched;               /* how the start of the program went so far: LAUNCH_* */
    uint32_t reserved[11];
    struct wire_slot slots[];        /* the program's first process has slots[0] */
};

_Static_assert(sizeof(struct wire) == 64, "the header of the region is one cache line");
_Static_assert(sizeof(struct wire_slot) == 16480, "raise WIRE_VERSION and correct this when the layout changes");

#endif
