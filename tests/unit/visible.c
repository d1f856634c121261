/* Visible locations: those that touch become one, those of one object stay so, and all keep their names when the program lies
 * elsewhere. SPDX-License-Identifier: MIT */
#include "history/visible.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { PROGRAM = WIRE_PROGRAM_PART, LIBRARY, BASE = 0x40000 };
#define STACK UINT64_C(0x7f0000000000)

static void lie(struct wire_part parts[WIRE_PARTS], uint64_t shift)
{
    memset(parts, 0, WIRE_PARTS * sizeof *parts);
    parts[WIRE_STACK_PART] = (struct wire_part){ STACK + 3 * shift, STACK + 3 * shift + 64 };
    parts[PROGRAM] = (struct wire_part){ BASE + shift, BASE + shift + 0x1000 };
    parts[LIBRARY] = (struct wire_part){ BASE - shift / 2 - 0x8000, BASE - shift / 2 - 0x7000 };
}

static void test_touching(struct visible *v)
{
    CHECK(visible_add(v, 100, 4) && visible_add(v, 108, 4) && v->count == 2);
    CHECK(visible_join(v, 100, 108, false) && !visible_join(v, 108, 100, false));
    CHECK(v->all[0].object == v->all[1].object && v->all[0].rank != v->all[1].rank);
    CHECK(visible_add(v, 103, 6) && v->count == 1 && visible_has(v, 100, 12) && !visible_has(v, 100, 13));
}

/* Two of one object, one of a library's, one on the stack, one that the runtime mapped, and a loop. */
static void fill(struct visible *v)
{
    visible_add(v, BASE + 16, 4);
    visible_add(v, BASE + 32, 8);
    visible_join(v, BASE + 16, BASE + 32, true);
    visible_add(v, BASE - 0x7f00, 4);
    visible_add(v, STACK - 40, 4);
    visible_add(v, 0x90000000, 4);
    visible_loop(v, BASE + 0x200, false);
}

static void test_moving(struct visible *v)
{
    struct wire_part parts[WIRE_PARTS];
    lie(v->parts, 0);
    fill(v);
    uint64_t name = visible_name(v, BASE + 32);
    CHECK(name >> 63 && visible_name(v, name) == name && visible_address(v, name) == BASE + 32);
    lie(parts, 0x20000);
    visible_move(v, parts);
    CHECK(visible_has(v, BASE + 0x20000 + 16, 4) && visible_has(v, BASE + 0x20000 + 32, 8));
    CHECK(visible_has(v, BASE - 0x10000 - 0x7f00, 4) && visible_has(v, STACK + 0x60000 - 40, 4) && visible_has(v, 0x90000000, 4));
    CHECK(v->all[0].object == BASE + 0x20000 + 16 && v->all[1].object == v->all[0].object && v->all[1].solid);
    CHECK(v->loops[0].place == BASE + 0x20000 + 0x200 && visible_loop(v, v->loops[0].place, true) && !visible_loop(v, v->loops[0].place, false));
    CHECK(v->loop_count == 1 && v->loops[0].endless && visible_name(v, BASE + 0x20000 + 32) == name);
    CHECK(visible_part(v, STACK + 0x60000 - 40).offset == -40 && visible_part(v, 0x90000000).number == WIRE_NO_PART);
}

/* What a file names has an address as soon as the program lies somewhere. */
static void test_named(struct visible *v)
{
    struct wire_part parts[WIRE_PARTS];
    CHECK(visible_add(v, WIRE_IN_PART(LIBRARY, 0x100), 4) && !visible_has(v, BASE - 0x8000 + 0x100, 4));
    lie(parts, 0);
    visible_move(v, parts);
    CHECK(visible_has(v, BASE - 0x8000 + 0x100, 4));
}

int main(void)
{
    void (*const tests[])(struct visible *) = { test_touching, test_moving, test_named };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        struct visible *v = calloc(1, sizeof *v);
        tests[i](v);
        free(v);
    }
    return failures != 0;
}
