/* A bank with several branches. A transfer changes the balances of all branches or of none: the two-phase commit protocol,
 * with presumed abort and the cooperative termination of Bernstein, Hadzilacos and Goodman (1987, chapter 7).
 *
 * Processes: the client (who is also the auditor), the coordinator, the branches, and fate, which makes a timer run out too
 * early, a process crash, or the link to the branches lose a message. Each has one queue, its inbox.
 *
 * Invariant: what a process must remember over a crash is in its log before the message that depends on it is sent.
 * SPDX-License-Identifier: MIT */
#ifndef BANK_H
#define BANK_H

#include <stdbool.h>
#include <verisoft.h>

#ifndef TRANSFERS
#define TRANSFERS 1
#endif
#ifndef FAULTS
#define FAULTS 1                     /* at most so many things go wrong */
#endif

enum { BRANCHES = 3, OPENING_BALANCE = 10 };

/* Who is who: branch i is process i, so that a set of branches is a mask. */
enum { COORDINATOR = BRANCHES, CLIENT, PARTIES };
enum { ALL_BRANCHES = (1 << BRANCHES) - 1 };

/* ---- message.c: what is said ---- */

#define KINDS(X) \
    X(GARBLED)               /* nothing that anybody understands */ \
    X(TRANSFER)              /* client to coordinator: value is the amount */ \
    X(PREPARE)               /* coordinator to branch: will you change your balance by value? */ \
    X(YES) X(NO)             /* the branch's vote */ \
    X(COMMIT) X(ABORT)       /* the decision; also the answer to a query */ \
    X(DONE)                  /* branch to coordinator: decision written down */ \
    X(QUERY)                 /* from a branch in doubt to everybody: how did it end? */ \
    X(RESULT)                /* coordinator to client: value is 1 when the money has moved */ \
    X(STOP) X(BALANCE)       /* the end of the day: client to everybody, and a branch's answer */ \
    X(TIMEOUT) X(CRASH)      /* from fate or the link: your timer has run out; you have crashed and start again */ \
    X(LOSS)                  /* from fate to the coordinator's link: value messages get through, the next one does not */

#define X(name) name,
enum kind { KINDS(X) KIND_COUNT };
#undef X

struct message {
    enum kind kind;
    int       from;                  /* party */
    int       transfer;              /* which one, counting from 1 */
    int       value;
};

void           message_open(void);                               /* makes the inboxes; call before the first fork */
void           message_close(void);                              /* removes them */
void           message_send(int to, struct message);
struct message message_receive(int self);

/* ---- link.c: the coordinator's link to the branches ---- */

void link_lose(int after);           /* that many messages get through, the next one is lost */
void link_send(int to, struct message);

/* ---- log.c: what a crash leaves ---- */

enum outcome { NOT_SEEN, BEGUN, PREPARED, COMMITTED, ABORTED };

struct record {
    enum outcome outcome;
    int          change;             /* of a branch's balance */
    bool         closed;             /* everybody knows the outcome */
};

struct log { struct record last[TRANSFERS + 1]; };               /* by number of the transfer; 0 is not used */

void         log_write(struct log *, int transfer, enum outcome);
void         log_change(struct log *, int transfer, int change);
void         log_close(struct log *, int transfer);
enum outcome log_outcome(const struct log *, int transfer);
bool         log_decided(const struct log *, int transfer);
int          log_balance(const struct log *, int opening);       /* with the changes of all committed transfers */
int          log_newest(const struct log *);                     /* 0: no transfer yet */
int          log_open(const struct log *);                       /* the newest, if it is not closed; 0: none */

/* ---- the processes ---- */

void coordinator_run(void);
void branch_run(int self);
void client_run(void);
void fate_run(void);

#endif
