/* SPDX-License-Identifier: MIT */
#include "objects/older.h"

#include "objects/types.h"
#include "wire.h"

#include <stdio.h>
#include <string.h>

/* Before semwait was semwait in a sharing group, and the numbers of arrays and queues counted from 0. */
static void print(const struct op *op, uint32_t number, const struct texts *texts, char *out, size_t room)
{
    enum { PROCESSES = 64 };
    char name[16];
    snprintf(name, sizeof name, "%u", number % PROCESSES * PROCESSES + number / PROCESSES);
    if (op->type == TYPE_SEMSET && (op->code == SEMSET_WAIT || op->code == SEMSET_SIGNAL))
        snprintf(out, room, "semop(%s, {%d, %d})", name, op->arg[0], op->code == SEMSET_WAIT ? -op->arg[1] : op->arg[1]);
    else
        types_print(op, name, texts, out, room);
}

/* Before what is opened by a name was told by it. */
static bool without_name(const struct op *op, const char *text)
{
    if (op->type == TYPE_ACCESS)
        return !strncmp(text, "reads 0x", 8) || !strncmp(text, "writes 0x", 9) || !strncmp(text, "names of ", 9);
    return (op->type == TYPE_COUNTER && op->code == COUNTER_OPEN && !strncmp(text, "sem_init(", 9))
        || (op->type == TYPE_MESSAGES && op->code == MESSAGES_OPEN && !strncmp(text, "msgget(", 7));
}

/* Before an operation had the name of the function that was called, where that is another one: pthread_spin_lock, pthread_cond_timedwait. */
static bool as_ever(const struct op *op, const char *text)
{
    const char *name = types_get(op->type)->operations[op->code].name;
    size_t length = strlen(name);
    return (op->type == TYPE_MUTEX || op->type == TYPE_COND) && op->text && !strncmp(text, name, length) && text[length] == '(';
}

/* Before pipes and sockets were told by what the program called, and by their addresses. */
static bool as_channel(const struct op *op, const char *text)
{
    char older[64];
    const char *from = op->code == STREAMS_OPEN || op->code == STREAMS_TAKE ? text : strchr(text, '(');
    bool moves = op->code == STREAMS_READ || op->code == STREAMS_WRITE;
    if (op->type != TYPE_STREAMS || op->code == STREAMS_POLL || !from)
        return false;
    if (op->code == STREAMS_OPEN || op->code == STREAMS_TAKE)
        snprintf(older, sizeof older, op->code == STREAMS_OPEN ? "open channel" : "take channel %d", op->arg[0]);
    else
        snprintf(older, sizeof older, moves ? "(channel %d, %d)" : "(channel %d)", op->arg[0], op->arg[1]);
    return !strcmp(from, older);
}

bool older_spelling(const struct op *op, uint32_t number, const struct texts *texts, const char *text)
{
    char older[256];
    if (without_name(op, text) || as_ever(op, text) || as_channel(op, text))
        return true;
    if (op->type != TYPE_SEMSET && op->type != TYPE_MESSAGES)
        return false;
    print(op, number, texts, older, sizeof older);
    return !strcmp(older, text);
}
