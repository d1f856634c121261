/* SPDX-License-Identifier: MIT */
#include "cli/tryout.h"

#include "base/memory.h"
#include "base/prose.h"
#include "cli/trial.h"
#include "cli/words.h"
#include "extractor/verify.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3 };

static bool has_threads(const struct machines *m)
{
    static const char *const headers[] = { "pthread.h", "threads.h", "semaphore.h" };
    for (int i = 0; i < m->includes.count; i++)
        for (size_t h = 0; h < sizeof headers / sizeof *headers; h++)
            if (!strcmp(m->includes.items[i], headers[h]))
                return true;
    return false;
}

static void open_bench(struct tryout *o)
{
    const struct harness *h = &o->x->harness;
    struct words w = { 0 };
    for (int i = 0; i < h->sources.count; i++) {
        char *path = prose_make("%s%s", h->sources.items[i][0] == '/' ? "" : h->folder, h->sources.items[i]);
        words_add(&w, path);
        free(path);
    }
    for (int i = 0; i < h->options.count; i++)
        words_add(&w, h->options.items[i]);
    words_add(&w, "-pthread");
    words_add(&w, "--stdin");        /* a model reads nothing, wherever it is started */
    words_add(&w, "/dev/null");
    words_add(&w, "--output");
    words_add(&w, o->output);
    if (h->arguments.count)
        words_add(&w, "--");
    for (int i = 0; i < h->arguments.count; i++)
        words_add(&w, h->arguments.items[i]);
    o->bench = bench_open(o->self, (int)w.count, w.items, has_threads(&o->x->machines));
    words_fini(&w);
}

/* The operations of a trail, and its accesses to what threads share; what repeats is in it ROUNDS times, for a program that does it once may not do it
 * again. Gives. */
static struct deed *deeds_of(const struct extraction *x, const struct trail *t, int *count)
{
    int again = t->cycle < 0 ? 0 : t->count - t->cycle, length = t->count + (ROUNDS - 1) * again;
    struct deed *all = memory_get(((size_t)length + 1) * sizeof *all);
    *count = 0;
    for (int n = 0; n < length; n++) {
        int i = n < t->count ? n : t->cycle + (n - t->count) % again;
        const struct step *s = &t->steps[i];
        const struct model_act *a = s->act < 0 ? NULL : &x->model.acts[s->act];
        if (!a || (!s->operation && !a->yields))
            continue;
        const char *slash = s->place.file ? strrchr(s->place.file, '/') : NULL;
        all[(*count)++] = (struct deed){ i, s->thread, s->born, s->choice, t->processes[s->process], a->name ? a->name : "",
                                         !s->operation, slash ? slash + 1 : s->place.file, s->place.line,
                                         n < t->count ? 0 : 1 + (n - t->count) / again };
    }
    return all;
}

/* Where nothing is left out or mapped, the model does no more than the machine may do: what VeriSoft does not do is a race that it does not see. Gives. */
static char *race(const struct extraction *x, const struct trail *t, int step)
{
    for (int i = step < t->count ? step : t->count - 1; i > 0; i--)
        if (!t->steps[i].operation && t->steps[i].act >= 0 && x->model.acts[t->steps[i].act].yields && t->steps[i - 1].thread != t->steps[i].thread)
            return prose_make("%s:%d: others come before '%s', which uses what threads share; where the program was not compiled to tell "
                              "of that, VeriSoft lets threads go only where they synchronise otherwise, but a machine may do it", t->steps[i].place.file, t->steps[i].place.line, t->steps[i].text);
    return prose_make("nothing is left out of the model; VeriSoft lets threads go only where they synchronise, but a machine may do it");
}

/* What lets the model do what the program does not do. Gives; NULL: nothing does. */
static char *culprit(const struct extraction *x, const struct trail *t, int step)
{
    const struct step *at = step < t->count ? &t->steps[step] : NULL, *found = NULL;
    for (int i = 0; i < step && i < t->count; i++)
        if (t->steps[i].free && (!found || !at || t->steps[i].thread == at->thread))
            found = &t->steps[i];
    if (found)
        return prose_make("%s:%d: the model takes '%s' either way: it is left out, or the map says so", found->place.file, found->place.line, found->text);
    for (int i = 0; i < x->model.account_count; i++) {
        const struct node *n = &x->model.accounts[i].function->nodes[x->model.accounts[i].node];
        if (x->model.accounts[i].fate == FATE_LEFT_OUT && n->text)
            return prose_make("%s:%d: the model leaves out '%s'", n->place.file, n->place.line, n->text);
    }
    for (int i = 0; i < x->harness.map.count; i++) {
        const struct map_entry *e = &x->harness.map.items[i];
        if (e->used && strcmp(e->right, "keep"))
            return prose_make("%s:%d: the map has '%s' as '%s'", e->file, e->line, e->left, e->right);
    }
    return NULL;
}

/* ---- the formula, on the run of the program ---- */

/* Whether what was seen violates the formula. What repeats is its last round; without it a run that is at rest stays as it is, and of one that goes on
 * only what no further step can mend is a violation. */
struct requirement { const struct claim *claim; int again; };    /* again: the deed with which the last round begins; -1: nothing repeats */

static uint64_t letter(const struct claim *c, uint64_t values)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < c->automaton->symbol_count; i++)
        for (int s = 0; s < c->property->symbol_count; s++)
            if (values >> s & 1 && !strcmp(c->automaton->symbols[i], c->property->symbols[s].name))
                bits |= 1ull << i;
    return bits;
}

