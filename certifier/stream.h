/* Bytes through zstd, to a file and from one.
 * SPDX-License-Identifier: MIT */
#ifndef STREAM_H
#define STREAM_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct packer;
/* QUICKLY: what is used once, and somebody waits for it. WELL: what is kept. */
enum packing { PACK_QUICKLY, PACK_WELL };
struct packer *packer_new(FILE *, enum packing);                 /* borrows; gives */
void packer_byte(struct packer *, uint8_t);
void packer_bytes(struct packer *, const void *, size_t);
void packer_number(struct packer *, uint64_t);                   /* seven bits a byte, the lowest first; the eighth: there are more */
int  packer_finish(struct packer *);                             /* takes; 0, or negative errno when something was not written */

struct unpacker;
struct unpacker *unpacker_new(FILE *, uint64_t at, uint64_t length);      /* takes the file; gives */
void unpacker_free(struct unpacker *);                           /* NULL is fine */
int  unpacker_byte(struct unpacker *);                           /* -1: there are no more, or they are no zstd */
bool unpacker_bytes(struct unpacker *, void *, size_t);
bool unpacker_number(struct unpacker *, uint64_t *);
bool unpacker_over(struct unpacker *);                           /* all was read, and it was whole */

#endif
