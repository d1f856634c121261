/* How server and worker talk: frames on a stream of bytes.
 *
 *     byte 0      magic, so that a stream that got out of step is noticed
 *     byte 1      kind of the frame
 *     bytes 2-3   length of the payload, low byte first
 *     bytes 4-7   number of the job, low byte first
 *     then        the payload
 *
 * A pipe may give a frame in pieces, or the end of one with the beginning of the next: the decoder collects bytes until a
 * frame is whole.
 * SPDX-License-Identifier: MIT */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_HEADER = 8, FRAME_PAYLOAD = 120, FRAME_LARGEST = FRAME_HEADER + FRAME_PAYLOAD };

enum frame_kind {
    FRAME_JOB = 1,                   /* server to worker: a job */
    FRAME_RESULT,                    /* worker to server: what came of it */
    FRAME_FAILURE,                   /* worker to server: it could not be done; the payload says why */
    FRAME_STOP                       /* server to worker: no more jobs */
};

struct frame {
    enum frame_kind kind;
    uint32_t        job;
    uint16_t        length;
    unsigned char   payload[FRAME_PAYLOAD];
};

/* Writes the frame as bytes; gives how many. `out` has room for FRAME_LARGEST. */
size_t frame_encode(const struct frame *, unsigned char *out);

struct decoder {
    unsigned char bytes[2 * FRAME_LARGEST];
    size_t        length;
};

void   decoder_init(struct decoder *);
/* Where bytes that come next belong, and how many have room there. */
unsigned char *decoder_room(struct decoder *, size_t *room);
void   decoder_add(struct decoder *, size_t count);              /* so many were put there */
/* 1: the next frame, 0: it is not whole yet, -EPROTO: this is not our protocol. */
int    decoder_next(struct decoder *, struct frame *);
bool   decoder_is_empty(const struct decoder *);                 /* no beginning of a frame is left over */

#endif
