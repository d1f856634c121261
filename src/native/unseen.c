/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/unseen.h"
#include "native/where_internal.h"
#include "base/prose.h"

#include <assert.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 5 };
struct unseen { struct prose names; int count; };

static void add(struct unseen *u, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (u->count == MOST_NAMED)
        prose_add(&u->names, ", ...");
    if (u->count++ < MOST_NAMED)
        prose_add(&u->names, "%s%s", u->names.length ? ", " : "", name);
}

/* Of the compiler and the C library, which nobody compiles anew, and ours. */
static bool is_known(const char *path)
{
    static const char *const known[] = { "libc.so", "libm.so", "libstdc++.so", "libc++", "libgcc_s.so", "ld-linux", "libpthread.so", "libdl.so",
                                         "librt.so", "libatomic.so", "libverisoft", "linux-vdso", "[vdso", NULL };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (int i = 0; known[i]; i++)
        if (!strncmp(name, known[i], strlen(known[i])))
            return true;
    return false;
}

static bool calls_hooks(Dwfl_Module *module)
{
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        const char *name = dwfl_module_getsym(module, i, &symbol, NULL);
        if (name && !strncmp(name, "__tsan_", 7))
            return true;
    }
    return false;
}

/* gcc notes its options; a unit of the assembler has none. */
static bool is_unseen_unit(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));
    return producer && !strncmp(producer, "GNU ", 4) && !strstr(producer, "-fsanitize=thread");
}

static int look(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, void *arg)
{
    (void)data, (void)base;
    struct unseen *u = arg;
    const char *file = NULL;
    Dwarf_Addr bias;
    dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &file, NULL);
    const char *path = file ? file : name;
    if (!path || is_known(path) || !dwfl_module_getelf(module, &bias))           /* memory of ours is mapped from files, too */
        return DWARF_CB_OK;
    if (!calls_hooks(module)) {
        add(u, path);
        return DWARF_CB_OK;
    }
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias));)
        if (is_unseen_unit(unit) && dwarf_diename(unit))
            add(u, dwarf_diename(unit));
    return DWARF_CB_OK;
}

char *unseen_code(struct where *w)
{
    struct unseen u = { 0 };
    if (w)
        dwfl_getmodules(w->lines, look, &u, 0);
    assert((u.count > 0) == (u.names.length > 0));
    return u.count ? prose_take(&u.names) : NULL;
}
