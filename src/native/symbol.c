/* SPDX-License-Identifier: MIT */
#include "native/symbol.h"
#include "native/where_internal.h"

#include "base/suggest.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(Dwarf_Die) <= sizeof(((struct symbol_type *)0)->own), "a type is a place in the debug information");

static Dwarf_Die die_of(const struct symbol_type *type)
{
    Dwarf_Die die;
    memcpy(&die, type, sizeof die);
    return die;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

/* Through typedef, const and the like. */
static Dwarf_Die plain(const struct symbol_type *type)
{
    Dwarf_Die die = die_of(type), next;
    for (;;) {
        int tag = dwarf_tag(&die);
        bool through = tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_atomic_type
                    || tag == DW_TAG_restrict_type;
        if (!through || !type_of(&die, &next))
            return die;
        die = next;
    }
}

static bool has_type(Dwarf_Die *die, struct symbol_type *type)
{
    Dwarf_Die its;
    *type = (struct symbol_type){ 0 };
    if (!type_of(die, &its))
        return false;
    memcpy(type, &its, sizeof its);
    return true;
}

/* ---- names ---- */

static bool is_called(const struct global *g, const char *owner, const char *name)
{
    const char *its = dwarf_diename((Dwarf_Die *)&g->die);
    size_t scope = g->scope ? strlen(g->scope) : 0;
    bool plain_name = its && !strcmp(its, name), scoped = its && scope && !strncmp(g->scope, name, scope) && !strcmp(its, name + scope);
    return (plain_name || scoped) && (!owner || (g->owner && !strcmp(g->owner, owner)));
}

typedef bool constant_seen(void *self, const char *name, Dwarf_Die *constant);    /* true: enough were seen */

static bool constants_in(Dwarf_Die *parent, constant_seen *seen, void *self)
{
    Dwarf_Die die, each;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        if (dwarf_tag(&die) != DW_TAG_enumeration_type)
            continue;
        for (int next = dwarf_child(&die, &each); next == 0; next = dwarf_siblingof(&each, &each))
            if (dwarf_diename(&each) && seen(self, dwarf_diename(&each), &each))
                return true;
    }
    return false;
}

struct constants { constant_seen *seen; void *self; };

static int look_in_module(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, void *self)
{
    (void)data, (void)name, (void)base;
    const struct constants *c = self;
    Dwarf_Addr bias;
    Dwarf_Die *unit = NULL;
    bool enough = false;
    while (!enough && !where_module_of_the_system(module) && (unit = dwfl_module_nextcu(module, unit, &bias)))
        enough = constants_in(unit, c->seen, c->self);
    return enough ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static void look_at_constants(struct where *w, constant_seen *seen, void *self)
{
    struct constants c = { seen, self };
    dwfl_getmodules(w->lines, look_in_module, &c, 0);
}

static bool offer(void *near, const char *name, Dwarf_Die *constant)
{
    (void)constant;
    suggest_offer(near, name);
    return false;
}

static int no_such(struct where *w, const char *owner, const char *name, struct err *err)
{
    const struct globals *all = variable_globals(w);
    struct suggestion near;
    suggest_start(&near, name);
    for (uint32_t i = 0; i < all->count; i++)
        if (dwarf_diename((Dwarf_Die *)&all->all[i].die))
            suggest_offer(&near, dwarf_diename((Dwarf_Die *)&all->all[i].die));
    if (!owner)
        look_at_constants(w, offer, &near);
    return fail(err, "%s%s%s: the program has no such variable that lives as long as it does%s%s", owner ? owner : "", owner ? ":" : "", name,
                suggest_text(&near).text, all->count ? "" : " (there is no debugging information: compile it with -g)");
}

int symbol_find(struct where *w, const char *owner, const char *name, uint64_t *address, struct symbol_type *type, struct err *err)
{
    struct globals *all = variable_globals(w);
    struct global *found = NULL;
    for (uint32_t i = 0; i < all->count; i++) {
        struct global *g = &all->all[i];
        if (!is_called(g, owner, name) || (found && found->address == g->address))
            continue;
        if (found)
            return fail(err, "%s: there are several variables of that name; write %s:%s or %s:%s", name, found->owner ? found->owner : "?",
                        name, g->owner ? g->owner : "?", name);
        found = g;
    }
    if (!found || !has_type(&found->die, type))
        return no_such(w, owner, name, err);
    *address = found->address;
    return 0;
}

struct constant { const char *name; int64_t value; bool found; };

static bool is_it(void *self, const char *name, Dwarf_Die *constant)
{
    struct constant *c = self;
    Dwarf_Attribute attribute;
    Dwarf_Sword number;
    if (strcmp(name, c->name) || !dwarf_attr(constant, DW_AT_const_value, &attribute) || dwarf_formsdata(&attribute, &number))
        return false;
    c->value = number;
    return c->found = true;
}

bool symbol_constant(struct where *w, const char *name, int64_t *value)
{
    struct constant c = { .name = name };
    look_at_constants(w, is_it, &c);
    *value = c.value;
    return c.found;
}

/* ---- types ---- */

static enum symbol_kind kind_of_base(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    if (!dwarf_attr_integrate(die, DW_AT_encoding, &attribute) || dwarf_formudata(&attribute, &encoding))
        return SYMBOL_OTHER;
    switch (encoding) {
    case DW_ATE_signed: case DW_ATE_signed_char: return SYMBOL_SIGNED;
    case DW_ATE_unsigned: case DW_ATE_unsigned_char: case DW_ATE_boolean: case DW_ATE_UTF: return SYMBOL_UNSIGNED;
    default: return SYMBOL_OTHER;
    }
}

static uint64_t number_of(Dwarf_Die *die, unsigned name, uint64_t otherwise)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    return dwarf_attr_integrate(die, name, &attribute) && !dwarf_formudata(&attribute, &value) ? value : otherwise;
}

