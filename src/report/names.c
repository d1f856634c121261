/* SPDX-License-Identifier: MIT */
#include "report/names.h"

#include "base/memory.h"
#include "base/prose.h"

#include <stdlib.h>
#include <string.h>

void names_fini(struct names *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        free(n->all[i]);
    free(n->all);
    pairing_fini(&n->objects);
    *n = (struct names){ 0 };
}

static uint32_t number_of(struct names *n, const char *name)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (!strcmp(n->all[i], name))
            return i;
    ARRAY_GROW(n->all, n->count, n->room);
    n->all[n->count] = prose_make("%s", name);
    return n->count++;
}

/* Older files have table+24 for a field, which says where it lies, and numbers for what has a name of its own (/jobs). */
static bool is_variable(const char *name)
{
    return strncmp(name, "0x", 2) && *name != '/' && !strpbrk(name, " +");
}

/* Older files name a field that stands first in a structure after the structure. */
static bool same_variable(const char *name, const char *here)
{
    size_t length = strlen(name);
    return !strncmp(name, here, length) && (!here[length] || here[length] == '.');
}

bool names_agree(struct names *n, const char *name, const char *here, uint32_t object, bool is_new)
{
    if (is_variable(name) && is_variable(here))
        return same_variable(name, here);
    if (is_new)
        pairing_part(&n->objects, object);
    return pairing_agree(&n->objects, number_of(n, name), object);
}
