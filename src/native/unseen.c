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

static void add_named(struct unseen *u, const char *kind, const char *name)
{
    assert(*name);
    if (u->count == MOST_NAMED)
        prose_add(&u->names, ", ...");
    if (u->count++ < MOST_NAMED)
        prose_add(&u->names, "%s%s%s", u->names.length ? ", " : "", kind, name);
}

static void add(struct unseen *u, const char *path)
{
    const char *slash = strrchr(path, '/');
    add_named(u, "", slash ? slash + 1 : path);
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

/* What the program has from the library of C++ that works on its own variables: these are templates, of which the library has the code. */
static const struct template { const char *name, *begins[4]; } templates[] = {
    { "std::string", { "St7__cxx1112basic_stringI", "Ss", "St3__112basic_stringI" } },
    { "std::stringstream", { "St7__cxx1118basic_stringstreamI", "St7__cxx1119basic_ostringstreamI", "St7__cxx1119basic_istringstreamI" } },
    { "std::fstream", { "St13basic_fstreamI", "St14basic_ofstreamI", "St14basic_ifstreamI" } } };

static bool is_member(const struct template *t, const char *symbol)
{
    if (strncmp(symbol, "_ZN", 3))
        return false;
    symbol += symbol[3] == 'K' ? 4 : 3;
    for (int i = 0; t->begins[i]; i++)
        if (!strncmp(symbol, t->begins[i], strlen(t->begins[i])))
            return true;
    return false;
}

static bool needs(Dwfl_Module *module, const struct template *t)
{
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        const char *name = dwfl_module_getsym(module, i, &symbol, NULL);
        if (name && symbol.st_shndx == SHN_UNDEF && is_member(t, name))
            return true;
    }
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

/* The notes of include/verisoft-assembly.h, one string behind the other; of several objects of one command they are the same. */
static void add_assembly(struct unseen *u, Elf *elf)
{
    size_t names;
    for (Elf_Scn *section = NULL; !elf_getshdrstrndx(elf, &names) && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        Elf_Data *data = name && !strcmp(name, "verisoft.assembly") ? elf_getdata(section, NULL) : NULL;
        const char *end = data && data->d_buf ? (char *)data->d_buf + data->d_size : NULL, *last = "";
        for (const char *at = end ? data->d_buf : NULL; at && at < end && memchr(at, '\0', (size_t)(end - at)); at += strlen(at) + 1) {
            if (*at && strcmp(at, last))
                add_named(u, "inline assembly at ", at);
            last = at;
        }
    }
}

static int look(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, void *arg)
{
    (void)data, (void)base;
    struct unseen *u = arg;
    const char *file = NULL;
    Dwarf_Addr bias;
    dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &file, NULL);
    const char *path = file ? file : name;
    Elf *elf = path && !is_known(path) ? dwfl_module_getelf(module, &bias) : NULL;
    if (!elf)                        /* memory of ours is mapped from files, too */
        return DWARF_CB_OK;
    add_assembly(u, elf);
    if (!calls_hooks(module)) {
        add(u, path);
        return DWARF_CB_OK;
    }
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        if (needs(module, &templates[i]))
            add_named(u, "", templates[i].name);
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
