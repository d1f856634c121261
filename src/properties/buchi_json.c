/* SPDX-License-Identifier: MIT */
#include "properties/buchi.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *taken(char *text)
{
    json_t *value = json_string(text);
    free(text);
    return value;
}

static json_t *symbols_in(const struct buchi *b, uint64_t set)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < b->symbol_count; i++)
        if (set >> i & 1)
            json_array_append_new(list, json_string(b->symbols[i]));
    return list;
}

static json_t *state(const struct buchi *b, uint32_t s, const bool *reached)
{
    json_t *o = json_object();
    json_object_set_new(o, "name", taken(buchi_state(b, s)));
    json_object_set_new(o, "initial", json_boolean(s == 0));
    json_object_set_new(o, "accepting", json_boolean(b->accepting[s]));
    json_object_set_new(o, "final", json_boolean(buchi_is_final(b, s)));
    json_object_set_new(o, "reached", reached ? json_boolean(reached[s]) : json_null());
    return o;
}

static json_t *edge(const struct buchi *b, const struct buchi_edge *e)
{
    json_t *o = json_object(), *cubes = json_array();
    json_object_set_new(o, "from", json_integer(e->from));
    json_object_set_new(o, "to", json_integer(e->to));
    json_object_set_new(o, "guard", taken(buchi_guard(b, e)));
    for (uint32_t i = 0; i < e->count; i++) {
        json_t *cube = json_object();
        json_object_set_new(cube, "true", symbols_in(b, b->cubes[e->first + i].yes));
        json_object_set_new(cube, "false", symbols_in(b, b->cubes[e->first + i].no));
        json_array_append_new(cubes, cube);
    }
    json_object_set_new(o, "cubes", cubes);
    return o;
}

json_t *buchi_json(const struct buchi *b, const char *title, const bool *reached)
{
    json_t *o = json_object(), *states = json_array(), *edges = json_array();
    json_object_set_new(o, "formula", title ? json_string(title) : json_null());
    json_object_set_new(o, "symbols", symbols_in(b, UINT64_MAX));
    for (uint32_t s = 0; s < b->state_count; s++)
        json_array_append_new(states, state(b, s, reached));
    for (uint32_t i = 0; i < b->edge_count; i++)
        json_array_append_new(edges, edge(b, &b->edges[i]));
    json_object_set_new(o, "states", states);
    json_object_set_new(o, "edges", edges);
    return o;
}
