/* SPDX-License-Identifier: MIT */
#include "protocol.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

enum { MAGIC = 0x4a };

static void put16(unsigned char *to, uint16_t value)
{
    to[0] = (unsigned char)value;
    to[1] = (unsigned char)(value >> 8);
}

static void put32(unsigned char *to, uint32_t value)
{
    put16(to, (uint16_t)value);
    put16(to + 2, (uint16_t)(value >> 16));
}

static uint16_t get16(const unsigned char *from) { return (uint16_t)(from[0] | from[1] << 8); }
static uint32_t get32(const unsigned char *from) { return get16(from) | (uint32_t)get16(from + 2) << 16; }

size_t frame_encode(const struct frame *f, unsigned char *out)
{
    assert(f->length <= FRAME_PAYLOAD);
    out[0] = MAGIC;
    out[1] = (unsigned char)f->kind;
    put16(out + 2, f->length);
    put32(out + 4, f->job);
    memcpy(out + FRAME_HEADER, f->payload, f->length);
    return FRAME_HEADER + f->length;
}

void decoder_init(struct decoder *d)
{
    d->length = 0;
}

unsigned char *decoder_room(struct decoder *d, size_t *room)
{
    *room = sizeof d->bytes - d->length;
    return d->bytes + d->length;
}

void decoder_add(struct decoder *d, size_t count)
{
    assert(count <= sizeof d->bytes - d->length);
    d->length += count;
}

static bool is_header(const unsigned char *bytes)
{
    return bytes[0] == MAGIC && bytes[1] >= FRAME_JOB && bytes[1] <= FRAME_STOP && get16(bytes + 2) <= FRAME_PAYLOAD;
}

int decoder_next(struct decoder *d, struct frame *f)
{
    if (d->length < FRAME_HEADER)
        return 0;
    if (!is_header(d->bytes))
        return -EPROTO;
    size_t whole = FRAME_HEADER + get16(d->bytes + 2);
    if (d->length < whole)
        return 0;
    f->kind = d->bytes[1];
    f->length = get16(d->bytes + 2);
    f->job = get32(d->bytes + 4);
    memcpy(f->payload, d->bytes + FRAME_HEADER, f->length);
    d->length -= whole;
    memmove(d->bytes, d->bytes + whole, d->length);
    return 1;
}

bool decoder_is_empty(const struct decoder *d)
{
    return d->length == 0;
}
