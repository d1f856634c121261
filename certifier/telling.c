/* SPDX-License-Identifier: MIT */
#include "certifier/telling.h"

#include "base/memory.h"
#include "certifier/ladder.h"
#include "certifier/trust.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TEXT = 1 << 16, CANDIDATES = 12, SAME_SUM = 8 };

/* Kinds of bits. */
enum { HAS, MORE, AS_GUESSED, OVER, NUMBER, WORDS, LEADS, FIRST, LAST = FIRST + 3 };

struct telling {
    struct labels *labels;
    struct coder  *coder;
    struct ladder  ladder;
    uint32_t       told_labels;      /* whose words are known to the reader */
    struct trust  *trust;            /* in what is foretold of an entry as a whole: roughly, and finely */
    int8_t         by_sum[1 << 14];  /* by label, and how a new state is foretold: above 0: when there is one of the right sum, it is that */
    char          *text;             /* LONGEST_TEXT bytes */
};

static int process_of(const struct telling *t, uint32_t label) { return labels_get(t->labels, label)->process; }
static struct rung *top(const struct telling *t)               { return ladder_top(&t->ladder); }

struct telling *telling_new(struct labels *labels, struct coder *coder)
{
    struct telling *t = memory_get(sizeof *t);
    t->labels = labels;
    t->coder = coder;
    t->trust = memory_get(2 * sizeof *t->trust);
    t->text = memory_get(LONGEST_TEXT);
    ladder_init(&t->ladder, labels);
    return t;
}

void telling_free(struct telling *t)
{
    if (!t)
        return;
    ladder_fini(&t->ladder);
    free(t->trust);
    free(t->text);
    free(t);
}

bool     telling_over(const struct telling *t)      { return t->ladder.depth == 0; }
uint64_t telling_here(const struct telling *t)      { return top(t)->state; }
uint64_t telling_new_state(const struct telling *t) { return t->ladder.highest + 1; }

/* ---- words ---- */

/* Of a reader false: it is longer than anything may be, or has what cannot be printed. */
static bool tell_text(struct telling *t, const char *text)
{
    uint32_t length = 0, past = 0;
    int byte;
    do {
        byte = text[length];
        for (int i = 7, read = 1; i >= 0; i--) {
            uint32_t contexts[] = { coder_mix(past & 0xff, (uint32_t)read), coder_mix(past & 0xffff, (uint32_t)read),
                                    coder_mix(past & 0xffffff, (uint32_t)read) };
            read = read << 1 | coder_bit(t->coder, byte >> i & 1, WORDS, contexts, 3);
            byte = i ? byte : read & 255;
        }
        t->text[length++] = (char)byte;
        past = past << 8 | (uint32_t)byte;
        if (byte && (byte < ' ' || byte == 127))
            return false;
    } while (byte && length < LONGEST_TEXT && !coder_bad(t->coder));
    return !byte;
}

/* A label that comes for the first time. UINT32_MAX: it cannot be read. */
static uint32_t tell_words(struct telling *t, uint32_t label, uint32_t process)
{
    const struct script_label *l = coder_reads(t->coder) ? NULL : labels_get(t->labels, label);
    if (!tell_text(t, l ? l->operation : t->text))
        return UINT32_MAX;
    char *operation = memory_text(t->text);
    bool well = tell_text(t, l ? l->outcome : t->text);
    if (!l)
        label = !well || labels_find(t->labels, (int)process, operation, t->text) ? 0
              : labels_add(t->labels, (int)process, operation, t->text);
    free(operation);
    t->told_labels++;
    return label ? label : UINT32_MAX;
}

static int bits_of(uint64_t most)    /* of a number that is at most this */
{
    int bits = 0;
    while (most >> bits)
        bits++;
    return bits;
}

/* By its number, 0 for one that comes for the first time. `process` MAX_PROCESSES: of any process; else of this one. */
static uint32_t tell_any_label(struct telling *t, uint32_t label, uint32_t context, uint32_t process)
{
    uint32_t number = (uint32_t)coder_number(t->coder, label > t->told_labels ? 0 : label, bits_of(t->told_labels), NUMBER, coder_mix(context, process));
    if (number > t->told_labels)
        return UINT32_MAX;
    if (number)
        return process == MAX_PROCESSES || (uint32_t)process_of(t, number) == process ? number : UINT32_MAX;
    if (process == MAX_PROCESSES) {
        bool reads = coder_reads(t->coder);
        process = (uint32_t)coder_number(t->coder, reads ? 0 : (uint32_t)process_of(t, label), bits_of(MAX_PROCESSES - 1), NUMBER,
                                         MAX_PROCESSES + 1);
    }
    return process < MAX_PROCESSES ? tell_words(t, label, process) : UINT32_MAX;
}

