/* SPDX-License-Identifier: MIT */
#include "certifier/merge.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>

void merge_fini(struct merge *m) { kept_fini(&m->all); }

static int differs(unsigned long long state, struct err *err)
{
    fail(err, "what one part of the script calls state %llu is another state than what a part before it calls so", state);
    err->code = -EBADMSG;
    return -EBADMSG;
}

int merge_add(struct merge *m, const char *file, struct err *err)
{
    unsigned long long state, high, low;
    int rc = 0, got = 0;
    FILE *in = file_open(file, "the map of a part", err);
    if (!in)
        return err_code(err);
    while (rc >= 0 && (got = fscanf(in, "%llu %16llx%16llx", &state, &high, &low)) == 3) {
        const struct kept_state *known = kept_get(&m->all, state);
        m->compared++;
        if (!known)
            kept_put(&m->all, state, (uint64_t[2]){ low, high }, 1);
        else if (known->fingerprint[0] != low || known->fingerprint[1] != high)
            rc = differs(state, err);
    }
    if (rc >= 0 && (got != EOF || ferror(in)))
        rc = fail(err, "%s: cannot be read as a map", file);
    fclose(in);
    return rc;
}
