/* All that the runtime (in the program under test) and the controller share.
 *
 * The controller makes one region of shared memory. Each process of the program owns a slot there: it describes in it what
 * it stands before (an event), rings the bell, and waits for a command. Invariant: a slot belongs to its process from the
 * moment the command is taken until the event is set, and to the controller at all other times.
 * SPDX-License-Identifier: MIT */
#ifndef WIRE_H
#define WIRE_H

#include "object.h"

#define WIRE_VERSION   34u           /* both ends check it; raise it when anything in this file changes */
#define MAX_PROCESSES  64

/* The types of objects that come with VeriSoft, in the order of the controller's table. */
#define OBJECT_TYPES(X) \
    X(PROCESS, process) X(TOSS, toss) X(ASSERT, assert) X(ABORT, abort) X(SEMAPHORE, semaphore) X(QUEUE, queue) \
    X(MUTEX, mutex) X(COND, cond) X(RWLOCK, rwlock) X(BARRIER, barrier) X(ONCE, once) X(COUNTER, counter) \
    X(STREAMS, streams) X(SEMSET, semset) X(MESSAGES, messages) X(ACCESS, access) X(FUTEX, futex) X(LOCATION, location) \
    X(STEP, step) X(EVENT, event)

#define X(upper, lower) TYPE_##upper,
enum { OBJECT_TYPES(X) TYPE_COUNT };
#undef X
enum { FIRST_USER_TYPE = 32 };       /* types loaded with --object are numbered from here, in the order of the options */

/* Operations of a process on itself and others. Some are ends (process_is_end): never enabled, the process goes no further.
 *   EXIT  arg[0] exit status                      WAIT  arg[0] child awaited or -1: any; arg[2] may have ARG_NOWAIT
 *   CRASH arg[0] signal, arg[1] CRASH_*, text: what happened      DIVERGENCE, STRUCTURE, NONDETERMINISM  text: what happened
 *   UNSUPPORTED arg[0] text: the function, arg[1] REFUSED_*; text: what happened
 *   NONE  not yet created
 * In a sharing group, where threads come and go:
 *   START   before its first instruction          CREATE arg[0] 0: a thread, 1: a UNIX process; arg[1] CREATE_*. Result: the new process
 *   JOIN    arg[0] thread; arg[2] may have ARG_NOWAIT or ARG_TIMED. Result: 0 or an errno
 *   DETACH  arg[0] thread. Result: 0 or an errno
 *   FINISH  the thread ends; the last one ends its UNIX process. arg[0] 1: the program wants something to be done then; arg[1]
 *           FINISH_*. Result: 1: by this thread, which goes on for that
 *   EXITING it begins to exit. Only one thread of a UNIX process does: others wait here for their end
 *   ALONE   all other threads of its UNIX process end. arg[0] wait status
 *   LEAVE   arg[0] wait status: its UNIX process ends; it is the only thread
 *   YIELD   text: the call; others may go first. arg[0] 1: it sleeps; arg[1] ORDER_*: it is a fence
 *   KILL    arg[0] UNIX process, or with KILL_THREAD in arg[2] thread; arg[1] signal, 0: none. Result: an errno, SIGNAL_*, or
 *           RESULT_SIGNAL: it came to the thread itself
 *   SIGMASK arg[1], arg[2] what the thread blocks from now on. arg[0] 1: nothing comes before PAUSE. Result: 0 or RESULT_SIGNAL
 *   SIGACTION arg[0] the signal and, shifted, SIGACTION_* bits; arg[1], arg[2] what is blocked while it is handled
 *   SIGWAIT arg[1], arg[2] for which; arg[0] 1: may time out. Result: the signal, its slot, SIGNAL_SHARED; 0: timed out
 *   SIGPENDING arg[0] 0: those up to 32, 1: the others. Result: which
 *   PAUSE   waits for a signal. arg[0] 1: in sigsuspend
 *   CANCEL  arg[0] thread: only ordered, the runtime does it
 * A timer is a process, too, which does nothing but expire:
 *   SETTIME TIMER_ARGS: which timer, in how many microseconds it expires (0: not at all), and from then on how often; or it is deleted.
 *           Of the process itself, which is no timer (GROUP_CLOCK): so long it is going to wait at most, in its next operation that has a limit
 *   GETTIME arg[0] which timer: only ordered, the runtime knows the time
 *   EXPIRE  of the timer itself: as KILL (arg[1] 0: no signal), with EXPIRE_* and, by EXPIRE_ARG, the channel that counts its expiries.
 *           Result: as KILL, or EXPIRE_GONE, EXPIRE_AGAIN */
enum { PROCESS_EXIT, PROCESS_WAIT, PROCESS_CRASH, PROCESS_DIVERGENCE, PROCESS_STRUCTURE, PROCESS_UNSUPPORTED,
       PROCESS_NONDETERMINISM, PROCESS_NONE, PROCESS_START, PROCESS_CREATE, PROCESS_JOIN, PROCESS_DETACH, PROCESS_FINISH,
       PROCESS_LEAVE, PROCESS_YIELD, PROCESS_KILL, PROCESS_CANCEL, PROCESS_SIGMASK, PROCESS_SIGACTION, PROCESS_SIGWAIT,
       PROCESS_SIGPENDING, PROCESS_PAUSE, PROCESS_EXITING, PROCESS_ALONE, PROCESS_SETTIME, PROCESS_GETTIME, PROCESS_EXPIRE };
