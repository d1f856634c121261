/* SPDX-License-Identifier: MIT */
#include "certifier/merge.h"

#include "base/file.h"

#include <errno.h>
#include <string.h>

static const char first_line[] = "verisoft-map 3\n";
struct record { uint64_t state, fingerprint[2]; };               /* behind the last: of no state, and how many fingerprints follow */

/* ---- of a part ---- */

static int write_record(FILE *map, uint64_t state, uint64_t low, uint64_t high)
{
    struct record r = { state, { low, high } };
    if (!ftello(map))
        fputs(first_line, map);
    return fwrite(&r, sizeof r, 1, map) == 1 ? 0 : -EIO;
}

void merge_write_state(FILE *map, uint64_t state, const uint64_t fingerprint[2])
{
    write_record(map, state, fingerprint[0], fingerprint[1]);
}

int merge_write_all(FILE *map, struct tally *tally, struct err *err)
{
    uint64_t count;
    write_record(map, UINT64_MAX, 0, 0);
    off_t at = ftello(map);
    int rc = tally_end(tally, map, &count, err);
    if (rc)
        return rc;
    if (fseeko(map, at - (off_t)sizeof(uint64_t[2]), SEEK_SET) || fwrite(&count, sizeof count, 1, map) != 1 || fseeko(map, 0, SEEK_END))
        return fail_errno(err, "the map of a part cannot be written");
    return 0;
}

/* ---- of all ---- */

void merge_fini(struct merge *m)
{
    kept_fini(&m->known);
    tally_free(m->all);
}

static int differs(uint64_t state, struct err *err)
{
    fail(err, "what one part of the script calls state %llu is another state than what a part before it calls so", (unsigned long long)state);
    err->code = -EBADMSG;
    return -EBADMSG;
}

static int add_record(struct merge *m, const struct record *r, struct err *err)
{
    const struct kept_state *known = kept_get(&m->known, r->state);
    m->compared++;
    if (known && memcmp(known->fingerprint, r->fingerprint, sizeof r->fingerprint))
        return differs(r->state, err);
    if (!known)
        kept_put(&m->known, r->state, r->fingerprint, 1);
    return 0;
}

/* The first of each map: where the program began when the part was followed. Other libraries, or the same elsewhere, are no lie of the script. */
static int compare_begin(struct merge *m, FILE *in, const char *file, struct err *err)
{
    struct record r;
    if (fread(&r, sizeof r, 1, in) != 1 || r.state)
        return -EINVAL;
    const struct kept_state *known = kept_get(&m->known, 0);
    if (!known)
        kept_put(&m->known, 0, r.fingerprint, 1);
    else if (memcmp(known->fingerprint, r.fingerprint, sizeof r.fingerprint)) {
        fail(err, "%s: when this part was followed, the program did not begin as it did for others: its libraries are others, or lie elsewhere "
             "(packages may have been installed). Follow all parts again, where these are the same", file);
        err->code = -ESTALE;
        return -ESTALE;
    }
    return 0;
}

int merge_add(struct merge *m, const char *file, struct err *err)
{
    struct record r;
    char line[sizeof first_line] = "";
    FILE *in = file_open(file, "the map of a part", err);
    if (!in)
        return err_code(err);
    int rc = fgets(line, sizeof line, in) && !strcmp(line, first_line) ? compare_begin(m, in, file, err) : -EINVAL;
    while (!rc && !(rc = fread(&r, sizeof r, 1, in) == 1 ? 0 : -EINVAL) && r.state != UINT64_MAX && !(rc = add_record(m, &r, err)))
        ;
    if (!rc) {
        m->all = m->all ? m->all : tally_new(0);
        tally_add_run(m->all, file, (uint64_t)ftello(in), r.fingerprint[0]);
    }
    fclose(in);
    return !rc || rc == -EBADMSG || rc == -ESTALE ? rc : fail(err, "%s: cannot be read as the map of a part; follow that part again", file);
}

int merge_count(struct merge *m, uint64_t *states, struct err *err)
{
    *states = 0;
    return m->all ? tally_end(m->all, NULL, states, err) : 0;
}
