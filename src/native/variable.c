/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/variable.h"
#include "native/where_inside.h"
#include "base/memory.h"

#include <dwarf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text that grows to the right, and can be taken back ---- */

struct words { char *text; size_t room, used; };

__attribute__((format(printf, 2, 3))) static void add(struct words *w, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    int more = vsnprintf(w->text + w->used, w->room - w->used, format, rest);
    va_end(rest);
    w->used += (size_t)more < w->room - w->used ? (size_t)more : w->room - w->used - 1;
}

/* ---- types ---- */

static bool has_type(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

static bool is_of_library(const char *name)              /* not a name that a person gave */
{
    return !name || !strncmp(name, "_M_", 3) || !strncmp(name, "__", 2);
}

static bool in_header_of_the_system(Dwarf_Die *die)
{
    const char *file = dwarf_decl_file(die);
    return file && (!strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9));
}

/* pthread_mutex_t, sem_t, mtx_t: what is inside is nobody's business. */
static bool is_opaque(Dwarf_Die *type)
{
    const char *name = dwarf_tag(type) == DW_TAG_typedef ? dwarf_diename(type) : NULL;
    size_t length = name ? strlen(name) : 0;
    return length > 2 && !strcmp(name + length - 2, "_t") && in_header_of_the_system(type);
}

/* Through typedef, const and the like, to a type that says what it is made of; false: it is opaque, or none. */
static bool strip(Dwarf_Die *type)
{
    for (;;) {
        int tag = dwarf_tag(type);
        if (is_opaque(type))
            return false;
        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type && tag != DW_TAG_atomic_type)
            return true;
        if (!has_type(type, type))
            return false;
    }
}

static uint64_t size_of(Dwarf_Die *type)                 /* 0: unknown */
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) ? 0 : size;
}

static uint64_t number_of(Dwarf_Die *die, unsigned name, uint64_t otherwise)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    return dwarf_attr_integrate(die, name, &attribute) && !dwarf_formudata(&attribute, &value) ? value : otherwise;
}

static bool is_aggregate(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* The member of a structure, or the part that it inherits, in which this byte is. */
static bool member_at(Dwarf_Die *type, uint64_t offset, Dwarf_Die *member, Dwarf_Die *its_type, uint64_t *begin)
{
    for (int more = dwarf_child(type, member); more == 0; more = dwarf_siblingof(member, member)) {
        int tag = dwarf_tag(member);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(member, DW_AT_declaration) || !has_type(member, its_type))
            continue;
        *begin = number_of(member, DW_AT_data_member_location, 0);
        if (offset - *begin < size_of(its_type))
            return true;
    }
    return false;
}

/* An array of several dimensions has them one by one. */
static void add_indices(Dwarf_Die *array, uint64_t index, struct words *w)
{
    Dwarf_Die range;
    uint64_t counts[8];
    int dimensions = 0;
    for (int more = dwarf_child(array, &range); more == 0 && dimensions < 8; more = dwarf_siblingof(&range, &range))
        if (dwarf_tag(&range) == DW_TAG_subrange_type)
            counts[dimensions++] = number_of(&range, DW_AT_count, number_of(&range, DW_AT_upper_bound, 0) + 1);
    uint64_t below = 1;
    for (int i = 1; i < dimensions; i++)
        below *= counts[i];
    for (int i = 0; i < dimensions; i++) {
        add(w, "[%llu]", (unsigned long long)(below ? index / below : 0));
        index = below ? index % below : 0;
        below = i + 1 < dimensions && counts[i + 1] ? below / counts[i + 1] : 1;
    }
}

/* Adds which part of a variable of this type this byte is. */
static void add_part(Dwarf_Die *type, uint64_t offset, struct words *w)
{
    Dwarf_Die at = *type, next, member;
    while (strip(&at)) {
        uint64_t size = 0, begin;
        if (dwarf_tag(&at) == DW_TAG_array_type && has_type(&at, &next) && (size = size_of(&next))) {
            add_indices(&at, offset / size, w);
            offset %= size;
        } else if (is_aggregate(dwarf_tag(&at)) && member_at(&at, offset, &member, &next, &begin)) {
            const char *name = dwarf_tag(&member) == DW_TAG_inheritance ? NULL : dwarf_diename(&member);
            if (!is_of_library(name))
                add(w, ".%s", name);
            offset -= begin;
        } else {
            break;
        }
        at = next;
    }
}

/* ---- all variables that live as long as the program ---- */

struct global {
    uint64_t  address, size;
    Dwarf_Die die;
    char     *scope;                 /* "inner::"; NULL: none */
    const char *owner;               /* function that it is in, or file: told when there are two of that name */
    bool      twice;
};

struct globals { struct global *all; uint32_t count, room; };

static bool address_of(Dwarf_Die *die, uint64_t bias, uint64_t *address)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *expression;
    size_t length;
    if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &expression, &length) || length != 1
        || expression->atom != DW_OP_addr)
        return false;
    *address = expression->number + bias;
    return true;
}

/* Where a variable of a class or of a namespace is defined it refers to where it is declared, which has its name. */
static Dwarf_Die *declaration_of(Dwarf_Die *die, Dwarf_Die *declared)
{
    Dwarf_Attribute attribute;
    if (dwarf_attr(die, DW_AT_specification, &attribute) && dwarf_formref_die(&attribute, declared))
        return declared;
    return die;
}

