/* SPDX-License-Identifier: MIT */
#include "channel.h"

#include <errno.h>
#include <unistd.h>

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void init(struct channel *c, int in, int out)
{
    c->in = in;
    c->out = out;
    decoder_init(&c->decoder);
}

int channel_pair(struct channel *here, struct channel *there)
{
    int down[2], up[2];
    if (pipe(down) < 0)
        return -errno;
    if (pipe(up) < 0) {
        int error = errno;
        close(down[0]);
        close(down[1]);
        return -error;
    }
    init(here, up[0], down[1]);
    init(there, down[0], up[1]);
    return 0;
}

void channel_close(struct channel *c)
{
    close_end(&c->in);
    close_end(&c->out);
}

void channel_close_out(struct channel *c)
{
    close_end(&c->out);
}

int channel_send(struct channel *c, const struct frame *f)
{
    unsigned char bytes[FRAME_LARGEST];
    size_t length = frame_encode(f, bytes), sent = 0;
    if (c->out < 0)
        return -EPIPE;
    while (sent < length) {
        ssize_t n = write(c->out, bytes + sent, length - sent);
        if (n < 0 && errno != EINTR)
            return -errno;
        if (n > 0)
            sent += (size_t)n;
    }
    return 0;
}

int channel_fill(struct channel *c)
{
    size_t room;
    unsigned char *to = decoder_room(&c->decoder, &room);
    ssize_t n;
    do
        n = read(c->in, to, room);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    if (n == 0)
        return decoder_is_empty(&c->decoder) ? 0 : -EPROTO;
    decoder_add(&c->decoder, (size_t)n);
    return 1;
}

int channel_next(struct channel *c, struct frame *f)
{
    return decoder_next(&c->decoder, f);
}

int channel_receive(struct channel *c, struct frame *f)
{
    for (;;) {
        int found = channel_next(c, f);
        if (found != 0)
            return found;
        int filled = channel_fill(c);
        if (filled <= 0)
            return filled;
    }
}
