/* Fuzzing what drivers say: any bytes are requests, in turns, or are told as nonsense; what is taken for an operation is one that the suite has.
 * SPDX-License-Identifier: MIT */
#include "suite/talk.h"
#include "wire.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char file[] = "[box]\ninterfaces = \"X Y\"\n[[driver]]\nname = \"d\"\nrun = \"true\"\n[[semaphore]]\nname = \"s\"\n[[queue]]\nname = \"q\"\n";

static void check_operation(const struct op *op, const struct suite *suite)
{
    uint32_t objects = suite->interface_count + suite->semaphores.count + suite->queues.count;
    bool with = op->type == TYPE_STEP || op->type == TYPE_COUNTER || op->type == TYPE_QUEUE;
    assert(with ? op->object < objects : op->object == NO_OBJECT);
    assert(with || op->type == TYPE_TOSS || op->type == TYPE_ASSERT || op->type == TYPE_ABORT);
    assert(op->type != TYPE_TOSS || (op->arg[0] >= 0 && op->arg[0] <= MAX_TOSS));
}

/* One line after the other, each when the last was answered. */
static void say(const struct suite *suite, struct texts *texts, const char *line, size_t length, struct talk *t, int mouth)
{
    enum heard heard;
    if (send(mouth, line, length, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)length)
        return;
    do {
        struct op op = { .process = 1 };
        heard = talk_hear(t, suite, texts, &op);
        if (heard == HEARD_OPERATION)
            check_operation(&op, suite);
        if (heard == HEARD_OPERATION)
            talk_tell(t, t->awaits == AWAITS_TEXT ? texts_number_of(texts, line, length) : 1, texts);
        assert(heard != HEARD_NONSENSE || *texts_string(texts, op.text));
    } while (heard == HEARD_OPERATION || ((heard == HEARD_NOTHING || heard == HEARD_NOTE) && recv(t->socket, (char[1]){ 0 }, 1, MSG_PEEK | MSG_DONTWAIT) > 0));
    while (recv(mouth, (char[4096]){ 0 }, 4096, MSG_DONTWAIT) > 0)
        ;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct suite suite;
    struct err err;
    struct talk t;
    int ends[2];
    char *text = strdup(file);
    int bad = suite_read_text(&suite, text, "fuzz.toml", &err) || socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    assert(!bad);
    struct texts *texts = texts_new();
    talk_init(&t, ends[0]);
    for (const char *at = (const char *)bytes, *end = at + length; at < end;) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next + 1 : end;
        say(&suite, texts, at, (size_t)(next - at), &t, ends[1]);
        at = next;
    }
    talk_fini(&t);
    close(ends[1]);
    texts_free(texts);
    suite_fini(&suite);
    free(text);
    return 0;
}
