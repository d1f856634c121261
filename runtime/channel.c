/* What is written to the pipes and sockets of a sharing group and was not read yet: for each channel a list of blocks, in memory that all share.
 * Packets have their length in front.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "descriptors.h"

#include <string.h>
#pragma GCC poison malloc calloc free printf

enum { BLOCK = 496 };
struct rt_block { struct rt_block *next; uint32_t end, reserved; char data[BLOCK]; };

static struct rt_block *new_block(void)
{
    struct rt_block *b = rt_root->spare;
    if (b)
        rt_root->spare = b->next;
    else
        b = rt_shared(sizeof *b);
    if (!b)
        rt_fail("no memory for what is written to the program's pipes and sockets");
    b->next = NULL;
    b->end = 0;
    return b;
}

void rt_add(struct rt_channel *c, const void *data, size_t bytes)
{
    const char *from = data;
    while (bytes) {
        if (!c->last || c->last->end == BLOCK) {
            struct rt_block *b = new_block();
            *(c->last ? &c->last->next : &c->first) = b;
            c->last = b;
        }
        size_t part = bytes < BLOCK - c->last->end ? bytes : BLOCK - c->last->end;
        memcpy(c->last->data + c->last->end, from, part);
        c->last->end += (uint32_t)part;
        c->bytes += (uint32_t)part;
        from += part;
        bytes -= part;
    }
}

static void drop_first(struct rt_channel *c)
{
    struct rt_block *b = c->first;
    c->first = b->next;
    if (!c->first)
        c->last = NULL;
    c->from = 0;
    b->next = rt_root->spare;
    rt_root->spare = b;
}

void rt_take(struct rt_channel *c, void *data, size_t bytes)
{
    char *to = data;
    while (bytes && c->first) {
        size_t there = c->first->end - c->from, part = bytes < there ? bytes : there;
        if (to) {
            memcpy(to, c->first->data + c->from, part);
            to += part;
        }
        c->from += (uint32_t)part;
        c->bytes -= (uint32_t)part;
        bytes -= part;
        if (c->from == c->first->end)
            drop_first(c);
    }
}

static void look(const struct rt_channel *c, char *to, size_t skip, size_t bytes)
{
    size_t at = c->from + skip;
    for (const struct rt_block *b = c->first; b && bytes; b = b->next) {
        if (at < b->end) {
            size_t part = bytes < b->end - at ? bytes : b->end - at;
            memcpy(to, b->data + at, part);
            to += part;
            bytes -= part;
            at = b->end;
        }
        at -= b->end;
    }
}

void rt_empty_channel(int channel)
{
    struct rt_channel *c = &rt_root->channels[channel];
    rt_take(c, NULL, c->bytes);
    c->half = c->reset = c->told = false;
}

void rt_put_bytes(int channel, const struct iovec *iov, int count, size_t from, size_t bytes)
{
    for (int i = 0; i < count && bytes; i++) {
        if (from >= iov[i].iov_len) {
            from -= iov[i].iov_len;
            continue;
        }
        size_t part = iov[i].iov_len - from < bytes ? iov[i].iov_len - from : bytes;
        rt_add(&rt_root->channels[channel], (const char *)iov[i].iov_base + from, part);
        bytes -= part;
        from = 0;
    }
}

static size_t get(struct rt_channel *c, const struct iovec *iov, int count, size_t skip, size_t bytes, bool peek)
{
    size_t done = 0;
    for (int i = 0; i < count && done < bytes; i++) {
        size_t part = iov[i].iov_len < bytes - done ? iov[i].iov_len : bytes - done;
        if (peek)
            look(c, iov[i].iov_base, skip + done, part);
        else
            rt_take(c, iov[i].iov_base, part);
        done += part;
    }
    return done;
}

size_t rt_get_bytes(int channel, const struct iovec *iov, int count, size_t bytes, bool peek)
{
    return get(&rt_root->channels[channel], iov, count, 0, bytes, peek);
}

void rt_put_packet(int channel, const struct iovec *iov, int count)
{
    uint32_t length = (uint32_t)rt_total(iov, count);
    rt_add(&rt_root->channels[channel], (const char *)&length, sizeof length);
    rt_put_bytes(channel, iov, count, 0, length);
}

size_t rt_get_packet(int channel, const struct iovec *iov, int count, bool peek)
{
    struct rt_channel *c = &rt_root->channels[channel];
    uint32_t length = 0;
    look(c, (char *)&length, 0, sizeof length);
    if (peek) {
        get(c, iov, count, sizeof length, length, true);
        return length;
    }
    rt_take(c, NULL, sizeof length);
    rt_take(c, NULL, length - get(c, iov, count, 0, length, false));
    return length;
}

size_t rt_bytes_in(int channel)
{
    return rt_root->channels[channel].bytes;
}
