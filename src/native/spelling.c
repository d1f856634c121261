/* SPDX-License-Identifier: MIT */
#include "native/spelling.h"

#include "base/file.h"

#include <assert.h>
#include <dwarf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void spell(struct spelling *w, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    int more = vsnprintf(w->text + w->used, w->room - w->used, format, rest);
    va_end(rest);
    w->used += (size_t)more < w->room - w->used ? (size_t)more : w->room - w->used - 1;
    assert(w->used < w->room && !w->text[w->used]);
}

/* ---- types ---- */

bool type_of_die(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

bool type_is_reserved(const char *name)                /* for libraries, as the language has it */
{
    return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

static bool is_of_library(const char *name) { return !name || type_is_reserved(name); }       /* not a name that a person gave */

static bool in_header_of_the_system(Dwarf_Die *die)
{
    const char *file = dwarf_decl_file(die);
    return file && file_is_of_the_system(file);
}

/* pthread_mutex_t, sem_t, mtx_t: what is in it is nobody's business. */
static bool is_opaque(Dwarf_Die *type)
{
    const char *name = dwarf_tag(type) == DW_TAG_typedef ? dwarf_diename(type) : NULL;
    size_t length = name ? strlen(name) : 0;
    return length > 2 && !strcmp(name + length - 2, "_t") && in_header_of_the_system(type);
}

bool type_strip(Dwarf_Die *type)
{
    for (;;) {
        int tag = dwarf_tag(type);
        if (is_opaque(type))
            return false;
        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type && tag != DW_TAG_atomic_type)
            return true;
        if (!type_of_die(type, type))
            return false;
    }
}

uint64_t type_size(Dwarf_Die *type)                 /* 0: unknown */
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) ? 0 : size;
}

uint64_t type_number(Dwarf_Die *die, unsigned name, uint64_t otherwise)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    return dwarf_attr_integrate(die, name, &attribute) && !dwarf_formudata(&attribute, &value) ? value : otherwise;
}

bool type_is_aggregate(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool type_is_member(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);
    return (tag == DW_TAG_member || tag == DW_TAG_inheritance) && !dwarf_hasattr(die, DW_AT_declaration);
}

/* The member of a structure, or the part that it inherits, in which this byte is. Of a type that another file describes (clang: one
 * with virtual functions) the size is not known: then it is the last member that begins before. */
static bool member_at(Dwarf_Die *type, uint64_t offset, Dwarf_Die *member, Dwarf_Die *its_type, uint64_t *begin)
{
    Dwarf_Die each, type_of_each;
    bool found = false;
    *begin = 0;
    for (int more = dwarf_child(type, &each); more == 0; more = dwarf_siblingof(&each, &each)) {
        uint64_t from = type_number(&each, DW_AT_data_member_location, 0), size;
        if (!type_is_member(&each) || !type_of_die(&each, &type_of_each) || from > offset || (found && from < *begin))
            continue;
        size = type_size(&type_of_each);
        if (size && offset - from >= size)
            continue;
        *member = each, *its_type = type_of_each, *begin = from;
        found = true;
        if (size)
            break;
    }
    assert(!found || *begin <= offset);
    return found;
}

/* An array of several dimensions has them one by one. */
static void add_indices(Dwarf_Die *array, uint64_t index, struct spelling *w)
{
    Dwarf_Die range;
    uint64_t counts[8];
    int dimensions = 0;
    for (int more = dwarf_child(array, &range); more == 0 && dimensions < 8; more = dwarf_siblingof(&range, &range))
        if (dwarf_tag(&range) == DW_TAG_subrange_type)
            counts[dimensions++] = type_number(&range, DW_AT_count, type_number(&range, DW_AT_upper_bound, 0) + 1);
    uint64_t below = 1;
    for (int i = 1; i < dimensions; i++)
        below *= counts[i];
    for (int i = 0; i < dimensions; i++) {
        spell(w, "[%llu]", (unsigned long long)(below ? index / below : 0));
        index = below ? index % below : 0;
        below = i + 1 < dimensions && counts[i + 1] ? below / counts[i + 1] : 1;
    }
}

void spell_member(const char *name, struct spelling *w)
{
    bool arrow = w->used >= 2 && !strcmp(w->text + w->used - 2, "->");
    if (!is_of_library(name))
        spell(w, "%s%s", arrow ? "" : ".", name);
}

void spell_part(Dwarf_Die *type, uint64_t offset, struct spelling *w)
{
    Dwarf_Die at = *type, next, member;
    while (type_strip(&at)) {
        uint64_t size = 0, begin;
        if (dwarf_tag(&at) == DW_TAG_array_type && type_of_die(&at, &next) && (size = type_size(&next))) {
            add_indices(&at, offset / size, w);
            offset %= size;
        } else if (type_is_aggregate(dwarf_tag(&at)) && member_at(&at, offset, &member, &next, &begin)) {
            const char *name = dwarf_tag(&member) == DW_TAG_inheritance ? NULL : dwarf_diename(&member);
            spell_member(name, w);
            offset -= begin;
        } else {
            break;
        }
        at = next;
    }
    *type = at;
}

bool spell_open_end(Dwarf_Die *type, uint64_t offset, struct spelling *w)
{
    Dwarf_Die member, array, element;
    for (int more = dwarf_child(type, &member); more == 0; more = dwarf_siblingof(&member, &member)) {
        uint64_t begin = type_number(&member, DW_AT_data_member_location, 0), size;
        if (dwarf_tag(&member) != DW_TAG_member || offset < begin || !type_of_die(&member, &array) || type_size(&array) || !type_strip(&array)
            || dwarf_tag(&array) != DW_TAG_array_type || !type_of_die(&array, &element) || !(size = type_size(&element)))
            continue;
        spell(w, "->");
        spell_member(dwarf_diename(&member), w);
        spell(w, "[%llu]", (unsigned long long)((offset - begin) / size));
        spell_part(&element, (offset - begin) % size, w);
        return true;
    }
    return false;
}