/* ---- labels ---- */

/* What the twin says of the process: that it can go on there, cannot, or moved; or there is no twin. */
static uint32_t ask_twin(const struct telling *t, const struct rung *r, uint32_t process)
{
    enum { CANNOT, CAN, NO_TWIN, MOVED };
    if (r->twin == KNOWN_NONE)
        return NO_TWIN;
    if ((uint32_t)process_of(t, r->moved) == process)
        return MOVED;
    return t->ladder.known.states[r->twin].can >> process & 1 ? CAN : CANNOT;
}

/* Can the process go on in this state? */
static bool tell_can(struct telling *t, uint32_t p, bool can, uint32_t guess)
{
    struct rung *r = top(t);
    uint64_t bit = UINT64_C(1) << p, told = r->can & (2 * bit - 1);
    uint32_t some = coder_mix(t->ladder.all, coder_mix((uint32_t)told, (uint32_t)(told >> 32))), twin = ask_twin(t, r, p);
    uint32_t here = coder_mix(guess, coder_mix(twin, (r->can & bit) != 0));
    uint32_t contexts[] = { here, coder_mix(t->ladder.all, coder_mix(p, twin)), coder_mix(here, coder_mix(r->arrived, r->last)), coder_mix(some, p) };
    can = coder_bit(t->coder, can, HAS, contexts, 4);
    r->can = can ? r->can | bit : r->can & ~bit;
    return can;
}

static uint32_t tell_first_label(struct telling *t, uint32_t p, uint32_t label, uint32_t guess)
{
    const struct rung *r = top(t);
    uint32_t before = t->ladder.cells[p].before;
    uint32_t contexts[] = { coder_mix(guess, before), coder_mix(guess, r->arrived), coder_mix(coder_mix(t->ladder.all, guess), p) };
    bool same = guess && coder_bit(t->coder, label == guess, AS_GUESSED, contexts, 3);
    return same ? guess : tell_any_label(t, label, coder_mix(before, guess), p);
}

/* Another outcome of the same process. */
static bool tell_more(struct telling *t, bool more)
{
    struct rung *r = top(t);
    uint32_t contexts[] = { r->last, coder_mix(r->last, r->told) };
    return coder_bit(t->coder, more, MORE, contexts, 2);
}

static uint32_t tell_next_label(struct telling *t, uint32_t label)
{
    uint32_t last = top(t)->last, guess = ladder_sequel(&t->ladder, last), contexts[] = { guess, coder_mix(last, UINT32_MAX) };
    bool same = guess && coder_bit(t->coder, label == guess, AS_GUESSED, contexts, 2);
    return same ? guess : tell_any_label(t, label, last, (uint32_t)process_of(t, last));
}

/* All processes were told. Still there may be a label, of a process of which nothing was known, or out of order. */
static uint32_t tell_end(struct telling *t, uint32_t label)
{
    uint32_t contexts[] = { top(t)->arrived };
    return coder_bit(t->coder, label == BACK, OVER, contexts, 1) ? BACK : tell_any_label(t, label, 0, MAX_PROCESSES);
}

/* From one process to the next. */
static uint32_t find_label(struct telling *t, uint32_t label)
{
    const struct rung *r = top(t);
    uint32_t wanted = label == BACK || coder_reads(t->coder) ? MAX_PROCESSES : (uint32_t)process_of(t, label);
    if (r->told && tell_more(t, wanted == r->process))
        return tell_next_label(t, label);
    for (uint32_t p = r->process + (r->told != 0); p < t->ladder.processes; p++) {
        uint32_t guess = ladder_first_label(&t->ladder, p);
        if (tell_can(t, p, wanted == p, guess))
            return tell_first_label(t, p, label, guess);
    }
    return tell_end(t, label);
}

/* ---- where it leads: one guess ---- */

struct guess {
    uint32_t label, how;             /* how: sort of guess */
    uint64_t state;
    int8_t  *by_sum;                 /* squares and sums foretell different states; NULL: they do not, or sums are not asked */
    uint64_t square, sum;
};

static uint64_t state_of(const struct telling *t, uint32_t known) { return known == KNOWN_NONE ? telling_new_state(t) : t->ladder.base + known; }

static uint64_t sum_after(struct telling *t, uint32_t label)
{
    const struct rung *r = top(t);
    return r->known == KNOWN_NONE ? 0 : sums_after(t->ladder.sums, sums_of(t->ladder.sums, r->known), ladder_kind(&t->ladder, label));
}