enum { KILL_THREAD = 8, KILL_FIRST_OF_MANY = 16 };              /* bits of arg[2]; the latter before one to each of a group */
enum { CREATE_DETACHED = 1, CREATE_TIMER = 2, CREATE_CHANNEL_SHIFT = 8 };     /* a timer; above: 1 + its channel, or 0 */
enum { EXPIRE_ANY = 32, EXPIRE_TELLS = 64, EXPIRE_LATE = 128,   /* in arg[2]: in whatever order; it starts a function, and is seen by that; only when nobody else can go on */
       EXPIRE_CHANNEL_SHIFT = 8, EXPIRE_OVERRUNS_SHIFT = 16,     /* 1 + its channel, or 0; how often it may expire while nobody has seen the last time */
       EXPIRE_GONE = 1 << 21, EXPIRE_AGAIN = 1 << 22 };          /* in the result: it was deleted; nobody has seen the last time yet */
enum { MOST_OVERRUNS = 15 };
#define EXPIRE_ARG(channel, overruns) ((channel) + 1) << EXPIRE_CHANNEL_SHIFT | (overruns) << EXPIRE_OVERRUNS_SHIFT
/* Of SETTIME: the timer, its channel (1 + that, or 0) and upper bits of both times; lower bits of the first; lower bits of the interval. */
enum { TIMER_DELETED = 8, TIMER_INTERVAL_SHIFT = 4, TIMER_UPPER_BITS = 10, TIMER_FIELD = 63, TIMER_CHANNEL_SHIFT = 6, TIMER_SHIFT = 12,
       TIMER_FIRST_BITS = 32, TIMER_INTERVAL_BITS = 32 - TIMER_INTERVAL_SHIFT };
#define TIMER_MOST_FIRST    (UINT64_C(1) << (TIMER_FIRST_BITS + TIMER_UPPER_BITS))       /* microseconds: fifty days */
#define TIMER_MOST_INTERVAL (UINT64_C(1) << (TIMER_INTERVAL_BITS + TIMER_UPPER_BITS))    /* three days */
#define TIMER_ARGS(timer, channel, first, interval, bits) { \
    (int32_t)((uint32_t)(timer) | (uint32_t)((channel) + 1) << TIMER_CHANNEL_SHIFT | (uint32_t)((first) >> TIMER_FIRST_BITS) << TIMER_SHIFT \
              | (uint32_t)((interval) >> TIMER_INTERVAL_BITS) << (TIMER_SHIFT + TIMER_UPPER_BITS)), \
    (int32_t)(uint32_t)(first), (int32_t)((uint32_t)(interval) << TIMER_INTERVAL_SHIFT | (bits)) }
enum { DIVERGENCE_ALONE = 1 };                                   /* arg[0]: it shares no memory, so it waits for nobody's */
enum { CRASH_BY_ITSELF = -1, CRASH_FROM_OUTSIDE = -2 };          /* it sent itself the signal; somebody else did who is not the program */
#define CRASH_OF_CHILD(child) (1 + (child))                      /* it is a child's, at whose end nobody looked */
/* What is not controlled. CALL, SIZE: the text names a function, and words in parentheses; BLOCKED: the process waits in it already.
 * WISH, ROOM: the text says what it asks for; ROOM, SIZE: there is none for so much in VeriSoft. */
enum { REFUSED_CALL, REFUSED_BLOCKED, REFUSED_WISH, REFUSED_ROOM, REFUSED_SIZE };
enum { SIGACTION_SHIFT = 8, SIGACTION_IGNORED = 1, SIGACTION_HANDLED = 2, SIGACTION_RESTARTS = 4, SIGACTION_ONCE = 8,
       SIGACTION_NO_WAIT = 16 };                                 /* nobody waits for children that end (SA_NOCLDWAIT) */
enum { FINISH_RETURN, FINISH_EXIT, FINISH_CANCELLED };           /* its function returned; it called pthread_exit; it was cancelled */
enum { TOSS_TOSS };                                              /* arg[0] n: one of 0..n */
enum { ASSERT_ASSERT, ASSERT_FAILED };     /* arg[0] the value, text: the expression. FAILED is an end: of the C library's assert */
enum { ABORT_ABORT };                                            /* arg[0] the value, text: the expression */
enum { SEMAPHORE_WAIT, SEMAPHORE_SIGNAL, SEMAPHORE_REMOVE };     /* arg[0] n */
enum { QUEUE_SEND, QUEUE_RECEIVE, QUEUE_IS_FULL, QUEUE_IS_EMPTY, QUEUE_REMOVE };   /* text: the message */

/* Operations on what threads and processes that share memory synchronise by. Where nothing else is said the result is 0 or an
 * errno as POSIX has it; RESULT_MISUSE in it: POSIX leaves undefined what happens then.
 *   MUTEX    arg[0] its kind (MUTEX_*). arg[1] of a fresh one: who holds it.
 *   COND     ENTER, then the mutex is unlocked, WAKE (arg[0]: WAKE_*), and it is locked again.
 *   BARRIER  arg[0] count; ARRIVE gives BARRIER_LAST to the last, all others then LEAVE.
 *   ONCE     ENTER gives ONCE_RUN or ONCE_RAN; who runs it says DONE, or UNDO when it gave up. arg[0] of a fresh one: done
 *   COUNTER  a POSIX semaphore. INIT arg[0] value, and so OPEN, whose text is its name; arg[1] of a fresh one: its value
 *   FUTEX    as COND.    ACCESS   always enabled; a READ and a READ commute
 *   LOCATION a variable that several processes use without a lock: plain (READ, WRITE) or atomic. arg[0] ORDER_*, and shifted LOCATION_SIZE
 *            and, where the object is several (wire_visible), a number for which of them it is; arg[1], arg[2] LOCATION_VALUE of what
 *            is stored or added; COMPARE: of what is expected and what is put in its place. The result of COMPARE is 1: it
 *            was equal. AWAIT is a load, or a read, by one who has seen the value and does nothing but look again: it can go when
 *            somebody has written since to what it looked at; arg[1] LOCATION_COUNTS: it counts, too, so that it may end by itself after all. created.arg: {of its first operation, its first value, 1: that is known} */
