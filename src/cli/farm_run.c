/* One search of one property for the farm, by a command of its own: what is checked is made again from harness and sources, so that any machine that
 * sees them can do it. Invariant: a result is written only of what was asked for, as its content says; and whole, or not at all.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cli/farm_model.h"

#include "base/file.h"
#include "base/sha256.h"
#include "cli/commands.h"
#include "cli/offline.h"
#include "cli/tryout.h"
#include "extractor/describe.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 9 };

struct order { const char *name, *content, *made, *result, *live; struct verify_settings settings; };

static int read_order(struct order *o, int count, char **w, struct err *err)
{
    if (count != WORDS || (atoi(w[1]) && atoi(w[1]) < VERIFY_FIRST) || atoi(w[6]) < 16)
        return fail(err, "farm HARNESS run: this is for the farm itself, which gives it %d words", WORDS);
    *o = (struct order){ w[0], w[2], w[3], w[4], w[5],
                         { .bits = atoi(w[1]), .exhaustive = !atoi(w[1]), .memory = atoi(w[6]), .seconds = atof(w[7]), .trails = atoi(w[8]), .jobs = 1 } };
    return 0;
}

static const struct property *find(const struct extraction *x, const char *name)
{
    for (int i = 0; i < x->harness.properties.count; i++)
        if (!strcmp(x->harness.properties.items[i].name, name))
            return &x->harness.properties.items[i];
    return NULL;
}

static int put(const void *report, FILE *out)
{
    return json_dumpf(report, out, JSON_COMPACT) || fflush(out) || fsync(fileno(out)) ? -EIO : 0;
}

/* A counter-example of a program counts for what it is in the program itself. */
static void try_it(const struct extraction *x, const struct workshop *w, struct checked *c)
{
    struct tryout t = { .x = x, .self = "verisoft", .output = w->folder };
    tryout(&t, c, &c->trail);
    tryout_fini(&t);
}

static int search(const struct order *o, struct extraction *x, const struct workshop *w, struct err *err)
{
    struct verification v = { 0 };
    int bad = verify_alone(&v, x, w, o->made, o->live, o->name, &o->settings, err);
    if (!bad) {
        assert(v.count == 1 && v.items[0].identifier);
        if (x->harness.program && v.items[0].verdict == VERDICT_FAILED)
            try_it(x, w, &v.items[0]);
        json_t *told = describe_checked(x, &v.items[0]);
        assert(!strcmp(json_string_value(json_object_get(told, "key")), o->content));
        bad = file_write(o->result, "the result", put, told, err);
        json_decref(told);
    }
    verify_fini(&v);
    return bad;
}

int farm_run(const char *harness, int count, char **words)
{
    struct order o;
    struct extraction x = { 0 };
    struct shop shop = { .scratch.socket = -1 };
    struct err err;
    char *const from[] = { (char *)harness }, *const none[] = { NULL };
    int bad = read_order(&o, count, words, &err), status = EXIT_COMPLETE;
    if (!bad)
        bad = shop_open(&shop, &err);
    if (!bad) {
        offline_go();                /* what a property says is C in the end: a symbol may be an expression of C */
        bad = extract_read(&x, from, 1, none, &err) ?: extract_stage_one(&x, &shop.workshop, &err) ?: extract_stage_two(&x, &err);
    }
    const struct property *p = bad ? NULL : find(&x, o.name);
    if (!bad && (!p || strcmp(describe_key(&x, p).text, o.content)))
        status = EXIT_INCOMPLETE;    /* another content by now */
    else if (!bad)
        bad = search(&o, &x, &shop.workshop, &err);
    if (bad)
        status = command_failed(bad, &err);
    extract_fini(&x);
    shop_close(&shop);
    return status;
}
