/* What the files of ltl.h share: the table.
 * SPDX-License-Identifier: MIT */
#ifndef LTL_INTERNAL_H
#define LTL_INTERNAL_H

#include "base/texts.h"
#include "properties/ltl.h"

enum { LTL_UNKNOWN = UINT32_MAX };

/* When it is so of a sequence, it is so of every sequence that ends in it; of every sequence that it ends in (Etessami and Holzmann 2000,
 * 'pure eventuality' and 'pure universality'). <>p is the first, []p the second, []<>p both. */
enum { PURE_EVENTUAL = 1, PURE_UNIVERSAL = 2, PURE_BOTH = 3 };

struct ltl_node {
    enum ltl_operator op;
    uint32_t left, right;            /* 0 where there is none; of a symbol: left is the number of its name */
    uint32_t normal;                 /* ltl_normal of it; LTL_UNKNOWN: not asked for yet */
    uint32_t dual;                   /* of a normal form: that of the negation; LTL_UNKNOWN: not asked for yet */
    unsigned pure;                   /* of a normal form: PURE_... */
};

struct ltl {
    struct ltl_node *nodes;
    uint32_t         count, room;
    uint32_t        *slots;          /* open addressing: number + 1, 0 for a free slot */
    uint32_t         mask;
    struct texts    *names;
    struct ltl_fact *facts;          /* what is known of pairs of formulas (ltl_normal.c); open addressing */
    uint32_t         fact_count, fact_mask;
};

#endif
