/* The log on stable storage. Of each transfer only the last record counts, so only that one is kept.
 * SPDX-License-Identifier: MIT */
#include "bank.h"

void log_write(struct log *log, int transfer, enum outcome outcome)
{
    log->last[transfer].outcome = outcome;
}

void log_change(struct log *log, int transfer, int change)
{
    log->last[transfer].change = change;
}

void log_close(struct log *log, int transfer)
{
    log->last[transfer].closed = true;
}

enum outcome log_outcome(const struct log *log, int transfer)
{
    return log->last[transfer].outcome;
}

bool log_decided(const struct log *log, int transfer)
{
    enum outcome o = log_outcome(log, transfer);
    return o == COMMITTED || o == ABORTED;
}

int log_balance(const struct log *log, int opening)
{
    int balance = opening;
    for (int i = 1; i <= TRANSFERS; i++)
        if (log->last[i].outcome == COMMITTED)
            balance += log->last[i].change;
    return balance;
}

int log_newest(const struct log *log)
{
    int newest = TRANSFERS;
    while (newest > 0 && log->last[newest].outcome == NOT_SEEN)
        newest--;
    return newest;
}

int log_open(const struct log *log)
{
    int newest = log_newest(log);
    return log->last[newest].closed ? 0 : newest;
}
