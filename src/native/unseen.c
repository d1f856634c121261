/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/unseen.h"
#include "base/library.h"
#include "native/where_internal.h"
#include "base/memory.h"
#include "base/prose.h"

#include <assert.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 5 };
struct unseen { struct prose names; int count; Dwfl_Module *library; };          /* the C library */

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
    { "std::list", { "St8__detail15_List_node_base" } },
    { "std::map or std::set", { "St29_Rb_tree_insert_and_rebalance", "St28_Rb_tree_rebalance_for_erase" } },
    { "std::fstream", { "St13basic_fstreamI", "St14basic_ofstreamI", "St14basic_ifstreamI" } } };

static bool is_member(const struct template *t, const char *symbol)
{
    if (strncmp(symbol, "_Z", 2))
        return false;
    symbol += symbol[2] != 'N' ? 2 : symbol[3] == 'K' ? 4 : 3;
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

/* ---- functions of the C library that read and write what they are given, and do not tell ---- */

static bool is_name(const char *symbol, const char *name, size_t length)         /* but for its version */
{
    return !strncmp(symbol, name, length) && (!symbol[length] || symbol[length] == '@');
}

static bool has_function(Dwfl_Module *module, const char *name, size_t length)
{
    int count = module ? dwfl_module_getsymtab(module) : 0;
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        const char *other = dwfl_module_getsym(module, i, &symbol, NULL);
        if (other && symbol.st_shndx != SHN_UNDEF && is_name(other, name, length))
            return true;
    }
    return false;
}

static void add_function(struct unseen *u, const char *symbol)
{
    char name[128];
    size_t length = strcspn(symbol, "@");
    assert(symbol[length] == '@' || !symbol[length]);
    if (!length || length + 3 > sizeof name)
        return;
    memcpy(name, symbol, length);
    name[length] = '\0';
    if (library_is_seen(name) || !has_function(u->library, name, length))
        return;
    strcat(name, "()");
    if (!u->names.length || !strstr(u->names.text, name))        /* a file may have two tables of symbols */
        add_named(u, "", name);
}

/* A function of another library is called by way of a table, in which it has a place; code names that by its distance. */
struct entry { GElf_Addr at; const char *name; bool used; };
struct table { struct entry *all; size_t count, room; GElf_Addr low, high; };

static void add_place(struct table *t, GElf_Addr at, const char *name)
{
    ARRAY_GROW(t->all, t->count, t->room);
    t->all[t->count++] = (struct entry){ at, name, false };
    t->low = t->count == 1 || at < t->low ? at : t->low;
    t->high = at > t->high ? at : t->high;
}

static void read_table(struct table *t, Elf *elf)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header, symbols;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || !(header.sh_flags & SHF_ALLOC) || !header.sh_entsize)
            continue;
        Elf_Scn *names = elf_getscn(elf, header.sh_link);
        Elf_Data *data = elf_getdata(section, NULL), *table = names && gelf_getshdr(names, &symbols) ? elf_getdata(names, NULL) : NULL;
        for (int i = 0; data && table && i < (int)(header.sh_size / header.sh_entsize); i++) {
            GElf_Rela r;
            GElf_Sym symbol;
            if (gelf_getrela(data, i, &r) && gelf_getsym(table, (int)GELF_R_SYM(r.r_info), &symbol) && symbol.st_shndx == SHN_UNDEF
                && GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
                add_place(t, r.r_offset, elf_strptr(elf, symbols.sh_link, symbol.st_name));
        }
    }
}

/* What stands before such a distance says so; other numbers may happen to be one. */
static void look_through(struct table *t, const unsigned char *code, GElf_Addr at, size_t bytes)
{
    enum { OPERAND = 0xc7, BY_DISTANCE = 0x05 };
    assert(t->low <= t->high && code);
    for (size_t i = 1; i + sizeof(int32_t) <= bytes; i++) {
        int32_t far;
        if ((code[i - 1] & OPERAND) != BY_DISTANCE)
            continue;
        memcpy(&far, code + i, sizeof far);
        GElf_Addr to = at + i + sizeof far + (GElf_Addr)(int64_t)far;
        for (size_t j = 0; to >= t->low && to <= t->high && j < t->count; j++)
            t->all[j].used |= t->all[j].at == to;
    }
}

