/* SHA-256 (FIPS 180-4): by which a program that was checked is known again.
 * SPDX-License-Identifier: MIT */
#ifndef SHA256_H
#define SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sha256 { uint32_t h[8]; uint8_t block[64]; uint64_t length; bool plainly; };      /* plainly: not by the processor's own instructions, if it has any */
struct sha256_text { char text[65]; };                           /* in hexadecimal digits */

void sha256_init(struct sha256 *);
void sha256_add(struct sha256 *, const void *, size_t);
struct sha256_text sha256_end(struct sha256 *);

#endif