enum { MUTEX_INIT, MUTEX_LOCK, MUTEX_TRYLOCK, MUTEX_TIMEDLOCK, MUTEX_UNLOCK, MUTEX_CONSISTENT, MUTEX_DESTROY };
enum { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK, MUTEX_SPIN, MUTEX_ROBUST = 16 };     /* the last is added */
#define MUTEX_HELD(process, times) ((int32_t)(1 + (process) + (times) * 256))        /* 0: it is free */
enum { COND_INIT, COND_ENTER, COND_WAKE, COND_SIGNAL, COND_BROADCAST, COND_DESTROY };
enum { WAKE_SIGNALLED, WAKE_TIMED, WAKE_SPURIOUS = 2, WAKE_CHANGED = 4 };    /* bits: it may time out; it may wake for no reason; it
                                                                    is not to wait at all (EAGAIN) */
enum { RWLOCK_INIT, RWLOCK_READ, RWLOCK_WRITE, RWLOCK_TRYREAD, RWLOCK_TRYWRITE, RWLOCK_TIMEDREAD, RWLOCK_TIMEDWRITE,
       RWLOCK_UNLOCK, RWLOCK_DESTROY, RWLOCK_QUEUE };
enum { RWLOCK_IN_TURN = 1, RWLOCK_QUEUED = 2 };      /* bits of arg[0]: no reader comes in while a writer waits; who writes waits since RWLOCK_QUEUE, which gave
                                                        EINPROGRESS */
enum { BARRIER_INIT, BARRIER_ARRIVE, BARRIER_LEAVE, BARRIER_DESTROY };
enum { BARRIER_LAST = 1 };
enum { ONCE_ENTER, ONCE_DONE, ONCE_UNDO };
enum { ONCE_RUN, ONCE_RAN };
enum { COUNTER_INIT, COUNTER_WAIT, COUNTER_TRYWAIT, COUNTER_TIMEDWAIT, COUNTER_POST, COUNTER_GET, COUNTER_DESTROY, COUNTER_OPEN };
enum { ACCESS_READ, ACCESS_WRITE, ACCESS_OF_FILE = 1, ACCESS_OF_NAME = 2 };      /* in arg[0]: of a plain file; of names that are gone when who has them is killed */
enum { STEP_STEP, STEP_LOOK };                                   /* text: what is done; only drivers of a suite have them */
enum { EVENT_SEND, EVENT_RECEIVE, EVENT_WAIT, EVENT_SIGNAL, EVENT_STEP, EVENT_LOOK };   /* of VS_event: arg[0] a number, arg[1] EVENT_OF_*; text: what is done */
enum { EVENT_OF_ORDER, EVENT_OF_QUEUE, EVENT_OF_SEMAPHORE, EVENT_MOST = 32767 };
#define LOCATION_UPDATES(X) \
    X(EXCHANGE, exchange) X(ADD, fetch_add) X(SUB, fetch_sub) X(AND, fetch_and) X(OR, fetch_or) X(XOR, fetch_xor) X(NAND, fetch_nand)
#define X(upper, lower) LOCATION_##upper,
enum { LOCATION_READ, LOCATION_WRITE, LOCATION_LOAD, LOCATION_STORE, LOCATION_UPDATES(X) LOCATION_COMPARE, LOCATION_AWAIT };
#undef X
enum { ORDER_RELEASE = 1, ORDER_ACQUIRE = 2, ORDER_ALL = 4, ORDER_FAILED_ACQUIRE = 8, LOCATION_UNUSED = 8, LOCATION_SIZE_SHIFT = 4,
       LOCATION_LOOSE = 256, LOCATION_KEEP = 512, LOCATION_WHICH_SHIFT = 10, LOCATION_COUNTS = 1 };     /* ALL: sequentially consistent; KEEP: of what leaves the value, it does not count as having seen the object; FAILED: of COMPARE, the order if it
                                        finds something else; UNUSED: of ADD, nobody looks at the result; LOOSE: the object is several
                                        locations, each with its own readers and writers, and only who waits waits for all */
#define LOCATION_SIZE(op) ((uint32_t)(op)->arg[0] >> LOCATION_SIZE_SHIFT & 15)        /* in bytes; 0: its value is not followed */
#define LOCATION_WHICH(op) ((uint32_t)(op)->arg[0] >> LOCATION_WHICH_SHIFT)           /* 0: the first of its object */

/* A value in 32 bits: itself, if it is small; else what tells it from others, mostly. Who relies on it is told when it did not. */
#define LOCATION_LARGE UINT32_C(0x80000000)
static inline bool location_is_small(uint64_t value) { return value < LOCATION_LARGE; }
static inline uint32_t location_value(uint64_t value)
{
    return location_is_small(value) ? (uint32_t)value : (uint32_t)(value * UINT64_C(0x9e3779b97f4a7c15) >> 33) | LOCATION_LARGE;
}

