/* Fuzzing the reader of suite files: any bytes are read or refused with the name of the file, and what is read is as suite.h says.
 * SPDX-License-Identifier: MIT */
#include "suite/suite.h"
#include "wire.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void check_suite(const struct suite *s)
{
    assert(s->driver_count >= 1 && s->driver_count < MAX_PROCESSES && s->interface_count >= 1 && s->timeout >= 1);
    for (uint32_t i = 0; i < s->driver_count; i++)
        assert(s->drivers[i].name && s->drivers[i].run);
    for (uint32_t i = 0; i < s->interface_count; i++)
        assert(suite_interface(s, s->interfaces[i]) == (int)i);
    for (uint32_t i = 0; i < s->queues.count; i++)
        assert(suite_object(&s->queues, s->queues.items[i].name) == (int)i && s->queues.items[i].value >= 1);
    for (uint32_t i = 0; i < s->invariant_count; i++)
        assert(s->invariants[i].name && s->invariants[i].run);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct suite suite;
    struct err err = { .text = "" };
    char *text = strndup((const char *)bytes, length);
    if (suite_read_text(&suite, text, "fuzz.toml", &err) == 0)
        check_suite(&suite);
    else
        assert(!strncmp(err.text, "fuzz.toml:", 10));
    suite_fini(&suite);
    free(text);
    return 0;
}