/* Is there a state of the right sum, other than squares foretell? If so, it is what was right before for this label. */
static void ask_sums(struct telling *t, struct guess *g, uint32_t square)
{
    enum { NEVER = -32 };
    int8_t *by_sum = &t->by_sum[ladder_mix(g->label, g->how) % sizeof t->by_sum];
    if (*by_sum == NEVER || top(t)->known == KNOWN_NONE)
        return;
    uint64_t sum = sum_after(t, g->label);
    if (square != KNOWN_NONE && sums_of(t->ladder.sums, square) == sum)
        return;
    int64_t same = sums_last(t->ladder.sums, sum, UINT32_MAX);
    g->sum = state_of(t, same == SUMS_NONE ? KNOWN_NONE : (uint32_t)same);
    if (g->sum == g->square)
        return;
    g->by_sum = by_sum;
    g->state = *by_sum >= 0 ? g->sum : g->square;
    g->how = 2 * LADDER_WAYS + 4 * g->how + 2 * (*by_sum >= 0) + (same == SUMS_NONE);
}

static void make_guess(struct telling *t, uint32_t label, struct guess *g)
{
    g->label = label;
    uint32_t square = ladder_leads(&t->ladder, label, &g->how);
    g->how = 2 * g->how + (square == KNOWN_NONE);
    g->state = g->square = state_of(t, square);
    g->by_sum = NULL;
    ask_sums(t, g, square);
}

static void learn_guess(const struct guess *g, uint64_t to)
{
    enum { MOST_SURE = 32 };
    if (g->by_sum && to == g->sum && *g->by_sum < MOST_SURE)
        ++*g->by_sum;
    else if (g->by_sum && to == g->square && *g->by_sum > -MOST_SURE)
        --*g->by_sum;
}

static bool tell_as_guessed(struct telling *t, const struct guess *g, uint64_t to)
{
    const struct rung *r = top(t);
    uint32_t sort = ladder_mix(g->label, g->how), before = t->ladder.cells[process_of(t, g->label)].before;
    uint32_t contexts[] = { ladder_mix(sort, r->way), ladder_mix(sort, t->ladder.all), ladder_mix(sort, before), ladder_mix(g->how, 0),
                            ladder_mix(sort, coder_mix(r->arrived, r->last)) };
    return coder_bit(t->coder, to == g->state, LEADS, contexts, 5);
}

/* ---- else all that may be ---- */

/* Where a transition may lead: states, from the likeliest on, and how each was found. */
enum { BY_OTHER, BY_PARENT, BY_SUM, BY_NEW };
struct candidates { uint64_t states[CANDIDATES], sum; uint32_t how[CANDIDATES], count, same; };

static void propose(struct candidates *c, uint64_t state, uint32_t how)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->states[i] == state)
            return;
    assert(c->count < CANDIDATES);
    c->states[c->count] = state;
    c->how[c->count++] = how;
}

static void find_candidates(struct telling *t, const struct guess *g, struct candidates *c)
{
    uint32_t before = UINT32_MAX, state = ladder_by_parent(&t->ladder, g->label);
    *c = (struct candidates){ .sum = sum_after(t, g->label) };
    propose(c, g->state, BY_OTHER);  /* which it is not */
    if (g->by_sum)
        propose(c, g->state == g->sum ? g->square : g->sum, BY_OTHER);
    if (state != KNOWN_NONE)
        propose(c, t->ladder.base + state, BY_PARENT);
    for (int64_t same; c->same < SAME_SUM && (same = sums_last(t->ladder.sums, c->sum, before)) != SUMS_NONE; c->same++) {
        propose(c, t->ladder.base + (uint64_t)same, BY_SUM);
        before = (uint32_t)same;
    }
    propose(c, telling_new_state(t), BY_NEW);
}

/* Which of them it is. False: none of them. */
static bool tell_candidate(struct telling *t, const struct candidates *c, uint32_t label, uint32_t before, uint64_t *to)
{
    const struct rung *r = top(t);
    for (uint32_t i = 1; i < c->count; i++) {
        uint32_t state = ladder_known(&t->ladder, c->states[i]);
        uint32_t fits = state == KNOWN_NONE ? 2 : sums_of(t->ladder.sums, state) == c->sum;
        uint32_t how = coder_mix(c->how[i], fits), some = coder_mix(how, c->same < 4 ? c->same : 4);
        uint32_t contexts[] = { some, coder_mix(some, coder_mix(label, before)), coder_mix(how, coder_mix(label, r->arrived)),
                                coder_mix(coder_mix(r->last, i), coder_mix(label, r->arrived)),
                                coder_mix(coder_mix(t->ladder.all, some), label) };
        if (coder_bit(t->coder, *to == c->states[i], FIRST + (i < 4 ? i - 1 : 3), contexts, 5)) {
            *to = c->states[i];
            return true;
        }
    }
    return false;
}