static char *scope_of(Dwarf_Die *die)
{
    Dwarf_Die *scopes = NULL;
    char text[256] = "";
    int count = dwarf_getscopes_die(die, &scopes);
    for (int i = count - 1; i > 0; i--) {
        int tag = dwarf_tag(&scopes[i]);
        const char *name = tag == DW_TAG_namespace || is_aggregate(tag) ? dwarf_diename(&scopes[i]) : NULL;
        if (name && strlen(text) + strlen(name) + 3 < sizeof text)
            strcat(strcat(text, name), "::");
    }
    free(scopes);
    return *text ? strdup(text) : NULL;
}

static void note_variable(struct globals *g, Dwarf_Die *die, uint64_t bias, const char *owner)
{
    Dwarf_Die type, declared;
    uint64_t address;
    if (!address_of(die, bias, &address) || !has_type(die, &type))
        return;
    ARRAY_GROW(g->all, g->count, g->room);
    struct global *v = &g->all[g->count++];
    *v = (struct global){.address = address, .size = size_of(&type), .die = *die, .owner = owner};
    v->scope = scope_of(declaration_of(die, &declared));
}

static void walk(struct globals *g, Dwarf_Die *parent, uint64_t bias, const char *owner)
{
    Dwarf_Die die;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die))
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:      note_variable(g, &die, bias, owner); break;
        case DW_TAG_subprogram:    walk(g, &die, bias, dwarf_diename(&die) ? dwarf_diename(&die) : owner); break;
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:     walk(g, &die, bias, owner); break;
        default:                   break;
        }
}

static const char *last_part(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

static int walk_module(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, void *self)
{
    (void)data, (void)name, (void)base;
    struct globals *g = self;
    Dwarf_Addr bias;
    Dwarf_Die *unit = NULL;
    while (!where_module_of_the_system(module) && (unit = dwfl_module_nextcu(module, unit, &bias)))
        walk(g, unit, bias, last_part(dwarf_diename(unit)));
    return DWARF_CB_OK;
}

static bool same_name(struct global *a, struct global *b)
{
    const char *x = dwarf_diename(&a->die), *y = dwarf_diename(&b->die);
    return x && y && !strcmp(x, y) && !strcmp(a->scope ? a->scope : "", b->scope ? b->scope : "");
}

static void mark_equal_names(struct globals *g)
{
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (g->all[i].address != g->all[j].address && same_name(&g->all[i], &g->all[j]))
                g->all[i].twice = g->all[j].twice = true;
}

static struct globals *globals_of(struct where *w)
{
    if (!w->globals) {
        w->globals = memory_get(sizeof *w->globals);
        dwfl_getmodules(w->lines, walk_module, w->globals, 0);
        mark_equal_names(w->globals);
    }
    return w->globals;
}

void variable_fini(struct where *w)
{
    for (uint32_t i = 0; w->globals && i < w->globals->count; i++)
        free(w->globals->all[i].scope);
    if (w->globals)
        free(w->globals->all);
    free(w->globals);
}

static void add_global(struct global *v, struct words *w)
{
    const char *name = dwarf_diename(&v->die);
    if (v->twice && v->owner)
        add(w, "%s:", v->owner);
    add(w, "%s%s", v->scope ? v->scope : "", name ? name : "?");
}

static struct global *global_at(struct globals *g, uint64_t address)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (address - g->all[i].address < g->all[i].size)
            return &g->all[i];
    return NULL;
}

/* ---- what only the linker knows ---- */

/* The names in a symbol of C++, without types: _ZN5inner4lockE is inner::lock. Anything else stays as it is. */
static void plain_name(const char *symbol, struct words *w)
{
    const char *p = symbol;
    size_t before = w->used;
    if (strncmp(p, "_Z", 2)) {
        add(w, "%s", symbol);
        return;
    }
    for (p += 2; *p && !(*p >= '0' && *p <= '9'); p++)   /* N: nested, L: of this file only, ... */
        ;
    while (*p >= '0' && *p <= '9') {
        char *end;
        size_t length = strtoul(p, &end, 10);
        if (length > strlen(end))
            break;
        add(w, "%s%.*s", w->used > before ? "::" : "", (int)length, end);
        p = end + length;
    }
    if (w->used == before)
        add(w, "%s", symbol);
}

static bool linker_knows(struct where *where, uint64_t address, unsigned size, struct words *w)
{
    GElf_Off offset = 0;
    GElf_Sym symbol = { 0 };
    Dwfl_Module *module = dwfl_addrmodule(where->lines, address);
    const char *found = module ? dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL) : NULL;
    if (!found || offset >= symbol.st_size)
        return false;
    plain_name(found, w);
    if (size && symbol.st_size > size && symbol.st_size % size == 0 && offset % size == 0)
        add(w, "[%llu]", (unsigned long long)(offset / size));
    else if (offset)
        add(w, "+%llu", (unsigned long long)offset);
    return true;
}

bool variable_global(struct where *where, uint64_t address, unsigned size, char *name, size_t room)
{
    struct words w = {name, room, 0};
    if (!where || !dwfl_addrmodule(where->lines, address))
        return false;
    struct global *v = global_at(globals_of(where), address);
    Dwarf_Die type;
    if (!v)
        return linker_knows(where, address, size, &w);
    add_global(v, &w);
    if (has_type(&v->die, &type))
        add_part(&type, address - v->address, &w);
    return true;
}

bool variable_of_the_system(struct where *where, uint64_t address)
{
    Dwfl_Module *module = where ? dwfl_addrmodule(where->lines, address) : NULL;
    return module && where_module_of_the_system(module);
}
