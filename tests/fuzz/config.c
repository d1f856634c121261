/* Fuzzing the reader of system_file.VS: any bytes are read or refused with a message, never believed.
 * SPDX-License-Identifier: MIT */
#include "cli/config.h"
#include "cli/plan.h"

#include <assert.h>
#include <string.h>

static void check_refusal(int status, const struct err *err)
{
    assert(status < 0);
    assert(!strncmp(err->text, "fuzz.VS:", 8));                  /* names file and line */
}

static void check_values(const struct settings *s)
{
    for (int id = 0; id < OPTION_COUNT; id++)
        if (options[id].kind == KIND_NUMBER && settings_given(s, id))
            assert(s->values[id].number >= options[id].least && s->values[id].number <= options[id].most);
}

static void check_rules(const struct structure *structure)
{
    for (uint32_t i = 0; i < structure->count; i++)
        assert(structure->declarations[i].line > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct settings settings;
    struct structure structure;
    struct search_settings search;
    struct err err = { .text = "" };
    settings_init(&settings);
    structure_init(&structure);
    int status = config_read("fuzz.VS", (const char *)bytes, length, &settings, &structure, &err);
    if (status)
        check_refusal(status, &err);
    check_values(&settings);
    check_rules(&structure);
    plan_search(&settings, &search, &err);
    structure_fini(&structure);
    settings_fini(&settings);
    return 0;
}
