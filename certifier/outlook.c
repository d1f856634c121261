/* SPDX-License-Identifier: MIT */
#include "certifier/outlook.h"

#include "system/glimpse.h"

#include <assert.h>

static void fill(struct outlook *o, struct script *script)
{
    o->at = o->count = o->supposed = 0;
    while (o->count < OUTLOOK && !o->over) {
        o->end = script_next(script, &o->entries[o->count], &o->err);
        o->over = o->end != 1;
        o->count += !o->over;
    }
}

/* The first choice with these words; false: there is none. */
static bool find_choice(struct system *s, struct wording *w, const struct script *script, uint32_t label, int p, uint32_t *choice)
{
    uint32_t choices = system_choices(s, p);
    for (*choice = 0; *choice < choices; ++*choice)
        if (wording_label(w, s, (struct labels *)script_labels(script), UNWORDED_LEAVE, (uint32_t)p, s->node[p], system_preview(s, p, *choice)) == label)
            return true;
    return false;
}

static bool suppose(struct system *s, struct wording *w, const struct script *script, uint32_t label, struct step *step)
{
    int p = labels_get(script_labels(script), label)->process;
    uint32_t choice;
    return p < s->processes && s->enabled >> p & 1 && find_choice(s, w, script, label, p, &choice) && glimpse_suppose(s, p, choice, step);
}

/* From the next entry on, as long as nothing is left that was entered before it. */
static int look(struct outlook *o, struct script *script, struct system *s, struct wording *w, struct err *err)
{
    struct step steps[OUTLOOK];
    uint32_t depth = 0, i = o->at;
    if (!glimpse_begin(s)) {
        o->supposed = o->count;
        return 0;
    }
    for (; i < o->count; i++) {
        const struct script_entry *e = &o->entries[i];
        if (e->label == BACK && !depth)
            break;
        if (e->label == BACK)
            system_undo(s, &steps[--depth]);
        else if (e->is_new && !suppose(s, w, script, e->label, &steps[depth]))
            break;
        else
            depth += e->is_new;
    }
    while (depth)
        system_undo(s, &steps[--depth]);
    o->supposed = i > o->at ? i : o->at + 1;
    return glimpse_end(s, err);
}

int outlook_next(struct outlook *o, struct script *script, struct system *s, struct wording *w, struct script_entry *e, bool *failed, struct err *err)
{
    *failed = false;
    if (o->at == o->count)
        fill(o, script);
    if (o->at == o->count) {
        assert(o->over);
        *err = o->err;
        return o->end;
    }
    *e = o->entries[o->at];
    int rc = e->label != BACK && e->is_new && o->at >= o->supposed ? look(o, script, s, w, err) : 0;
    *failed = rc < 0;
    o->at++;
    return rc < 0 ? rc : 1;
}