static uint64_t tell_state(struct telling *t, const struct guess *g, uint64_t to)
{
    struct candidates c;
    uint32_t before = t->ladder.cells[process_of(t, g->label)].before;
    if (tell_as_guessed(t, g, to))
        return g->state;
    find_candidates(t, g, &c);
    return tell_candidate(t, &c, g->label, before, &to) ? to
         : coder_number(t->coder, to, bits_of(t->ladder.highest), NUMBER, MAX_PROCESSES + 2);
}

/* ---- an entry ---- */

/* Label and state at once, where it was foretold rightly often enough. Else what it is of the two is told bit by bit. */
static void foretell(struct telling *t, enum telling_kind kind, struct guess *g)
{
    uint32_t label = ladder_next_label(&t->ladder);
    if (label != BACK && label != LADDER_NOBODY_KNOWS && kind == TELLING_ALL)
        make_guess(t, label, g);
    else
        *g = (struct guess){ .label = label, .how = UINT32_MAX, .state = telling_new_state(t) };
}

/* By label and how, and then by how the state was entered, too. What was never met so is trusted when the like of it was right very often. */
struct sort { uint32_t rough, fine; };

static struct sort sort_of(const struct telling *t, const struct guess *g)
{
    const struct rung *r = top(t);
    uint32_t rough = ladder_mix(g->label, 2 * g->how + (r->twin == KNOWN_NONE));
    return (struct sort){ rough, ladder_mix(rough + r->last, r->twin == KNOWN_NONE ? t->ladder.all : r->way) };
}

static bool is_sure(const struct telling *t, struct sort sort)
{
    enum { OFTEN = 64 };
    int right = trust_of(&t->trust[1], sort.fine);
    return right < 0 ? trust_of(&t->trust[0], sort.rough) >= OFTEN : right >= TRUST_FROM;
}

static void learn(struct telling *t, struct sort sort, bool right)
{
    trust_learn(&t->trust[0], sort.rough, right);
    trust_learn(&t->trust[1], sort.fine, right);
}

static uint32_t accept(struct telling *t, enum telling_kind kind, const struct guess *g, uint64_t to)
{
    if (kind == TELLING_ALL)
        learn_guess(g, to);
    ladder_told_state(&t->ladder, g->label, ladder_kind(&t->ladder, g->label), to);
    return g->label;
}

static uint32_t tell_slowly(struct telling *t, enum telling_kind kind, uint32_t label, uint64_t *to, const struct guess *foretold)
{
    struct guess g = *foretold;
    label = find_label(t, label);
    if (label == UINT32_MAX || coder_bad(t->coder))
        return UINT32_MAX;
    if (label == BACK) {
        ladder_told_over(&t->ladder);
        return BACK;
    }
    ladder_told_label(&t->ladder, label);
    if (label != g.label && kind == TELLING_ALL)
        make_guess(t, label, &g);
    g.label = label;
    *to = kind == TELLING_TREE ? telling_new_state(t) : tell_state(t, &g, *to);
    return *to > telling_new_state(t) || coder_bad(t->coder) ? UINT32_MAX : accept(t, kind, &g, *to);
}

static uint32_t take_foretold(struct telling *t, enum telling_kind kind, uint64_t *to, const struct guess *g)
{
    if (coder_bad(t->coder))
        return UINT32_MAX;
    if (g->label == BACK) {
        ladder_told_over(&t->ladder);
        return BACK;
    }
    *to = g->state;
    ladder_told_label(&t->ladder, g->label);
    return accept(t, kind, g, *to);
}

uint32_t telling_entry(struct telling *t, enum telling_kind kind, uint32_t label, uint64_t *to)
{
    struct guess g;
    if (known_full(&t->ladder.known))
        ladder_forget(&t->ladder);
    foretell(t, kind, &g);
    if (g.label == LADDER_NOBODY_KNOWS)
        return tell_slowly(t, kind, label, to, &g);
    struct sort sort = sort_of(t, &g);
    bool right = label == g.label && (label == BACK || *to == g.state);
    if (is_sure(t, sort)) {
        right = coder_sure(t->coder, right);
        learn(t, sort, right);
        return right ? take_foretold(t, kind, to, &g) : tell_slowly(t, kind, label, to, &g);
    }
    label = tell_slowly(t, kind, label, to, &g);
    learn(t, sort, label == g.label && (label == BACK || *to == g.state));
    return label;
}
