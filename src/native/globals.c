/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/spelling.h"
#include "native/variable.h"

#include "base/memory.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* ---- all variables that live as long as the program ---- */

/* The address itself, or (clang) its number in a table of them. */
static bool address_of(Dwarf_Die *die, uint64_t bias, uint64_t *address)
{
    Dwarf_Attribute attribute, in_table;
    Dwarf_Op *expression;
    Dwarf_Addr value = 0;
    size_t length;
    if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &expression, &length) || length != 1)
        return false;
    bool by_number = expression->atom == DW_OP_addrx || expression->atom == DW_OP_GNU_addr_index;
    bool known = expression->atom == DW_OP_addr
              || (by_number && !dwarf_getlocation_attr(&attribute, expression, &in_table) && !dwarf_formaddr(&in_table, &value));
    *address = (by_number ? value : expression->number) + bias;
    return known;
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
        const char *name = tag == DW_TAG_namespace || type_is_aggregate(tag) ? dwarf_diename(&scopes[i]) : NULL;
        if (name && strlen(text) + strlen(name) + 3 < sizeof text)
            strcat(strcat(text, name), "::");
    }
    free(scopes);
    return *text ? memory_text(text) : NULL;
}

static void note_variable(struct globals *g, Dwarf_Die *die, uint64_t bias, const char *owner)
{
    Dwarf_Die type, declared;
    uint64_t address;
    if (!address_of(die, bias, &address) || !type_of_die(die, &type))
        return;
    ARRAY_GROW(g->all, g->count, g->room);
    struct global *v = &g->all[g->count++];
    *v = (struct global){.address = address, .size = type_size(&type), .die = *die, .owner = owner};
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

struct globals *variable_globals(struct where *w)
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

void spell_global(struct global *v, struct spelling *w)
{
    const char *name = dwarf_diename(&v->die);
    if (v->twice && v->owner)
        spell(w, "%s:", v->owner);
    spell(w, "%s%s", v->scope ? v->scope : "", name ? name : "?");
}

static struct global *global_at(struct globals *g, uint64_t address)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (address - g->all[i].address < g->all[i].size)
            return &g->all[i];
    return NULL;
}

/* ---- what only the linker knows ---- */

void spell_symbol(const char *symbol, struct spelling *w)
{
    const char *p = symbol;
    size_t before = w->used;
    if (strncmp(p, "_Z", 2)) {
        spell(w, "%s", symbol);
        return;
    }
    for (p += 2; *p && !(*p >= '0' && *p <= '9'); p++)   /* N: nested, L: of this file only, ... */
        ;
    while (*p >= '0' && *p <= '9') {
        char *end;
        size_t length = strtoul(p, &end, 10);
        if (length > strlen(end))
            break;
        spell(w, "%s%.*s", w->used > before ? "::" : "", (int)length, end);
        p = end + length;
    }
    if (w->used == before)
        spell(w, "%s", symbol);
}

static bool linker_knows(struct where *where, uint64_t address, unsigned size, struct spelling *w)
{
    GElf_Off offset = 0;
    GElf_Sym symbol = { 0 };
    Dwfl_Module *module = where_module_at(where, address);
    const char *found = module ? dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL) : NULL;
    if (!found || offset >= symbol.st_size)
        return false;
    spell_symbol(found, w);
    if (size && symbol.st_size > size && symbol.st_size % size == 0 && offset % size == 0)
        spell(w, "[%llu]", (unsigned long long)(offset / size));
    else if (offset)
        spell(w, "+%llu", (unsigned long long)offset);
    return true;
}

bool variable_global(struct where *where, uint64_t address, unsigned size, char *name, size_t room)
{
    struct spelling w = {name, room, 0};
    if (!where || !where_module_at(where, address))
        return false;
    struct global *v = global_at(variable_globals(where), address);
    Dwarf_Die type;
    if (!v)
        return linker_knows(where, address, size, &w);
    spell_global(v, &w);
    if (type_of_die(&v->die, &type))
        spell_part(&type, address - v->address, &w);
    return true;
}

enum symbol_kind variable_kind(struct where *where, uint64_t address, uint64_t bytes)
{
    char name[256];
    struct spelling w = {name, sizeof name, 0};
    struct symbol_type of = { 0 };
    uint64_t size;
    Dwarf_Die type;
    struct global *v = where && where_module_at(where, address) ? global_at(variable_globals(where), address) : NULL;
    if (!v || !type_of_die(&v->die, &type))
        return SYMBOL_UNKNOWN;
    spell_part(&type, address - v->address, &w);
    memcpy(&of, &type, sizeof type);
    enum symbol_kind kind = symbol_kind(&of, &size);
    return size == bytes && kind <= SYMBOL_POINTER ? kind : kind == SYMBOL_OTHER ? SYMBOL_OTHER : SYMBOL_UNKNOWN;
}

bool variable_of_the_system(struct where *where, uint64_t address)
{
    Dwfl_Module *module = where ? where_module_at(where, address) : NULL;
    return module && where_module_of_the_system(module);
}
