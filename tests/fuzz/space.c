/* Any bytes as a state-space file: they are refused with file and line, or a space in which every number means something.
 * SPDX-License-Identifier: MIT */
#include "simulator/space.h"

#include <stdlib.h>
#include <string.h>

static void must(bool true_is)
{
    if (!true_is)
        abort();
}

static void check_transitions(const struct space *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct space_transition *t = &s->transitions[i];
        must(t->from < s->states && t->to < s->states && t->label < s->label_count && t->process);
        must(*s->labels[t->label]);
    }
    for (uint32_t i = 0; i < s->note_count; i++)
        must(s->notes[i].state < s->states && s->notes[i].what);
}

static void check_way(const struct space *s, uint32_t state)
{
    uint32_t count, *way = space_way(s, state, &count, NULL);
    for (uint32_t i = 0; way && i < count; i++)
        must(s->transitions[way[i]].to == (i + 1 < count ? s->transitions[way[i + 1]].from : state));
    free(way);
}

static void check_labels(const struct space *s)
{
    bool *matching = calloc(s->label_count + 1, sizeof *matching);
    must(matching && space_match(s, "*", matching, NULL) == 0);
    for (uint32_t i = 0; i < s->label_count; i++)
        must(matching[i]);
    free(matching);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct space space;
    struct err err = { .text = "" };
    if (space_parse(&space, (const char *)data, size, "fuzz", &err) == 0) {
        must(space.states > 0);
        check_transitions(&space);
        check_way(&space, 0);
        check_way(&space, space.states - 1);
        check_labels(&space);
    } else {
        must(!strncmp(err.text, "fuzz:", 5) && err.text[5] >= '1' && err.text[5] <= '9');
        must(!space.states && !space.transitions && !space.labels);
    }
    space_fini(&space);
    return 0;
}
