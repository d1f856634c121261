/* The coordinator: asks every branch to prepare, commits when all have voted yes and aborts otherwise, and repeats its
 * decision until every branch has confirmed it.
 * SPDX-License-Identifier: MIT */
#include "bank.h"

struct coordinator {
    struct log log;                  /* stable; the rest is lost in a crash */
    int        transfer;             /* the one that is going on; 0: none */
    unsigned   yes;                  /* branches that have voted so */
    unsigned   confirmed;            /* branches that know the decision */
};

static struct message about(const struct coordinator *c, enum kind kind, int value)
{
    return (struct message){ .kind = kind, .from = COORDINATOR, .transfer = c->transfer, .value = value };
}

static bool voting(const struct coordinator *c)
{
    return c->transfer && log_outcome(&c->log, c->transfer) == BEGUN;
}

static enum kind decision_on(const struct coordinator *c, int transfer)
{
    return log_outcome(&c->log, transfer) == COMMITTED ? COMMIT : ABORT;
}

/* The first branch pays, the last one gets the fee, the others share the rest. */
static int change_of(int branch, int amount)
{
    if (branch == 0)
        return -amount;
    return branch == BRANCHES - 1 ? 1 : (amount - 1) / (BRANCHES - 2);
}

static void begin(struct coordinator *c, int amount)
{
    c->transfer = log_newest(&c->log) + 1;
    log_write(&c->log, c->transfer, BEGUN);
    for (int i = 0; i < BRANCHES; i++)
        link_send(i, about(c, PREPARE, change_of(i, amount)));
}

static void announce(struct coordinator *c)
{
    enum kind decision = decision_on(c, c->transfer);
    for (int i = 0; i < BRANCHES; i++)
        if (!(c->confirmed & 1u << i))
            link_send(i, about(c, decision, 0));
}

static void decide(struct coordinator *c, enum outcome outcome)
{
    VS_print(outcome == COMMITTED ? "the coordinator commits" : "the coordinator aborts");
    log_write(&c->log, c->transfer, outcome);
    c->yes = 0;
    announce(c);
}

static void on_vote(struct coordinator *c, struct message m)
{
    if (m.transfer != c->transfer || !voting(c))
        return;                      /* too late, it is decided */
    if (m.kind == NO) {
        decide(c, ABORTED);
        return;
    }
    c->yes |= 1u << m.from;
    if (c->yes == ALL_BRANCHES)
        decide(c, COMMITTED);
}

static void on_done(struct coordinator *c, struct message m)
{
    if (m.transfer != c->transfer)
        return;                      /* confirmed more than once */
    c->confirmed |= 1u << m.from;
    if (c->confirmed != ALL_BRANCHES)
        return;
    log_close(&c->log, c->transfer);
    message_send(CLIENT, about(c, RESULT, decision_on(c, c->transfer) == COMMIT));
    c->transfer = 0;
    c->confirmed = 0;
}

static void on_timeout(struct coordinator *c)
{
    if (voting(c))
        decide(c, ABORTED);
    else if (c->transfer)
        announce(c);
}

static void on_query(struct coordinator *c, struct message m)
{
    if (log_decided(&c->log, m.transfer))
        message_send(m.from, (struct message){ .kind = decision_on(c, m.transfer), .from = COORDINATOR,
                                               .transfer = m.transfer });
}

/* Without a decision in the log nobody can have committed, so it is aborted. With one, some branch may not know it yet. */
static void on_crash(struct coordinator *c)
{
    *c = (struct coordinator){ .log = c->log, .transfer = log_open(&c->log) };
    on_timeout(c);
}

void coordinator_run(void)
{
    struct coordinator c = {0};
    struct message m = {0};

    for (;;) {
        m = message_receive(COORDINATOR);
        switch (m.kind) {
        case TRANSFER: begin(&c, m.value); break;
        case YES:
        case NO:       on_vote(&c, m);     break;
        case DONE:     on_done(&c, m);     break;
        case QUERY:    on_query(&c, m);    break;
        case TIMEOUT:  on_timeout(&c);     break;
        case CRASH:    on_crash(&c);       break;
        case LOSS:     link_lose(m.value); break;
        case STOP:     return;
        default:       VS_assert(!"a message that the coordinator understands");
        }
    }
}
