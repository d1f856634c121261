/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define X(name, kind, where, least, most, standard, value, group, help) \
    [OPTION_##name] = { #name, KIND_##kind, where, least, most, standard, value, GROUP_##group, help },
const struct option options[OPTION_COUNT] = { OPTIONS(X) };
#undef X

#define X(upper, title) [GROUP_##upper] = title,
const char *const option_group_titles[GROUP_COUNT] = { OPTION_GROUPS(X) };
#undef X

#define X(upper, lower, help) { #lower, help },
static const struct choice strategies[] = { STRATEGIES(X) };
static const struct choice reductions[] = { REDUCTIONS(X) };
static const struct choice policies[] = { CACHE_POLICIES(X) };
static const struct choice races[] = { RACES(X) };
static const struct choice volatiles[] = { VOLATILES(X) };
static const struct choice timer_orders[] = { TIMER_ORDERS(X) };
#undef X

const struct choice *option_choices(enum option_id id, int *count)
{
    switch (id) {
    case OPTION_search:    *count = STRATEGY_COUNT;  return strategies;
    case OPTION_reduction: *count = REDUCTION_COUNT; return reductions;
    case OPTION_cache_policy: *count = CACHE_POLICY_COUNT; return policies;
    case OPTION_races:     *count = RACES_COUNT;     return races;
    case OPTION_timers:    *count = TIMER_ORDER_COUNT; return timer_orders;
    default:
        assert(id == OPTION_volatile);
        *count = VOLATILE_COUNT;
        return volatiles;
    }
}

static bool same_name(const char *name, const char *typed, unsigned where)
{
    for (; *name && *typed; name++, typed++)
        if (*name != *typed && !(*name == '_' && *typed == '-' && !(where & IN_FILE)))
            return false;
    return *name == *typed;
}

int option_find(const char *name, unsigned where)
{
    for (int id = 0; id < OPTION_COUNT; id++)
        if (options[id].where & where && same_name(options[id].name, name, where))
            return id;
    return -1;
}

const char *option_default(enum option_id id, struct option_text *out)
{
    const struct option *o = &options[id];
    if (o->standard == NO_DEFAULT)
        return NULL;
    int count;
    if (o->kind == KIND_CHOICE)
        return option_choices(id, &count)[o->standard].name;
    snprintf(out->text, sizeof out->text, "%lld", (long long)o->standard);
    return out->text;
}

struct option_text option_on_command_line(enum option_id id)
{
    struct option_text s = { "--" };
    assert(strlen(options[id].name) + 2 < sizeof s.text);
    strcpy(s.text + 2, options[id].name);
    for (char *c = s.text; *c; c++)
        if (*c == '_')
            *c = '-';
    return s;
}
