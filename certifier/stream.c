/* SPDX-License-Identifier: MIT */
#include "certifier/stream.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { BUFFER = 1 << 16, WINDOW = 22 };              /* WINDOW: log of the bytes that a reader must keep */

struct packer {
    FILE      *out;
    ZSTD_CCtx *zstd;
    uint32_t   used;
    bool       bad;
    uint8_t    bytes[BUFFER], packed[BUFFER];
};

struct packer *packer_new(FILE *out, enum packing how)
{
    static const int levels[] = { [PACK_QUICKLY] = 3, [PACK_WELL] = 9 };
    struct packer *p = memory_get(sizeof *p);
    p->out = out;
    p->zstd = ZSTD_createCCtx();
    p->bad = !p->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, levels[how]))
          || ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_windowLog, WINDOW))
          || ZSTD_isError(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1));
    return p;
}

static void pack(struct packer *p, ZSTD_EndDirective end)
{
    ZSTD_inBuffer in = { p->bytes, p->used, 0 };
    size_t left;
    do {
        ZSTD_outBuffer out = { p->packed, BUFFER, 0 };
        left = p->bad ? 0 : ZSTD_compressStream2(p->zstd, &out, &in, end);
        p->bad |= ZSTD_isError(left) || fwrite(p->packed, 1, out.pos, p->out) != out.pos;
    } while (!p->bad && (in.pos < in.size || (end == ZSTD_e_end && left)));
    p->used = 0;
}

void packer_byte(struct packer *p, uint8_t byte)
{
    if (p->used == BUFFER)
        pack(p, ZSTD_e_continue);
    p->bytes[p->used++] = byte;
}

void packer_bytes(struct packer *p, const void *bytes, size_t count)
{
    for (const uint8_t *b = bytes; count; count--)
        packer_byte(p, *b++);
}

void packer_number(struct packer *p, uint64_t number)
{
    for (; number > 127; number >>= 7)
        packer_byte(p, (uint8_t)(number | 128));
    packer_byte(p, (uint8_t)number);
}

int packer_finish(struct packer *p)
{
    errno = 0;
    pack(p, ZSTD_e_end);
    int rc = p->bad ? -(errno ? errno : EIO) : 0;
    ZSTD_freeCCtx(p->zstd);
    free(p);
    return rc;
}

/* ---- and back ---- */

struct unpacker {
    FILE      *in;
    ZSTD_DCtx *zstd;
    uint64_t   left;                 /* bytes of the file that are ours and not read */
    uint32_t   at, filled;           /* in `bytes` */
    bool       bad, whole;           /* whole: the end of the frame was seen */
    ZSTD_inBuffer packed;
    uint8_t    bytes[BUFFER], from[BUFFER];
};

struct unpacker *unpacker_new(FILE *in, uint64_t at, uint64_t length)
{
    struct unpacker *u = memory_get(sizeof *u);
    u->in = in;
    u->left = length;
    u->zstd = ZSTD_createDCtx();
    u->packed.src = u->from;
    u->bad = !u->zstd || ZSTD_isError(ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, WINDOW)) || fseeko(in, (off_t)at, SEEK_SET);
    return u;
}

void unpacker_free(struct unpacker *u)
{
    if (!u)
        return;
    ZSTD_freeDCtx(u->zstd);
    fclose(u->in);
    free(u);
}

static bool read_more(struct unpacker *u)
{
    size_t want = u->left < BUFFER ? (size_t)u->left : BUFFER;
    u->packed.size = fread(u->from, 1, want, u->in);
    u->packed.pos = 0;
    u->left -= u->packed.size;
    return u->packed.size != 0;
}

/* False: there is nothing more. Bytes behind the end of the frame are as bad as none before it. */
static bool unpack(struct unpacker *u)
{
    u->at = u->filled = 0;
    while (!u->filled && !u->bad && !u->whole) {
        ZSTD_outBuffer out = { u->bytes, BUFFER, 0 };
        if (u->packed.pos == u->packed.size && !read_more(u)) {
            u->bad = true;
            break;
        }
        size_t rc = ZSTD_decompressStream(u->zstd, &out, &u->packed);
        u->bad = ZSTD_isError(rc);
        u->whole = rc == 0;
        u->filled = u->bad ? 0 : (uint32_t)out.pos;
    }
    return u->filled != 0;
}

int unpacker_byte(struct unpacker *u)
{
    return u->at < u->filled || unpack(u) ? u->bytes[u->at++] : -1;
}

bool unpacker_bytes(struct unpacker *u, void *to, size_t count)
{
    for (uint8_t *b = to; count; count--) {
        int byte = unpacker_byte(u);
        if (byte < 0)
            return false;
        *b++ = (uint8_t)byte;
    }
    return true;
}

bool unpacker_number(struct unpacker *u, uint64_t *number)
{
    *number = 0;
    for (int shift = 0, byte = 128; byte & 128; shift += 7) {
        byte = unpacker_byte(u);
        if (byte < 0 || shift > 63)
            return false;
        *number |= (uint64_t)(byte & 127) << shift;
    }
    return true;
}

bool unpacker_over(struct unpacker *u)
{
    return u->at == u->filled && !unpack(u) && !u->bad && u->whole && !u->left && u->packed.pos == u->packed.size;
}
