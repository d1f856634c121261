/* Sets of processes, kept in two words of an object.
 * SPDX-License-Identifier: MIT */
#ifndef SET_H
#define SET_H

#include "object.h"
#include "wire.h"

enum { SET_WORDS = MAX_PROCESSES / 32 };

static inline bool set_has(const uint32_t *set, uint32_t process) { return set[process / 32] >> process % 32 & 1; }
static inline bool set_empty(const uint32_t *set)                 { return !(set[0] | set[1]); }

static inline uint32_t set_count(const uint32_t *set)
{
    return (uint32_t)(__builtin_popcount(set[0]) + __builtin_popcount(set[1]));
}

static inline void set_write(struct log *log, uint32_t *word, uint32_t value)      /* a word that may stay as it is */
{
    if (*word != value)
        object_set(log, word, value);
}

static inline void set_add(struct log *log, uint32_t *set, uint32_t process)
{
    set_write(log, &set[process / 32], set[process / 32] | UINT32_C(1) << process % 32);
}

static inline void set_remove(struct log *log, uint32_t *set, uint32_t process)
{
    set_write(log, &set[process / 32], set[process / 32] & ~(UINT32_C(1) << process % 32));
}

static inline void set_move_all(struct log *log, uint32_t *from, uint32_t *to)
{
    for (int i = 0; i < SET_WORDS; i++) {
        set_write(log, &to[i], to[i] | from[i]);
        set_write(log, &from[i], 0);
    }
}

static inline uint32_t set_nth(const uint32_t *set, uint32_t n)                    /* the set has more than n */
{
    uint64_t all = (uint64_t)set[1] << 32 | set[0];
    while (n--)
        all &= all - 1;
    return (uint32_t)__builtin_ctzll(all);
}

/* In 31 bits. Two processes may share one, so a process may seem to be in the set that is not. */
enum { SET_FOLD = 31 };
static inline uint32_t set_folded_bit(uint32_t process) { return UINT32_C(1) << process % SET_FOLD; }

static inline uint32_t set_fold(const uint32_t *set)
{
    uint64_t all = (uint64_t)set[1] << 32 | set[0];
    return (uint32_t)((all | all >> SET_FOLD | all >> 2 * SET_FOLD) & ((UINT32_C(1) << SET_FOLD) - 1));
}

/* " 1 4 5", at most; gives the number of characters. */
int set_print(const uint32_t *set, char *out, size_t room);

#endif