/* DWARF has the dimensions of an array one beside the other. False: it has not so many. */
static bool dimension_of(Dwarf_Die *array, int number, uint64_t *count)
{
    Dwarf_Die range;
    for (int more = dwarf_child(array, &range); more == 0; more = dwarf_siblingof(&range, &range))
        if (dwarf_tag(&range) == DW_TAG_subrange_type && !number--) {
            *count = number_of(&range, DW_AT_count, number_of(&range, DW_AT_upper_bound, UINT64_MAX) + 1);
            return true;
        }
    return false;
}

uint64_t symbol_count(const struct symbol_type *type)
{
    Dwarf_Die die = plain(type);
    uint64_t count;
    return dwarf_tag(&die) == DW_TAG_array_type && dimension_of(&die, type->dimension, &count) ? count : 0;
}

/* Of an array that was looked into: what is left of it. */
static uint64_t bytes_of(Dwarf_Die *die, int dimension)
{
    Dwarf_Word size;
    uint64_t count, bytes = dwarf_aggregate_size(die, &size) ? 0 : size;
    for (int i = 0; i < dimension; i++)
        bytes = dimension_of(die, i, &count) && count ? bytes / count : 0;
    return bytes;
}

enum symbol_kind symbol_kind(const struct symbol_type *type, uint64_t *bytes)
{
    Dwarf_Die die = plain(type), under;
    *bytes = bytes_of(&die, type->dimension);
    switch (dwarf_tag(&die)) {
    case DW_TAG_base_type:        return kind_of_base(&die);
    case DW_TAG_enumeration_type: return type_of(&die, &under) ? kind_of_base(&under) : SYMBOL_UNSIGNED;
    case DW_TAG_pointer_type:     return SYMBOL_POINTER;
    case DW_TAG_array_type:       return SYMBOL_ARRAY;
    case DW_TAG_structure_type: case DW_TAG_class_type: case DW_TAG_union_type: return SYMBOL_STRUCT;
    default: return SYMBOL_OTHER;
    }
}

const char *symbol_type_name(const struct symbol_type *type)
{
    Dwarf_Die die = die_of(type);
    const char *name = dwarf_diename(&die);
    if (!name) {
        die = plain(type);
        name = dwarf_diename(&die);
    }
    return name ? name : "";
}

bool symbol_target(const struct symbol_type *type, struct symbol_type *target)
{
    Dwarf_Die die = plain(type);
    int tag = dwarf_tag(&die);
    uint64_t count;
    if (tag == DW_TAG_array_type && dimension_of(&die, type->dimension + 1, &count)) {
        *target = (struct symbol_type){ .dimension = type->dimension + 1 };
        memcpy(target, &die, sizeof die);
        return true;
    }
    return (tag == DW_TAG_pointer_type || tag == DW_TAG_array_type) && has_type(&die, target);
}

/* Bits count from the first of the structure (DWARF 5). */
static void fill_member(Dwarf_Die *die, struct symbol_member *m)
{
    uint64_t bits = number_of(die, DW_AT_data_bit_offset, UINT64_MAX), bytes;
    m->offset = number_of(die, DW_AT_data_member_location, 0);
    m->bits = (unsigned)number_of(die, DW_AT_bit_size, 0);
    m->first_bit = 0;
    if (m->bits && bits != UINT64_MAX) {
        symbol_kind(&m->type, &bytes);
        m->offset = bytes ? bits / (8 * bytes) * bytes : bits / 8;
        m->first_bit = (unsigned)(bits - 8 * m->offset);
    }
}

/* Also in what has no name of its own: a structure or union in it. */
static bool find_member(Dwarf_Die *parent, const char *name, struct symbol_member *m, struct suggestion *near)
{
    Dwarf_Die die;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        const char *its = dwarf_diename(&die);
        if ((dwarf_tag(&die) != DW_TAG_member && dwarf_tag(&die) != DW_TAG_inheritance) || !has_type(&die, &m->type))
            continue;
        bool unnamed = !its || dwarf_tag(&die) == DW_TAG_inheritance;
        uint64_t offset = number_of(&die, DW_AT_data_member_location, 0);
        Dwarf_Die within = plain(&m->type);
        if (unnamed && find_member(&within, name, m, near)) {
            m->offset += offset;
            return true;
        }
        if (unnamed)
            continue;
        suggest_offer(near, its);
        if (strcmp(its, name))
            continue;
        fill_member(&die, m);
        return true;
    }
    return false;
}

int symbol_member(const struct symbol_type *type, const char *name, struct symbol_member *m, struct err *err)
{
    Dwarf_Die die = plain(type);
    struct suggestion near;
    suggest_start(&near, name);
    if (find_member(&die, name, m, &near))
        return 0;
    return fail(err, "%s: struct %s has no such member%s", name, symbol_type_name(type), suggest_text(&near).text);
}
