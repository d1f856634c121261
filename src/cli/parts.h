/* A certificate followed in parts: cut, each part followed by a command of its own, and what they say of states compared.
 * SPDX-License-Identifier: MIT */
#ifndef PARTS_H
#define PARTS_H

#include "certifier/certify.h"
#include "certifier/partition.h"
#include "cli/plan.h"

struct parts_request {
    struct plan        *plan;        /* of the whole; its scratch folder is used, and opened if it is not */
    const struct words *invariants;  /* further ones for each part */
    uint32_t            tasks;
    int                 jobs;
    void              (*progress)(void *, uint64_t transitions, uint64_t of);
    void               *progress_arg;
    const struct tree_file *tree;    /* NULL, or: it is not a script, but this */
};

/* Only cuts it: the parts are files in the folder, which is made if it is not there, to be followed anywhere. */
int parts_write(const struct parts_request *, const char *folder, struct partition *, struct err *);
/* They were followed, and what came of each stands beside it. As certify_program. */
int parts_merge(const struct parts_request *, const char *folder, const struct script *, struct certification *, struct err *);
/* As certify_program. -EAGAIN: of a tree only the whole tells, and it has to be followed so; err says why. */
int parts_certify(const struct parts_request *, const struct script *, struct certification *, struct err *);

#endif
