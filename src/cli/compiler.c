/* SPDX-License-Identifier: MIT */
#include "cli/compiler.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct { const char *ours, *variable, *first, *second; } named[] = {
    [LANGUAGE_C]   = { "VERISOFT_CC",  "CC",  "gcc", "cc" },
    [LANGUAGE_CXX] = { "VERISOFT_CXX", "CXX", "g++", "c++" },
};

static bool in_path(const char *name)
{
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        size_t length = strcspn(folder, ":");
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, name) < (int)sizeof path && !access(path, X_OK))
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

/* cmake leaves the second word of `verisoft cc` out. */
static bool is_ours(const struct words *w)
{
    bool ours = false;
    for (uint32_t i = 0; i < w->count; i++) {
        const char *slash = strrchr(w->items[i], '/');
        ours |= !strncmp(slash ? slash + 1 : w->items[i], "verisoft", 8);
    }
    return ours;
}

static bool add_words(struct words *command, const char *set)
{
    struct words all = { 0 };
    char *copy = words_copy(set ? set : ""), *rest = copy, *word;
    while ((word = strsep(&rest, " \t")))
        if (*word)
            words_add(&all, word);
    bool usable = all.count && !is_ours(&all);
    if (usable)
        words_add_all(command, &all);
    words_fini(&all);
    free(copy);
    return usable;
}

void compiler_add(struct words *command, enum language l)
{
    assert(l == LANGUAGE_C || l == LANGUAGE_CXX);
    if (!add_words(command, getenv(named[l].ours)) && !add_words(command, getenv(named[l].variable)))
        words_add(command, in_path(named[l].first) || !in_path(named[l].second) ? named[l].first : named[l].second);
}