/* Operations on what UNIX processes of a group communicate by. Where nothing else is said the result is 0, or a negative errno.
 *
 * STREAMS is one object: all pipes and sockets of the program, for poll looks at several. A channel goes one way; what it carries
 * counts in bytes, or in whole messages. arg[0] is the channel, arg[2] holds STREAMS_* bits and, by STREAMS_ARG, the UNIX process.
 *   OPEN   a new channel (arg[0]: best this one), of this capacity, whose ends (arg[1]: 1 reading, 2 writing) this process holds.
 *          Result: its number. Of an eventfd, which is a channel that counts and holds no bytes, STREAMS_FIRST_SHIFT
 *   TAKE   now the process holds this end of a connection that waited to be accepted
 *   READ   arg[1] how many. Result: how many, 0: the end     WRITE  arg[1] how many. Result: how many
 *   POLL   arg[0], arg[1] sets of channels to read, to write. Result: for each of them, in this order, whether it is ready: see
 *          streams.c, and STREAMS_DETAIL says whether it is two bits or one; then a bit for each that is looked at for its end alone
 *   CLOSE  the process has no more descriptor of this end    SHUT   nobody has
 * SEMSET is an array of SysV semaphores.
 *   INIT   arg[0] how many        DO  SEMSET_OP in arg[0], arg[1] and above SEMSET_FIFTH in arg[2]: see semset.c
 *   SET, GET  arg[0] semaphore, arg[1] value. Result of GET: the value       UNDO  arg[0] semaphore: as the process ends
 *   WAIT, SIGNAL  those of SEMAPHORE, on an array that semop can name, too: arg[0] semaphore, arg[1] n
 * MESSAGES is a queue of messages, of SysV or of POSIX, where the type of a message is 1 + its priority.
 *   INIT   arg[0] bytes, arg[1] messages that it holds       SEND  arg[0] type, arg[1] length
 *   OPEN   the same as INIT, of one with a name: its text
 *   RECEIVE arg[0] the type wanted as msgrcv has it, or MESSAGES_HIGHEST; arg[1] room. Result: which message it is, counted from 0
 *   COUNT  Result: how many messages are in it
 * REMOVE, of both: who waits, and who comes, gets RESULT_REMOVED. */
enum { STREAMS_OPEN, STREAMS_TAKE, STREAMS_READ, STREAMS_WRITE, STREAMS_POLL, STREAMS_CLOSE, STREAMS_SHUT };
enum { STREAMS_PEEK = 8, STREAMS_WHOLE = 16,                     /* bits of arg[2], with ARG_*; WHOLE: all of it or nothing; of READ: a timer's */
       STREAMS_ENDLESS = 32, STREAMS_WRITING = 64,               /* ENDLESS: no end though nobody writes; WRITING: that end */
       STREAMS_LISTENING = 128, STREAMS_COUNTS = 128 };          /* of CLOSE: it is a listening socket; of READ, WRITE: an eventfd's */
enum { STREAMS_FIRST_SHIFT = 2 };                                /* of OPEN: what an eventfd begins with stands above the ends in arg[1] */
enum { STREAMS_CHANNELS = 32, STREAMS_MOST = 65536, STREAMS_CODED = 1000 };      /* CODED: capacities below are as they are */
enum { STREAMS_POLLED = 28 };        /* most that one POLL asks for: its result stays below RESULT_CANCELLED and its like */
/* Of POLL, in arg[2]: how many channels it looks at for their end alone, and which, each with the way in which it is used (1: it is written to). */
enum { STREAMS_ENDS = 3, STREAMS_ENDS_COUNT_SHIFT = 3, STREAMS_ENDS_SHIFT = 14, STREAMS_END_BITS = 6, STREAMS_END_WRITTEN = 32 };
#define STREAMS_ENDS_COUNT(arg) ((uint32_t)(arg) >> STREAMS_ENDS_COUNT_SHIFT & 3)
#define STREAMS_END(arg, i)     ((uint32_t)(arg) >> (STREAMS_ENDS_SHIFT + STREAMS_END_BITS * (i)) & 63)
#define STREAMS_DETAIL(read, write, ends) \
    (2 * (__builtin_popcount((uint32_t)(read)) + __builtin_popcount((uint32_t)(write))) + (int)(ends) <= STREAMS_POLLED)
#define STREAMS_ARG(host, capacity, listener)  /* the listener that a connection was made through, -1: none */ \
    ((int32_t)((uint32_t)(host) << 8 | (uint32_t)((listener) + 1) << 14 \
               | ((uint32_t)(capacity) < STREAMS_CODED ? (uint32_t)(capacity) : STREAMS_CODED) << 20))
enum { SEMSET_INIT, SEMSET_DO, SEMSET_SET, SEMSET_GET, SEMSET_UNDO, SEMSET_REMOVE, SEMSET_WAIT, SEMSET_SIGNAL };
enum { SEMSET_WIDE = 64, SEMSET_FIFTH = 16 };                    /* in arg[2], with ARG_*; bits 3 to 5: how many; 8 to 13: UNIX process */
enum { SEMSET_MOST = 32, SEMSET_OPERATIONS = 5, SEMSET_OPERATIONS_WIDE = 2 };
#define SEMSET_OP(semaphore, value, nowait, undo) \
    ((uint32_t)(semaphore) | (uint32_t)(nowait) << 5 | (uint32_t)(undo) << 6 | (uint32_t)(value) << 7)
enum { MESSAGES_INIT, MESSAGES_SEND, MESSAGES_RECEIVE, MESSAGES_COUNT, MESSAGES_REMOVE, MESSAGES_OPEN };
enum { MESSAGES_CUT = 8, MESSAGES_EXCEPT = 16, MESSAGES_POSIX = 32 };    /* bits of arg[2], with ARG_* */
enum { MESSAGES_MOST = 128 };
#define MESSAGES_HIGHEST INT32_MIN