static bool is_violated(const struct lookout *w)
{
    const struct requirement *r = w->asker;
    uint64_t *letters = memory_get(((size_t)w->sample_count + 1) * sizeof *letters);
    uint32_t count = (uint32_t)w->sample_count, again = count;
    for (uint32_t i = 0; i < count; i++) {
        letters[i] = letter(r->claim, w->samples[i].values);
        if (r->again >= 0 && w->samples[i].deed >= r->again && again == count)
            again = i;
    }
    bool violated = !count ? false : again < count ? buchi_accepts(r->claim->automaton, letters, count, again)
                  : w->at_rest || r->again >= 0 ? buchi_accepts(r->claim->automaton, letters, count, count - 1) : buchi_decided(r->claim->automaton, letters, count);
    free(letters);
    return violated;
}

/* Of a formula the program has no error to show: it was seen to do all steps, and what its variables were there. Where they cannot be looked at, they are
 * what the trail says where all of the model is the program's; *let: what is not, or NULL. Gives the words. */
static char *followed(const struct trail *t, const char *words, const struct lookout *w, const char *let)
{
    const char *commands = strchr(words, '\n');
    const char *once = t->cycle >= 0 ? " (what repeats, three times)" : "";
    commands = commands ? commands : "";
    if (w && !w->blind)
        return w->violated ? prose_make("the program does all steps of it%s, and by the values that its variables have there the requirement is violated%s", once, commands)
             : prose_make("the program does all steps of it%s, but the values that its variables have there do not violate the requirement%s%s%s", once,
                          let ? ":\n  " : "", let ? let : "", commands);
    char *blind = w ? prose_make("\n  its symbols cannot be computed on the program: %s", w->blind) : prose_make("%s", "");
    char *all = let ? prose_make("the program does all steps of it%s, but whether the requirement is violated there is said by the model alone:\n  %s%s%s", once, let,
                                 blind, commands)
                    : prose_make("the program does all steps of it%s; nothing of it is left out or mapped, so that its variables are there what the model says%s%s",
                                 once, blind, commands);
    free(blind);
    return all;
}

/* ---- all of it ---- */

static enum trial_aim aim_of(const struct property *p)
{
    return p->formula ? TRIAL_PATH : !strcmp(p->name, "progress") ? TRIAL_ENDLESS : !strcmp(p->name, "deadlock") ? TRIAL_DEADLOCK : TRIAL_WRONG;
}

static bool can_watch(const struct checked *c) { return c->claim && c->claim->automaton && !c->claim->next; }

static struct trial run(struct tryout *o, const struct checked *c, const struct trail *t, const struct deed *deeds, int count, struct lookout *w)
{
    struct requirement r = { c->claim, t->cycle < 0 ? -1 : count };
    const char **expressions = memory_get(((size_t)c->property->symbol_count + 1) * sizeof *expressions);
    for (int i = 0; i < c->property->symbol_count; i++)
        expressions[i] = c->property->symbols[i].expression;
    for (int i = count; t->cycle >= 0 && i-- > 0 && deeds[i].step >= t->cycle && deeds[i].round == ROUNDS - 1;)
        r.again = i;
    *w = (struct lookout){ .expressions = expressions, .count = c->property->symbol_count, .enough = is_violated, .asker = &r };
    struct trial done = trial_run(o->bench, deeds, count, aim_of(c->property), can_watch(c) ? w : NULL);
    w->violated = can_watch(c) && !w->blind && is_violated(w);
    free(expressions);
    return done;
}

static const char *word_of(struct trial run, bool path, const struct lookout *w, bool let)
{
    bool sure = !path ? true : w ? (w->blind ? !let : w->violated) : !let;
    return run.verdict == TRIAL_FAILED ? "not tried" : run.verdict == TRIAL_NOT ? (let ? "not in the program" : "not confirmed") : sure ? "confirmed" : "not confirmed";
}

void tryout(struct tryout *o, const struct checked *c, struct trail *t)
{
    assert(o->x->harness.program && !t->trial);
    if (!o->bench)
        open_bench(o);
    int count;
    struct lookout lookout, *w = can_watch(c) ? &lookout : NULL;
    struct deed *deeds = deeds_of(o->x, t, &count);
    struct trial done = run(o, c, t, deeds, count, &lookout);
    int step = done.deed < count ? deeds[done.deed].step : t->count;
    bool path = done.verdict == TRIAL_CONFIRMED && aim_of(c->property) == TRIAL_PATH;
    char *let = done.verdict == TRIAL_NOT || path ? culprit(o->x, t, step) : NULL;
    t->trial = prose_make("%s", word_of(done, path, w, let));
    o->confirmed += !strcmp(t->trial, "confirmed");
    o->refuted += !strcmp(t->trial, "not in the program");
    if (done.verdict == TRIAL_NOT && !let)
        let = race(o->x, t, step);
    t->trial_words = path ? followed(t, done.words, w, let) : let ? prose_make("it departs %s %d: %s\n  %s", step < t->count ? "at step" : "behind step", step < t->count ? step + 1 : t->count,
                                      done.words, let) : prose_make("%s", done.words);
    t->scenario = done.scenario ? prose_make("%s", done.scenario) : NULL;
    lookout_fini(&lookout);
    trial_fini(&done);
    free(let);
    free(deeds);
}

void tryout_fini(struct tryout *o)
{
    bench_close(o->bench);
    o->bench = NULL;
}
