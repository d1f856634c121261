/* Whether a request comes from our own page: the headers of a browser tell. SPDX-License-Identifier: MIT */
#ifndef ADMISSION_H
#define ADMISSION_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

enum { ADMISSION_HOST = 32 };         /* bytes of 127.0.0.1:65535 */

bool admission_same(const char *secret, const char *text, size_t length);        /* of `length` digits, in the same time wherever they differ */
/* A page of another site must not reach us: neither by its own script nor under a name that leads to this machine. `hosts`: what a browser may
 * call us, two of them; NULL: anything, as long as the page that asks has it, too. */
bool admission_is_ours(struct MHD_Connection *, char (*hosts)[ADMISSION_HOST]);
/* A form of another site can be sent without its origin being asked, but not as this type. */
bool admission_says_json(struct MHD_Connection *);
bool admission_announces(struct MHD_Connection *, size_t most);                  /* more bytes than that */

#endif