#define RESULT_MISUSE  UINT32_C(0x40000000)  /* added to the errno */
#define RESULT_CANCELLED UINT32_C(0x20000000) /* not executed: it was ARG_CANCELLABLE, and the thread was cancelled (CANCEL) */

/* A signal is handled first: its number in the low bits, its slot, and more. Where DONE is not set, the operation was not executed,
 * and comes again, unless INTERRUPTS is set: then it fails with EINTR. SHARED: it was pending for the UNIX process. MORE: another one is
 * pending that this one's handler does not block: its handler runs before the first instruction of this one's, as the kernel has it. */
#define RESULT_SIGNAL  UINT32_C(0x51600000)
#define IS_RESULT_SIGNAL(result) (((uint32_t)(result) & UINT32_C(0xfff00000)) == RESULT_SIGNAL && (uint32_t)(result) != UINT32_MAX)
enum { SIGNAL_NUMBER = 0x7f, SIGNAL_SLOT_SHIFT = 7, SIGNAL_SLOTS = 32, SIGNAL_SHARED = 1 << 12, SIGNAL_DONE = 1 << 13,
       SIGNAL_INTERRUPTS = 1 << 14, SIGNAL_ONE_OF_MANY = 1 << 15,      /* the last: other threads could have got it */
       SIGNAL_MORE = 1 << 19 };

/* What became of a signal that was sent (KILL), or of that to the parent of a UNIX process that ended (LEAVE). SENT: it is pending,
 * in a slot (the low bits) of a target: a thread or, from MAX_PROCESSES on, a UNIX process. ENDS: the caller's own UNIX process ends
 * by it. KILLED: another one did. STOPS: it would stop a process. FULL: nothing more can be pending. NOBODY: no parent waits. */
enum { SIGNAL_STOPS = 254, SIGNAL_FULL = 255, SIGNAL_SENT = 1 << 16, SIGNAL_KILLED = 1 << 17, SIGNAL_ENDS = 1 << 18,
       SIGNAL_NOBODY = 1 << 19, SIGNAL_TARGET_SHIFT = 8, SIGNAL_TARGET = 0x7f };


/* The result of WAIT: which child (counts from 0) and its wait status; or one of these. */
#define WAIT_RESULT(child, status)  ((uint32_t)(child) << 16 | ((uint32_t)(status) & 0xffff))
#define WAIT_NO_CHILD  UINT32_MAX            /* there is no child to wait for */
#define WAIT_NOT_YET   (UINT32_MAX - 1)      /* not blocking, and none has exited */

/* The result of an operation on an object that was removed, where it would otherwise be RESULT_NONE or a number; a receive
 * gets text number UINT32_MAX, which the program sees as NULL. */
#define RESULT_REMOVED UINT32_MAX

/* ---- facts that both sides know: asked by these functions alone (what else an operation is, its type says: object.h) ---- */

#define WIRE_BIT(number) (UINT32_C(1) << (number))

/* Does a process that stands there go no further? */
static inline bool process_is_end(uint8_t code)
{
    const uint32_t ends = WIRE_BIT(PROCESS_EXIT) | WIRE_BIT(PROCESS_CRASH) | WIRE_BIT(PROCESS_DIVERGENCE) | WIRE_BIT(PROCESS_STRUCTURE)
                        | WIRE_BIT(PROCESS_UNSUPPORTED) | WIRE_BIT(PROCESS_NONDETERMINISM) | WIRE_BIT(PROCESS_NONE);
    return code < 32 && ends >> code & 1;
}

/* Processes are no objects of the program, and the system itself knows of them. All else that is asked about a type, the type says. */
static inline bool about_processes(const struct op *op)          { return op->type == TYPE_PROCESS; }
static inline bool is_process(const struct op *op, uint8_t code) { return op->type == TYPE_PROCESS && op->code == code; }
static inline bool is_of_file(const struct op *op) { return op->type == TYPE_ACCESS && op->arg[0] == ACCESS_OF_FILE; }

static inline bool op_from_outside(const struct op *op)          /* killed by somebody who is not the program */
{
    return is_process(op, PROCESS_CRASH) && op->arg[1] == CRASH_FROM_OUTSIDE;
}

/* Bits of arg[2] of operations that only sharing groups have, whatever else is in it, and of WAIT: the thread may be cancelled there;
 * it goes on where it would have to wait, at once or after a time. Where arg[2] is the upper half of a set of signals, the first bit is a
 * signal that no program can use, and the others are not meant. */
enum { ARG_CANCELLABLE = 1, ARG_NOWAIT = 2, ARG_TIMED = 4 };

static inline bool op_has_bits(const struct op *op)              /* others have what the program says in arg[2] */
{
    const uint32_t without = WIRE_BIT(TYPE_TOSS) | WIRE_BIT(TYPE_ASSERT) | WIRE_BIT(TYPE_ABORT) | WIRE_BIT(TYPE_SEMAPHORE)
                           | WIRE_BIT(TYPE_QUEUE) | WIRE_BIT(TYPE_LOCATION);
    return op->type < TYPE_COUNT && !(without >> op->type & 1);
}

static inline bool op_is_cancellable(const struct op *op) { return op->arg[2] & ARG_CANCELLABLE && op_has_bits(op); }
static inline int  op_gives_up(const struct op *op)       { return op->arg[2] & (ARG_NOWAIT | ARG_TIMED); }     /* one of those */

