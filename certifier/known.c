/* SPDX-License-Identifier: MIT */
#include "certifier/known.h"

#include "base/memory.h"

#include <stdlib.h>

enum { FAR = 64 };                   /* so many transitions into one state are looked at */

void known_fini(struct known *k)
{
    free(k->steps);
    free(k->states);
    *k = (struct known){ 0 };
}

void known_forget(struct known *k) { k->step_count = k->state_count = 0; }
bool known_full(const struct known *k) { return k->step_count == KNOWN_MOST || k->state_count == KNOWN_MOST; }

void known_add_state(struct known *k)
{
    ARRAY_GROW(k->states, k->state_count, k->state_room);
    k->states[k->state_count++] = (struct known_state){ 0, KNOWN_NONE, KNOWN_NONE, KNOWN_NONE, 0 };
}

void known_add_step(struct known *k, uint32_t from, uint32_t label, uint32_t to)
{
    uint32_t new = k->step_count;
    if (k->states[from].count == KNOWN_OF_STATE)
        return;
    k->states[from].count++;
    ARRAY_GROW(k->steps, k->step_count, k->step_room);
    k->steps[k->step_count++] = (struct known_step){ from, to, label, KNOWN_NONE, k->states[to].into };
    k->states[to].into = new;
    if (k->states[from].last == KNOWN_NONE)
        k->states[from].first = new;
    else
        k->steps[k->states[from].last].next = new;
    k->states[from].last = new;
}

uint32_t known_step_of(const struct known *k, uint32_t state, uint32_t label)
{
    uint32_t i = state == KNOWN_NONE ? KNOWN_NONE : k->states[state].first;
    while (i != KNOWN_NONE && k->steps[i].label != label)
        i = k->steps[i].next;
    return i;
}

uint32_t known_follow(const struct known *k, uint32_t state, uint32_t label)
{
    uint32_t i = known_step_of(k, state, label);
    return i == KNOWN_NONE ? KNOWN_NONE : k->steps[i].to;
}

uint32_t known_back(const struct known *k, uint32_t state, uint32_t label, uint32_t except)
{
    uint32_t i = k->states[state].into;
    for (int far = 0; i != KNOWN_NONE && far < FAR; i = k->steps[i].before, far++)
        if (k->steps[i].label == label && k->steps[i].from != except)
            return k->steps[i].from;
    return KNOWN_NONE;
}

bool known_square(const struct known *k, const struct labels *labels, uint32_t state, uint32_t label, uint32_t *to)
{
    int process = labels_get(labels, label)->process;
    for (uint32_t i = state == KNOWN_NONE ? KNOWN_NONE : k->states[state].first; i != KNOWN_NONE; i = k->steps[i].next) {
        const struct known_step *moved = &k->steps[i];
        if (labels_get(labels, moved->label)->process == process || moved->to == state)
            continue;
        uint32_t end = known_follow(k, moved->to, label);
        if (end == KNOWN_NONE)
            continue;
        *to = known_back(k, end, moved->label, state);
        return true;
    }
    return false;
}