static void look_in(struct table *t, Elf *elf, GElf_Addr low, GElf_Addr high)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr h;
        if (!gelf_getshdr(section, &h) || !(h.sh_flags & SHF_EXECINSTR) || low < h.sh_addr || high > h.sh_addr + h.sh_size)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        if (data && data->d_buf && data->d_size == h.sh_size)
            look_through(t, (const unsigned char *)data->d_buf + (low - h.sh_addr), low, high - low);
    }
}

/* Where the runtime is part of the program, what that calls does not count: only what code does of which there are lines. */
static void add_functions(struct unseen *u, Dwfl_Module *module, Elf *elf)
{
    struct table t = { 0 };
    Dwarf_Addr bias;
    assert(elf && module);
    bool mixed = has_function(module, "rt_group_begin", strlen("rt_group_begin"));
    read_table(&t, elf);
    for (Dwarf_Die *unit = NULL; mixed && (unit = dwfl_module_nextcu(module, unit, &bias));) {
        Dwarf_Addr base, low, high;
        for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &low, &high)) > 0;)
            look_in(&t, elf, low, high);
    }
    for (size_t i = 0; i < t.count; i++)
        if (t.all[i].name && (!mixed || t.all[i].used))
            add_function(u, t.all[i].name);
    free(t.all);
}

static int find_library(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, void *arg)
{
    (void)data, (void)base;
    const char *file = NULL;
    dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &file, NULL);
    const char *path = file ? file : name, *slash = path ? strrchr(path, '/') : NULL;
    if (path && !strncmp(slash ? slash + 1 : path, "libc.so", 7))
        ((struct unseen *)arg)->library = module;
    return DWARF_CB_OK;
}

/* gcc notes its options; a unit of the assembler has none. */
static bool is_unseen_unit(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));
    return producer && !strncmp(producer, "GNU ", 4) && !strstr(producer, "-fsanitize=thread");
}

/* Notes of include/verisoft-assembly.h or of cli/values.h, one string behind the other; of several objects of one command they may be the same. */
static void add_notes(struct unseen *u, Elf *elf, const char *where, const char *kind)
{
    size_t names;
    for (Elf_Scn *section = NULL; !elf_getshdrstrndx(elf, &names) && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        Elf_Data *data = name && !strcmp(name, where) ? elf_getdata(section, NULL) : NULL;
        const char *end = data && data->d_buf ? (char *)data->d_buf + data->d_size : NULL, *last = "";
        for (const char *at = end ? data->d_buf : NULL; at && at < end && memchr(at, '\0', (size_t)(end - at)); at += strlen(at) + 1) {
            if (*at && strcmp(at, last))
                add_named(u, kind, at);
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
    add_notes(u, elf, "verisoft.assembly", "inline assembly at ");
    add_notes(u, elf, "verisoft.values", "accesses that the compiler leaves out (structures by value, instructions by name, nested functions) at ");
    if (!calls_hooks(module)) {
        add(u, path);
        return DWARF_CB_OK;
    }
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
        if (needs(module, &templates[i]))
            add_named(u, "", templates[i].name);
    add_functions(u, module, elf);
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias));)
        if (is_unseen_unit(unit) && dwarf_diename(unit))
            add(u, dwarf_diename(unit));
    return DWARF_CB_OK;
}

char *unseen_code(struct where *w)
{
    struct unseen u = { 0 };
    if (w)
        dwfl_getmodules(w->lines, find_library, &u, 0);
    if (w)
        dwfl_getmodules(w->lines, look, &u, 0);
    assert((u.count > 0) == (u.names.length > 0));
    return u.count ? prose_take(&u.names) : NULL;
}
