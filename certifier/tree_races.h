/* What happens before what on one execution, which pairs of its steps could be reversed, and which children each state owes for that: the
 * calculations of tree.h, whose words and theorem these are. They share no code with search/.
 *
 * Step i happens before step k when it comes first and they are steps of one process, or in conflict (dependence_conflict), or a chain of such pairs
 * leads from i to k. A clock has for each process 1 + the position of its last step that happens before this one, or is it.
 *
 *       position      0: 1 lock(a)   1: 2 post(s)   2: 1 unlock(a)   3: 3 lock(a)
 *       first = 0     free: 1 (2 depends on 0)      second = 3       reversal: 2 post(s), 3 lock(a); its initials: {2, 3}
 *
 * Invariants: clocks of the first `known` steps are right; of the steps before `standing` the system has executed all, of the others none;
 * whatever is tried is taken back.
 * SPDX-License-Identifier: MIT */
#ifndef TREE_RACES_H
#define TREE_RACES_H

#include "system/dependence.h"

enum { TREE_NOT_TAKEN = UINT32_MAX };

/* One of these processes must be a child of the state, because of a race: of whom, before what, and where it was seen. */
struct tree_debt {
    uint64_t processes, execution;
    uint32_t first, first_node, second, second_node;             /* processes, and where these stood in their graphs */
};

/* A step: of it process, node and result are meant. about: it may be in conflict with those that are not on its object. */
struct tree_event { struct step step; uint32_t stamp; bool about; };

/* One that may be the second of a race: on the path, or left undone there. */
struct tree_second {
    struct tree_event event;
    uint32_t    at;                  /* where on the path, or TREE_NOT_TAKEN */
    uint32_t    limit;               /* only steps before this one come into question as the first */
    uint32_t    previous;            /* 1 + position of its process's step before; 0: none */
    uint32_t    known_from;          /* it is there when the path has more steps than this */
};

/* `drops`: of the free steps that stand in its way (tree_races.c), those that are left out. */
struct tree_race { struct tree_second second; uint32_t stamp; uint64_t drops; };

/* A state of the path. */
struct tree_visit {
    uint64_t          sleep;         /* processes that sleep since it was entered */
    uint64_t          earlier;       /* children all of whose results were told, before the current one */
    uint64_t          alive, entered;            /* of the system; number of the execution in which it was entered */
    bool              shared;        /* it was entered in another part */
    bool              taken;         /* it has a current child: */
    bool              about;         /* as in struct tree_event */
    struct step       step;
    uint32_t          stamp, choices, told;      /* of its process: how many results there are, how many were told */
    uint64_t         *results;       /* a bit each for those */
    uint32_t          results_room;
    uint32_t          previous, last;            /* as 1 + position: its process's step before; the last that happens before it */
    struct tree_race *races;         /* of which it is the first step */
    uint32_t          race_count, race_room;
    struct tree_debt *debts;
    uint32_t          debt_count, debt_room;
};

struct tree_path {
    struct system      *system;
    struct tree_visit  *all;         /* one more than there are steps */
    uint32_t            depth, room;
    uint32_t            known, standing;
    uint32_t           *clocks;      /* MAX_PROCESSES numbers for each step */
    uint64_t            execution, races;        /* number of the one that is looked at; pairs that could be reversed */
    uint32_t            given;       /* the first so many steps are those by which a part begins: their races are counted elsewhere */
    bool                undecided;   /* so many steps were in the way of one that not all ways to leave some out were tried */
    /* while an execution is looked at */
    struct tree_second *seconds;
    uint32_t            second_count, second_room;
    uint32_t          (*reversed)[MAX_PROCESSES];                /* of each second: what happens before a first of its races */
    uint32_t            reversed_room;
    uint32_t            next_of[MAX_PROCESSES];  /* 1 + position of the next step of each process after the first that is looked at */
    uint32_t           *in_way, in_way_count;
    struct step        *tried;
};

void tree_path_init(struct tree_path *, struct system *);        /* borrows */
void tree_path_fini(struct tree_path *);
/* The state that the system has just come to, by the last step of the path (or the first state): a new visit. */
struct tree_visit *tree_path_enter(struct tree_path *, uint64_t sleep, uint64_t entered);
void tree_path_leave(struct tree_path *);        /* back by one step; the system, too */
/* Undoes steps of the path, or takes them again, to stand before the one at this position. The program does not run. */
void tree_path_stand_at(struct tree_path *, uint32_t at);
void tree_path_look(struct tree_path *);         /* the execution has come to its end: what it shows */
/* The first debt that the children of the state do not pay; NULL: there is none. */
const struct tree_debt *tree_debt_of(const struct tree_visit *, uint64_t children);

#endif
