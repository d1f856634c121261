/* SPDX-License-Identifier: MIT */
#include "certifier/record.h"

#include "base/memory.h"
#include "certifier/again.h"
#include "certifier/beside.h"
#include "certifier/scribe.h"
#include "certifier/visits.h"
#include "certifier/wording.h"

#include <stdlib.h>

struct record {
    enum script_kind      kind;
    enum record_states    states;
    const char           *file;
    struct system        *system;
    struct scribe        *scribe;    /* NULL: it failed, or nothing began */
    struct again         *told;      /* AGAIN: what the search did, until it is known which states are the same */
    struct visits        *visits;
    struct err            err;       /* why it failed */
    uint64_t             *path, highest;         /* states that are entered and not left; the highest number there was */
    uint32_t              depth, room;
    struct wording        wording;
};

struct record *record_new(enum script_kind kind, enum record_states states, const char *file)
{
    struct record *r = memory_get(sizeof *r);
    r->kind = kind;
    r->states = states;
    r->file = file;
    if (states == RECORD_BESIDE)
        beside_processors();         /* the search will be kept to one */
    fail(&r->err, "%s: nothing was searched", file);
    return r;
}

static void forget(struct record *r)
{
    scribe_free(r->scribe);
    again_free(r->told);
    visits_free(r->visits);
    r->scribe = NULL;
    r->told = NULL;
    r->visits = NULL;
    wording_fini(&r->wording);
    r->depth = 0;
}

void record_free(struct record *r)
{
    if (!r)
        return;
    forget(r);
    free(r->path);
    free(r);
}

static void enter(struct record *r, uint64_t state)
{
    uint64_t fingerprint[2];
    if (r->visits) {
        system_fingerprint(r->system, fingerprint);
        visits_add(r->visits, fingerprint);
    }
    ARRAY_GROW(r->path, r->depth, r->room);
    r->path[r->depth++] = state;
    r->highest = state;
}

static bool begin(struct record *r)
{
    bool beside = r->states == RECORD_BESIDE && !system_shares(r->system);
    r->scribe = scribe_new(r->kind, beside ? SCRIBE_BESIDE : SCRIBE_HERE, r->file, &r->err);
    if (!r->scribe)
        return false;
    if (r->states != RECORD_AGAIN || ((r->told = again_new(r->file)) && (r->visits = visits_new(r->file))))
        return true;
    fail_errno(&r->err, "%s: no file can be made in its folder for the certificate", r->file);
    return false;
}

void record_begin(void *record, struct system *system)
{
    struct record *r = record;
    forget(r);
    r->system = system;
    if (!begin(r))
        forget(r);
    enter(r, 0);
}

/* ---- the search ---- */

static void give_up(struct record *r)
{
    fail(&r->err, "%s: the program has more than %d different transitions, or their words are longer than %d bytes, for which a "
         "certificate has no room", r->file, MOST_LABELS, MOST_LABEL_TEXT);
    forget(r);
}

static void leave(struct record *r)
{
    if (r->told)
        again_add(r->told, &(struct script_entry){ .label = BACK });
    else
        scribe_back(r->scribe);
    r->depth--;
}

void record_transition(void *record, uint64_t from, uint64_t to, const struct step *step)
{
    struct record *r = record;
    if (!r->scribe)
        return;
    while (r->path[r->depth - 1] != from)
        leave(r);
    bool is_new = to > r->highest;
    uint32_t label = wording_label(&r->wording, r->system, scribe_labels(r->scribe), UNWORDED_ADD, step->process, step->node,
                                   step->result);
    if (!label) {
        give_up(r);
        return;
    }
    if (r->told)
        again_add(r->told, &(struct script_entry){ .label = label, .to = to });
    else
        scribe_step(r->scribe, label, to);
    if (is_new)
        enter(r, to);
}

/* ---- when all is known ---- */

/* Algorithm 4.2 of the thesis: of a state that was entered several times the first time alone is told. Nothing is lost by that: whatever came
 * of a later time is where the first one led to, also through states that were given up in between; so none is entered for the first time there. */
static int write_first_times(struct record *r)
{
    struct script_entry e;
    uint32_t within = 0;             /* so many states, of which the first was entered again */
    int more;
    while ((more = again_next(r->told, &e)) > 0) {
        if (within) {
            within = e.label == BACK ? within - 1 : within + e.is_new;
        } else if (e.label == BACK) {
            scribe_back(r->scribe);
        } else {
            bool again = e.is_new && visits_again(r->visits, e.to);
            scribe_step(r->scribe, e.label, visits_state(r->visits, e.to));
            within = again;
        }
    }
    return more;
}

static int tell_first_times(struct record *r, struct err *err)
{
    int rc = visits_compare(r->visits, err);
    if (rc)
        return rc;
    return again_begin(r->told) && !write_first_times(r) ? 0
         : fail(err, "%s: what was searched cannot be written to a temporary file, or read from it", r->file);
}

int record_finish(struct record *r, const struct fields *fields, uint64_t *bytes, struct err *err)
{
    if (!r->scribe) {
        *err = r->err;
        return err_code(err);
    }
    while (r->depth)
        leave(r);
    int rc = r->told ? tell_first_times(r, err) : 0;
    if (rc)
        return rc;
    return scribe_finish(r->scribe, fields, r->file, bytes, err);
}
