/* A branch of the bank: votes on a transfer, and from a yes until the decision it is in doubt. When that takes too long it
 * asks the others, and any of them who knows how it ended, or will end, can tell.
 * SPDX-License-Identifier: MIT */
#include "bank.h"

struct branch {
    int        self;
    struct log log;                  /* stable; the rest is lost in a crash */
    int        balance;
    int        doubtful;             /* the transfer on which it voted yes; 0: none */
};

static void reply(const struct branch *b, struct message m, enum kind kind)
{
    message_send(m.from, (struct message){ .kind = kind, .from = b->self, .transfer = m.transfer });
}

static void decide(struct branch *b, int transfer, enum outcome outcome)
{
    VS_print(outcome == COMMITTED ? "the branch commits" : "the branch aborts");
    log_write(&b->log, transfer, outcome);
    b->balance = log_balance(&b->log, OPENING_BALANCE);
    b->doubtful = 0;
}

static void on_prepare(struct branch *b, struct message m)
{
    if (log_decided(&b->log, m.transfer)) {
        reply(b, m, NO);
    } else if (b->balance + m.value < 0) {
        decide(b, m.transfer, ABORTED);
        reply(b, m, NO);
    } else {
        log_change(&b->log, m.transfer, m.value);
        log_write(&b->log, m.transfer, PREPARED);
        b->doubtful = m.transfer;
        reply(b, m, YES);
    }
}

/* From the coordinator, or from a branch that was asked. */
static void on_decision(struct branch *b, struct message m)
{
    enum outcome outcome = m.kind == COMMIT ? COMMITTED : ABORTED;

    if (!log_decided(&b->log, m.transfer))
        decide(b, m.transfer, outcome);
    else
        VS_assert(log_outcome(&b->log, m.transfer) == outcome);
    if (m.from == COORDINATOR)
        reply(b, m, DONE);
}

static void on_query(struct branch *b, struct message m)
{
    switch (log_outcome(&b->log, m.transfer)) {
    case COMMITTED:
        reply(b, m, COMMIT);
        break;
    case ABORTED:
        reply(b, m, ABORT);
        break;
    case NOT_SEEN:                   /* without this vote nobody can commit */
#ifdef FIXED
        decide(b, m.transfer, ABORTED);
#endif
        reply(b, m, ABORT);
        break;
    default:                         /* in doubt as well: no help */
        break;
    }
}

static void ask(const struct branch *b)
{
    struct message query = { .kind = QUERY, .from = b->self, .transfer = b->doubtful };
    if (!b->doubtful)
        return;
    for (int i = 0; i <= COORDINATOR; i++)
        if (i != b->self)
            message_send(i, query);
}

static void on_crash(struct branch *b)
{
    b->balance = log_balance(&b->log, OPENING_BALANCE);
    b->doubtful = log_outcome(&b->log, log_newest(&b->log)) == PREPARED ? log_newest(&b->log) : 0;
    ask(b);
}

void branch_run(int self)
{
    struct branch  b = { .self = self, .balance = OPENING_BALANCE };
    struct message m = {0};

    for (;;) {
        m = message_receive(self);
        switch (m.kind) {
        case PREPARE: on_prepare(&b, m);  break;
        case COMMIT:
        case ABORT:   on_decision(&b, m); break;
        case QUERY:   on_query(&b, m);    break;
        case TIMEOUT: ask(&b);            break;
        case CRASH:   on_crash(&b);       break;
        case STOP:
            message_send(CLIENT, (struct message){ .kind = BALANCE, .from = self, .value = b.balance });
            return;
        default:
            VS_assert(!"a message that a branch understands");
        }
    }
}