static inline bool type_by_address(uint8_t type)                 /* the object is known by an address in the program's memory */
{
    const uint32_t types = WIRE_BIT(TYPE_MUTEX) | WIRE_BIT(TYPE_COND) | WIRE_BIT(TYPE_RWLOCK) | WIRE_BIT(TYPE_BARRIER)
                         | WIRE_BIT(TYPE_ONCE) | WIRE_BIT(TYPE_COUNTER) | WIRE_BIT(TYPE_ACCESS) | WIRE_BIT(TYPE_FUTEX)
                         | WIRE_BIT(TYPE_LOCATION);
    return type < TYPE_COUNT && types >> type & 1;
}

/* ---- the shared region ---- */

#define WIRE_VARIABLE  "VERISOFT_FD"         /* environment: file descriptor of the region; not set: no controller */
#define WIRE_ENTERS    "rt_enter"            /* functions of the runtime by which one knows its frames on a stack: those further in are its */
#define WIRE_CRASHES   "rt_crashed"          /* own. By the first the program has called it, by the other the kernel has */
#define WIRE_NOTE      "VeriSoft"            /* name of the ELF note in a program with the runtime; its type is the version */

enum {
    MAX_MESSAGE = 4095,              /* bytes of a message or a reply, without the final 0 */
    MAX_NOTES   = 8191,              /* bytes of what VS_print said on the way; more is cut off */
    MAX_QUEUE   = 32767,             /* messages a queue can hold */
    MAX_SEMAPHORE = 32767,           /* the largest value of a semaphore, as of the operating system */
    MAX_TOSS    = (1 << 24) - 1,     /* the largest argument of VS_toss */
    MAX_CALLERS = 8,                 /* return addresses that are told of one call */
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
 *   SEGMENT    request: shared memory, which cannot be attached.        Result: its number
 *   FORK       request: a new process. Command: FORK, or none ever
 *   COPIED     answer to COPY: outcome
 *   CRASH      arg[0] signal, arg[1] CRASH_*, address: fault address; text: the exception that it comes from, in words
 *   REFUSE     text: what is not controlled; arg[0] REFUSED_*, and what the text is then
 *   FAILED     text: why the runtime cannot go on; it ends the process then
 *   GROUP      it is about to share memory, or to do what only a group can: start again as one. text: the function
 *   VISIBLE    object: what several processes use without a lock; start again with it among the visible locations. arg[1] VISIBLE_*:
 *              ADD, arg[0] bytes; JOIN, it and `argument` are one object; WELD, and a solid one; UNKNOWN, its value is not what the controller thinks;
 *              ENDLESS, it is the place of a loop that looks and counts, and does not end by itself */
enum { VISIBLE_ADD, VISIBLE_JOIN, VISIBLE_WELD, VISIBLE_UNKNOWN, VISIBLE_ENDLESS };
enum { EVENT_NONE, EVENT_OPERATION, EVENT_CREATE, EVENT_SET, EVENT_SIZE, EVENT_SEGMENT, EVENT_FORK, EVENT_COPIED, EVENT_CRASH, EVENT_REFUSE,
       EVENT_GROUP, EVENT_VISIBLE, EVENT_FAILED };

/* What the controller says.
 *   RUN   goes on with `result`, and with `reply` when has_reply is set
 *   COPY  clones itself; the copy takes slot `target` and waits there for its own command
 *   FORK  the same for the program's own fork: the original goes on at once
 *   END   dies: by SIGUSR2 to itself when `result` is set, so that the program's handler can clean up
 *   BATCH (in a group) it is this UNIX process's turn in the batch */
enum { COMMAND_NONE, COMMAND_RUN, COMMAND_COPY, COMMAND_FORK, COMMAND_END, COMMAND_BATCH };

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
    uint8_t  manual;                 /* it has called what only VeriSoft has (VS_toss, semwait, queues): the manual's rules hold */
    int32_t  number, index;          /* the object as the program names it; index -1: not in an array */
    int32_t  arg[3];
    uint32_t text_length;            /* more than MAX_MESSAGE: it was cut off */
    uint32_t notes_length;
    uint64_t place;                  /* code address after the call */
    uint64_t address;                /* of a fault; of CREATE, and with GROUP_OUTSIDE of JOIN, DETACH and CANCEL, the function that the thread begins with */
    uint64_t fingerprint[2];
    /* Only in a group, where slot p belongs to the UNIX process whose first thread is process p. */
    uint64_t object;                 /* the object's address or key; 0: none */
    uint64_t digest;                 /* of the operation with all its arguments, and its place; never 0 */
    uint64_t callers[MAX_CALLERS];             /* return addresses further out than `place`, as far as frame pointers tell; 0: none */
    uint64_t argument;               /* of CREATE: of that function */
    uint64_t function;               /* with GROUP_OUTSIDE: the one that its thread began with; 0: it is its UNIX process's first */
    uint64_t stack;                  /* where the process's registers are: struct wire_saved; with WIRE_FRAME added: where the frame
                                        pointer points to of the function that it called; 0: unknown */
    uint64_t object_stack;           /* the same of another one, on whose stack the object is; 0: of none */
    uint32_t fresh;                  /* the object has never been used since its memory was set up */
    uint32_t private_memory;         /* the object is in memory that other UNIX processes do not share */
    uint32_t ending;                 /* its UNIX process ends: it only closes what it has open */
    uint32_t begun;                  /* it has said for how long it waits, and this comes before it does */
    uint32_t restore, snapshot;      /* to be done, in this order, before it next runs: 1 + the number of the snapshot; 0: none. With
                                        GROUP_STATES restore is 1 + how many steps from the start it goes back to */
    uint64_t memory[2];              /* with GROUP_STATES: what all memory of the group comes to */
    char     text[MAX_MESSAGE + 1];
    char     reply[MAX_MESSAGE + 1];
    char     notes[MAX_NOTES + 1];
};

