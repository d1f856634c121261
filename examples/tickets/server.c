/* expect: complete.
 *     verisoft server.c + client.c
 * expect -DWRONG: assertion in process 2.
 *     verisoft server.c + client.c -DWRONG
 *
 * Two programs with TCP between them, as they would run on two machines: a client asks for tickets, the server sells them. The client may
 * come before the server listens, and is refused then; it tries once more. (To give each its port: verisoft server.c -- 8080 + client.c -- 8080.) The server waits some time for a client, and then closes.
 *
 * TCP carries bytes, not messages: what was written by two calls may be read by one, by two, or in other parts. WRONG: the server takes what one
 * read gives for a message.
 * SPDX-License-Identifier: MIT */
#include "common.h"

#include <assert.h>
#include <poll.h>
#include <string.h>

/* Gives the length of the message, or -1: there is none. */
static int next_message(int client, char *text)
{
    char all[1 + LONGEST];
#ifdef WRONG
    int got = (int)read(client, all, sizeof all);
    if (got < 1)
        return -1;
#else
    if (read_all(client, all, 1) != 1)
        return -1;
    int got = 1 + read_all(client, all + 1, all[0]);
#endif
    assert(got == 1 + all[0]);                                   /* it is a whole message */
    memcpy(text, all + 1, (size_t)all[0]);
    return all[0];
}

static void serve(int client)
{
    char wish[LONGEST], sold[2] = { 1, 0 };
    if (next_message(client, wish) != 1)
        return;
    sold[1] = wish[0];
    if (write(client, sold, sizeof sold) != sizeof sold)
        return;
}

int main(int count, char **words)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in own = address_of(count > 1 ? words[1] : "8080");
    if (bind(listener, (struct sockaddr *)&own, sizeof own) || listen(listener, 1))
        return 1;
    struct pollfd next = { listener, POLLIN, 0 };
    if (poll(&next, 1, 60000) == 1) {
        int client = accept(listener, NULL, NULL);
        serve(client);
        close(client);
    }
    close(listener);
    return 0;
}
