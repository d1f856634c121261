/* The object types that come with VeriSoft, a file each.
 * SPDX-License-Identifier: MIT */
#ifndef BUILTIN_H
#define BUILTIN_H

#include "object.h"
#include "wire.h"

#define X(upper, lower) extern const struct object_type lower##_type;
OBJECT_TYPES(X)
#undef X

/* What the types without state of their own share: always enabled, never blocks. */
uint32_t builtin_always(const uint32_t *state, const struct op *);
bool     builtin_free(const struct op *, struct guard *);        /* a guard that always holds */
int      builtin_one_word(const int32_t arg[3], char *why, size_t room);  /* its state is one word; and, of what is only kept in order, that stays 0: */
void     builtin_zero(const int32_t arg[3], uint32_t *state);
uint32_t builtin_nothing(struct log *, uint32_t *state, const struct op *, uint32_t choice);
bool     builtin_independent(const uint32_t *state, const struct op *, const struct op *);
void     builtin_errno_name(uint32_t result, char *out, size_t room);     /* EAGAIN, 0, cancelled */
void     builtin_signal_name(uint32_t signal, char *out, size_t room);    /* SIGUSR1 */
bool     builtin_no_conflict(const struct op *, uint32_t, const struct op *, uint32_t);

#endif