/* In front of what malloc gives in a group. */
struct wire_block { uint64_t size, mark; };              /* bytes that can be used; WIRE_BLOCK_USED */
#define WIRE_BLOCK_USED UINT64_C(0x6e69206465737520)
/* Where memory is that UNIX processes of a group share: each piece begins at a page. */
#define WIRE_SHARED_AT  UINT64_C(0x230000000000)
#define WIRE_SHARED_END UINT64_C(0x238000000000)

/* On the stack of a thread of a group that stands before an operation: what a call keeps, and where it goes on. */
enum { WIRE_FRAME = 1 };
struct wire_saved { uint64_t control, r15, r14, r13, r12, rbx, rbp, back; };

/* TRACED: the controller watches the start through ptrace, until the runtime is ready and stops itself by SIGSTOP. */
enum { LAUNCH_READY = 1, LAUNCH_FIXED_ADDRESSES = 2, LAUNCH_TRACED = 4, LAUNCH_FAILED = 8, LAUNCH_SANITIZED = 16,
       LAUNCH_CONNECTED = 32, LAUNCH_INSTRUMENTED = 64, LAUNCH_ERRNO_SHIFT = 8 };    /* CONNECTED: the runtime is there; INSTRUMENTED: the
                                        program tells it of its reads and writes (see "accesses") */

/* ---- a sharing group ---- */

/* All processes of the program, threads or not, are one group. They run one at a time, through a batch: `steps` says who goes on
 * with which result, and (by its digest) before which operation it is to stand then. Whoever's turn it is runs steps until one
 * comes to something else, or all are done; then it fills its slot as for an event and rings the bell. A step of a process
 * that lives in another UNIX process is left to that one: set COMMAND_BATCH in its slot and wake it. */
struct wire_step {
    uint64_t expect;                 /* digest; 0: nobody knows, stop here */
    uint32_t result;
    uint32_t reply;                  /* 1 + where in `data` the text of the result begins; 0: none */
    uint8_t  process, host;          /* host: its slot. Process STEP_BACK, STEP_KEEP: no step, memory goes back to snapshot number
                                        `result`, or is kept under that number */
    uint8_t  tries;                  /* with GROUP_STATES: 1 + the number of its wire_led: where it leads is told there, and where nothing is expected the batch goes on from anywhere */
    uint8_t  reserved;
    uint32_t depth;                  /* with GROUP_STATES: how many steps from the start it leads to */
};

enum { STEP_BACK = 255, STEP_KEEP = 254 };       /* only while the group is one UNIX process. With GROUP_STATES BACK is to where `result` steps from the start led */

/* Where a step led that was only tried. Digest 0: that cannot be told so. */
enum { MAX_TRIES = 64, MAX_TOLD_PAGES = 4, TOLD_PAGE = 4096 };
struct wire_led { uint64_t digest, memory[2]; };
enum { MAX_BATCH = 4096, MAX_BATCH_DATA = 1 << 20, MAX_SNAPSHOTS = 64 };
enum { GROUP_ON = 1, GROUP_THREADS = 2, GROUP_SPURIOUS = 4, GROUP_STATES = 8, GROUP_POOLED = 16, GROUP_WATCH = 32,
       GROUP_VOLATILE_PLAIN = 64, GROUP_DEMAND = 128, GROUP_TIMERS_ANY = 256, GROUP_CLOCK = 512, GROUP_OUTSIDE = 1024, GROUP_CANCELS = 2048, GROUP_PATIENT = 4096, GROUP_BY_FILES = 8192, GROUP_OVERRUNS_SHIFT = 14, GROUP_TIMERS_LATE = 1 << 18 };    /* OUTSIDE: something is. CANCELS: threads cancel each other. FILES: they act on each other by plain files. PATIENT: loops that count are run for longer before they are taken to wait. THREADS: for a debugger, see below.
                                                                    STATES: what memory comes to is told with every arrival.
                                                                    POOLED: what is freed is its first owner's again.
                                                                    WATCH: accesses are told.
                                                                    DEMAND: atomic variables that are shared must be visible.
                                                                    TIMERS_ANY: timers expire in any order; LATE: only when nobody else can go on.
                                                                    CLOCK: who waits with a limit says so first; from OVERRUNS_SHIFT on: how often
                                                                    one may while nobody has seen the last time */

/* GROUP_THREADS also without GROUP_ON: any debugger may look into the program. In a group each thread is one of the kernel's, too,
 * whose name begins with "thread N" or with "N " (which process it is). */
enum { MAX_PARTS = 256 };
struct wire_layout { uint32_t count, reserved; uint64_t base[MAX_PARTS]; };

/* Temporary files and folders that the program made since the first start, by their whole names: one that is still there, because its process was
 * ended before it removed it, is made again under the same name when the program comes to it again, and is removed at the end. */
enum { MAX_TEMPORARY = 256, MAX_TEMPORARY_NAME = 512 };
struct wire_temporary { uint64_t device, inode; char name[MAX_TEMPORARY_NAME]; };

struct wire_batch {
    uint32_t count;
    uint32_t at;                     /* steps done: the last of them is the one that the event is about */
    uint32_t kernel_state;           /* memory is not all of the group's state: putting it back is not enough */
    uint32_t restore, snapshot;      /* as in a slot, for the memory that UNIX processes share: by whoever runs first */
    uint32_t reserved[3];
    char     kernel_words[64];       /* why: a function that was called, or words with blanks */
    uint64_t pages[MAX_TOLD_PAGES];  /* addresses: of each step that is tried, what is in these pages is told, too; 0: no more */
    struct wire_step steps[MAX_BATCH];
    char     data[MAX_BATCH_DATA];
    struct wire_led led[MAX_TRIES];
    unsigned char told[MAX_TRIES][MAX_TOLD_PAGES][TOLD_PAGE];
    struct wire_layout first;        /* where the parts of the program lay in its first start: the runtime's, see layout.c. All
                                        addresses that it tells are of that start */
    uint32_t temporary_count, reserved_too;
    struct wire_temporary temporary[MAX_TEMPORARY];
};

struct wire {
    uint32_t version;                /* WIRE_VERSION of the controller */
    uint32_t bell;                   /* futex; grows whenever there may be something new in a slot */
    int32_t  controller;             /* its process id: who is not its child must go */
    uint32_t slots_count;
    uint32_t launched;               /* how the start of the program went so far: LAUNCH_* */
    uint32_t group;                  /* GROUP_*, from the controller; 0: every process has memory of its own */
    uint32_t reserved[10];
    struct wire_slot slots[];        /* the program's first process has slots[0] */
};

_Static_assert(sizeof(struct wire) == 64, "the header of the region is one cache line");
/* Behind the slots. */
static inline struct wire_batch *wire_batch(struct wire *w) { return (struct wire_batch *)&w->slots[w->slots_count]; }

/* ---- accesses: reads and writes of an instrumented program ---- */

/* With GROUP_WATCH the runtime tells, of each step of a batch, which memory the process read and wrote on its way to its next operation: a
 * set of accesses, by its number (0: none). A set is told once, whoever comes to the same again: a step costs one number. Sets only grow;
 * they, and the locations that are visible, are not the program's memory, and never go back. Where there is no room for another set its
 * number is NO_SET, and nobody can say that there is no race.
 *
 * Accesses to a visible location are operations (TYPE_LOCATION); they are in the sets, too. */
enum { ACCESS_IS_WRITE = 1, ACCESS_IS_ATOMIC = 2, ACCESS_IS_FREE = 4, ACCESS_IS_NEW = 8, ACCESS_IS_USE = 16,
       ACCESS_IS_HANDLED = 32 };     /* FREE: of a write, memory is
                                        given back; NEW: no access, the process has got this memory from malloc: what was done with it before is
                                        over; USE: of an atomic read, a mutex or its like lies there and is about to be used; HANDLED: by the handler of a
                                        signal, and not to the stack on which it runs */
struct wire_access { uint64_t address, place; uint32_t size; uint16_t kind, reserved; };
struct wire_set    { uint64_t digest[2]; uint32_t first, count; };
/* Locations between which one process waits for a change of any are one object, called by the address of the first. */
struct wire_visible { uint64_t address, size, object; uint32_t rank; uint8_t several, solid, unknown, reserved; };
                                     /* rank: which of its object, which is `several` then; solid: an operation on one of them may look at the
                                        others, too; unknown: its value is not followed */
#define WIRE_TOP (UINT64_C(1) << 47)                     /* addresses of a program are below */
/* The controller may name an address by the part of the program that it lies in: WIRE_IN_PART. */
enum { WIRE_STACK_PART, WIRE_PROGRAM_PART, WIRE_PARTS = 64, WIRE_NO_PART = WIRE_PARTS };  /* from PROGRAM on as they are loaded */
#define WIRE_IN_PART(part, offset) (UINT64_C(1) << 63 | (uint64_t)(part) << 48 | ((uint64_t)(offset) & ((UINT64_C(1) << 48) - 1)))
struct wire_part { uint64_t base, end; };                /* end 0: there is none; what is in the stack is below its base, or just above */
enum { MAX_SETS = 1 << 17, MAX_ACCESSES = 1 << 21, MAX_VISIBLE = 4096, MAX_LOOPS = 64, SET_SLOTS = 2 * MAX_SETS };
enum { LOCATION_APART = 4 };         /* of the locations of one object those from the fourth on count as one */
enum { USUAL_ROUNDS = 3, LARGEST_ROUNDS = 1 << 20 };
#define NO_SET UINT32_MAX
struct wire_accesses {
    uint32_t set_count, access_count;        /* sets[0] is the empty one */
    uint32_t visible_count;                  /* from the controller */
    uint32_t weak;                           /* an atomic access was seen that is not sequentially consistent */
    uint32_t endless_count, rounds;          /* from the controller; rounds: of a loop that looks and counts so many are operations */
    uint64_t counts;                         /* the place of a loop that looks and counts, of which some rounds were no operations; 0: none */
    uint64_t whole;                          /* the place of an access of which not all pieces were operations; 0: none */
    uint32_t reserved[6];
    struct wire_part parts[WIRE_PARTS];
    struct wire_visible visible[MAX_VISIBLE];
    uint64_t endless[MAX_LOOPS];             /* places of loops that wait, though they count */
    uint32_t seen[MAX_BATCH];                /* the set of each step of the batch */
    uint32_t slots[SET_SLOTS];               /* hash table of the digests: number of the set */
    struct wire_set sets[MAX_SETS];
    struct wire_access accesses[MAX_ACCESSES];
};
/* Behind the batch. */
static inline struct wire_accesses *wire_accesses(struct wire *w) { return (struct wire_accesses *)(wire_batch(w) + 1); }

_Static_assert(sizeof(struct wire_slot) == 16632, "raise WIRE_VERSION and correct this when the layout changes");

#endif
