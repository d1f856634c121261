/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/variable.h"
#include "native/where_internal.h"
#include "base/file.h"
#include "base/memory.h"
#include "wire.h"

#include <dwarf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text that grows to the right, and can be taken back ---- */

struct spelling { char *text; size_t room, used; };

__attribute__((format(printf, 2, 3))) static void add(struct spelling *w, const char *format, ...)
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

static bool is_reserved(const char *name)                /* for libraries, by the rules of the language */
{
    return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

static bool is_of_library(const char *name) { return !name || is_reserved(name); }       /* not a name that a person gave */

static bool in_header_of_the_system(Dwarf_Die *die)
{
    const char *file = dwarf_decl_file(die);
    return file && file_is_of_the_system(file);
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

static bool is_member(Dwarf_Die *die)
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
        uint64_t from = number_of(&each, DW_AT_data_member_location, 0), size;
        if (!is_member(&each) || !has_type(&each, &type_of_each) || from > offset || (found && from < *begin))
            continue;
        size = size_of(&type_of_each);
        if (size && offset - from >= size)
            continue;
        *member = each, *its_type = type_of_each, *begin = from;
        found = true;
        if (size)
            break;
    }
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

static void add_member(const char *name, struct spelling *w)
{
    bool arrow = w->used >= 2 && !strcmp(w->text + w->used - 2, "->");
    if (!is_of_library(name))
        add(w, "%s%s", arrow ? "" : ".", name);
}

/* Adds which part of a variable of this type this byte is. */
static void add_part(Dwarf_Die *type, uint64_t offset, struct spelling *w)
{
    Dwarf_Die at = *type, next, member;
    while (strip(&at)) {
        uint64_t size = 0, begin;
        if (dwarf_tag(&at) == DW_TAG_array_type && has_type(&at, &next) && (size = size_of(&next))) {
            add_indices(&at, offset / size, w);
            offset %= size;
        } else if (is_aggregate(dwarf_tag(&at)) && member_at(&at, offset, &member, &next, &begin)) {
            const char *name = dwarf_tag(&member) == DW_TAG_inheritance ? NULL : dwarf_diename(&member);
            add_member(name, w);
            offset -= begin;
        } else {
            break;
        }
        at = next;
    }
}

/* Of a structure with an array of any length at its end: adds which part of that array this byte is. */
static bool add_open_end(Dwarf_Die *type, uint64_t offset, struct spelling *w)
{
    Dwarf_Die member, array, element;
    for (int more = dwarf_child(type, &member); more == 0; more = dwarf_siblingof(&member, &member)) {
        uint64_t begin = number_of(&member, DW_AT_data_member_location, 0), size;
        if (dwarf_tag(&member) != DW_TAG_member || offset < begin || !has_type(&member, &array) || size_of(&array) || !strip(&array)
            || dwarf_tag(&array) != DW_TAG_array_type || !has_type(&array, &element) || !(size = size_of(&element)))
            continue;
        add(w, "->");
        add_member(dwarf_diename(&member), w);
        add(w, "[%llu]", (unsigned long long)((offset - begin) / size));
        add_part(&element, (offset - begin) % size, w);
        return true;
    }
    return false;
}

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
        const char *name = tag == DW_TAG_namespace || is_aggregate(tag) ? dwarf_diename(&scopes[i]) : NULL;
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

static void add_global(struct global *v, struct spelling *w)
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
static void plain_name(const char *symbol, struct spelling *w)
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

static bool linker_knows(struct where *where, uint64_t address, unsigned size, struct spelling *w)
{
    GElf_Off offset = 0;
    GElf_Sym symbol = { 0 };
    Dwfl_Module *module = where_module_at(where, address);
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
    struct spelling w = {name, room, 0};
    if (!where || !where_module_at(where, address))
        return false;
    struct global *v = global_at(variable_globals(where), address);
    Dwarf_Die type;
    if (!v)
        return linker_knows(where, address, size, &w);
    add_global(v, &w);
    if (has_type(&v->die, &type))
        add_part(&type, address - v->address, &w);
    return true;
}

/* ---- variables of functions ---- */

struct seek {
    struct where       *where;
    struct memory_view  memory;
    uint64_t            address;     /* whose name is wanted */
    int                 reads;       /* of memory, that may still be made */
    struct spelling       *w;
};

/* A variable that is now in memory, or (a pointer, in optimised code) in a register. */
struct local { Dwarf_Die die, type; uint64_t at; bool in_register; };

static bool of_register(const struct call_frame *f, unsigned number, int64_t offset, uint64_t *value)
{
    if (number >= FRAME_REGISTERS || !(f->known >> number & 1))
        return false;
    *value = f->registers[number] + (uint64_t)offset;
    return true;
}

/* The few kinds of places that compilers give to variables without much optimisation. */
static bool evaluate(const Dwarf_Op *op, const struct call_frame *f, uint64_t frame_base, uint64_t *at, bool *in_register)
{
    *in_register = false;
    if (op->atom == DW_OP_fbreg) {
        *at = frame_base + op->number;
        return frame_base != 0;
    }
    if (op->atom == DW_OP_call_frame_cfa) {
        *at = f->cfa;
        return f->cfa != 0;
    }
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
        return of_register(f, op->atom - DW_OP_breg0, (int64_t)op->number, at);
    *in_register = true;
    return op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31 && of_register(f, op->atom - DW_OP_reg0, 0, at);
}

static bool located(Dwarf_Die *die, unsigned name, uint64_t pc, const struct call_frame *f, uint64_t base, uint64_t *at, bool *in_register)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *expression;
    size_t length;
    return dwarf_attr_integrate(die, name, &attribute) && dwarf_getlocation_addr(&attribute, pc, &expression, &length, 1) == 1
        && length == 1 && evaluate(expression, f, base, at, in_register);
}

static uint64_t frame_base(Dwarf_Die *scopes, int count, uint64_t pc, const struct call_frame *f)
{
    uint64_t base = 0;
    bool in_register;
    for (int i = 0; i < count && !base; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram && !located(&scopes[i], DW_AT_frame_base, pc, f, 0, &base, &in_register))
            base = 0;
    return base;
}

/* Calls `each` for every variable of the function that this frame is of, until one says true. */
static bool each_local(struct seek *k, const struct call_frame *f, bool (*each)(struct seek *, struct local *, int), int hops)
{
    Dwarf_Addr bias;
    Dwfl_Module *module = dwfl_addrmodule(k->where->lines, f->pc - 1);
    Dwarf_Die *unit = where_module_of_the_system(module) ? NULL : where_unit(module, f->pc - 1, &bias), *scopes = NULL;
    uint64_t pc = unit ? f->pc - 1 - bias : 0;
    int count = unit ? where_scopes(unit, pc, &scopes) : 0;
    uint64_t base = frame_base(scopes, count, pc, f);
    bool found = false;
    for (int i = 0; i < count && !found && dwarf_tag(&scopes[i]) != DW_TAG_compile_unit; i++) {
        struct local l;
        for (int more = dwarf_child(&scopes[i], &l.die); more == 0 && !found; more = dwarf_siblingof(&l.die, &l.die)) {
            int tag = dwarf_tag(&l.die);
            if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && dwarf_diename(&l.die) && has_type(&l.die, &l.type)
                && located(&l.die, DW_AT_location, pc, f, base, &l.at, &l.in_register))
                found = each(k, &l, hops);
        }
    }
    free(scopes);
    return found;
}

static bool holds_it(struct seek *k, struct local *l, int unused)
{
    (void)unused;
    if (l->in_register || k->address - l->at >= size_of(&l->type))
        return false;
    add(k->w, "%s", dwarf_diename(&l->die));
    add_part(&l->type, k->address - l->at, k->w);
    return true;
}

/* ---- through pointers ---- */

static bool is_shared(uint64_t address) { return address - WIRE_SHARED_AT < WIRE_SHARED_END - WIRE_SHARED_AT; }

static bool read_word(struct seek *k, uint64_t at, uint64_t *value)
{
    return k->reads-- > 0 && memory_view_read(&k->memory, at, value, sizeof *value);
}

/* Bytes from this address on that were got together, as far as is known; 0: no such begin here. A pointer behind the end of one block
 * may be one to the next. */
static uint64_t block_from(struct seek *k, uint64_t at)
{
    enum { PAGE = 4096 };
    struct wire_block b;
    if (is_shared(at))
        return PAGE - at % PAGE;
    return k->reads-- > 0 && memory_view_read(&k->memory, at - sizeof b, &b, sizeof b) && b.mark == WIRE_BLOCK_USED ? b.size : 0;
}

/* Does the pointer point to it, or to an array that it is in? Adds how to get there. */
static bool points_to_it(struct seek *k, uint64_t pointer, Dwarf_Die *type, bool is_array)
{
    Dwarf_Die plain = *type;
    uint64_t size = size_of(type), offset = k->address - pointer;
    bool known = strip(&plain), small = known && dwarf_tag(&plain) == DW_TAG_base_type;
    bool node = known && dwarf_diename(&plain) && is_reserved(dwarf_diename(&plain));    /* of a std::map: more than its type says */
    if (!pointer || k->address < pointer || !size || (small && offset) || (node && offset >= size))
        return false;
    uint64_t block = block_from(k, pointer);
    if (offset >= block)
        return false;
    if (known && is_aggregate(dwarf_tag(&plain)) && add_open_end(&plain, offset, k->w))
        return true;
    if (is_array || offset >= size || (block >= 2 * size && !is_shared(pointer)))
        add(k->w, "[%llu]", (unsigned long long)(offset / size));
    else
        add(k->w, "->");
    add_part(type, offset % size, k->w);
    return true;
}

static bool reach(struct seek *k, Dwarf_Die *type, uint64_t at, int hops, const char *name);

static bool reach_pointer(struct seek *k, Dwarf_Die *type, uint64_t pointer, int hops, const char *name)
{
    Dwarf_Die target;
    if (!has_type(type, &target))
        return false;
    if (hops == 0)
        return points_to_it(k, pointer, &target, name && !strcmp(name, "_M_start"));
    Dwarf_Die plain = target;
    if (!pointer || !strip(&plain) || !is_aggregate(dwarf_tag(&plain)))
        return false;
    enum { MANY = 64 };
    uint64_t size = size_of(&target), count = size && name && !strcmp(name, "_M_start") ? block_from(k, pointer) / size : 1;
    size_t used = k->w->used;
    for (uint64_t i = 0; i < count && i < MANY; i++) {
        if (count == 1)
            add(k->w, "->");
        else
            add(k->w, "[%llu]", (unsigned long long)i);
        if (reach(k, &target, pointer + i * size, hops - 1, NULL))
            return true;
        k->w->text[k->w->used = used] = 0;
    }
    return false;
}

static bool reach_members(struct seek *k, Dwarf_Die *type, uint64_t at, int hops)
{
    Dwarf_Die member, its_type;
    size_t used = k->w->used;
    for (int more = dwarf_child(type, &member); more == 0; more = dwarf_siblingof(&member, &member)) {
        if (!is_member(&member) || !has_type(&member, &its_type))
            continue;
        const char *name = dwarf_tag(&member) == DW_TAG_inheritance ? NULL : dwarf_diename(&member);
        add_member(name, k->w);
        if (reach(k, &its_type, at + number_of(&member, DW_AT_data_member_location, 0), hops, name))
            return true;
        k->w->text[k->w->used = used] = 0;
    }
    return false;
}

/* From a value of this type: over exactly so many pointers, and then one more. `name`: of the member that it is. */
static bool reach(struct seek *k, Dwarf_Die *type, uint64_t at, int hops, const char *name)
{
    Dwarf_Die plain = *type;
    uint64_t pointer;
    if (k->reads <= 0 || !strip(&plain))
        return false;
    int tag = dwarf_tag(&plain);
    if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type)
        return read_word(k, at, &pointer) && reach_pointer(k, &plain, pointer, hops, name);
    return is_aggregate(tag) && reach_members(k, &plain, at, hops);
}

static bool leads_to_it(struct seek *k, struct local *l, int hops)
{
    Dwarf_Die plain = l->type;
    const char *name = dwarf_diename(&l->die);
    if (!strcmp(name, "this") && hops)
        return false;
    add(k->w, "%s", name);
    int tag = strip(&plain) ? dwarf_tag(&plain) : 0;
    bool pointer = tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type;
    if (l->in_register ? pointer && reach_pointer(k, &plain, l->at, hops, NULL) : reach(k, &l->type, l->at, hops, NULL))
        return true;
    k->w->text[k->w->used = 0] = 0;
    return false;
}

static bool global_leads_to_it(struct seek *k, struct globals *g, int hops)
{
    for (uint32_t i = 0; i < g->count; i++) {
        Dwarf_Die type;
        if (!has_type(&g->all[i].die, &type))
            continue;
        add_global(&g->all[i], k->w);
        if (reach(k, &type, g->all[i].address, hops, NULL))
            return true;
        k->w->text[k->w->used = 0] = 0;
    }
    return false;
}

/* "m->" stands for what m points to. */
static void end_words(struct spelling *w)
{
    if (w->used < 3 || strcmp(w->text + w->used - 2, "->"))
        return;
    w->text[w->used -= 2] = 0;
    if (w->used + 2 < w->room) {
        memmove(w->text + 1, w->text, ++w->used);
        w->text[0] = '*';
        w->text[w->used] = 0;
    }
}

bool variable_seen(struct where *where, pid_t pid, const struct frames *f, uint64_t address, char *name, size_t room)
{
    enum { READS = 2000, HOPS = 2 };
    struct spelling w = {name, room, 0};
    struct seek k = {.where = where, .memory = {.pid = pid}, .address = address, .reads = READS, .w = &w};
    bool found = false;
    if (!where)
        return false;
    for (int i = 0; i < f->count && !found; i++)
        found = each_local(&k, &f->at[i], holds_it, 0);
    for (int hops = 0; hops <= HOPS && !found; hops++) {
        found = global_leads_to_it(&k, variable_globals(where), hops);
        for (int i = f->count - 1; i >= 0 && !found; i--)
            found = each_local(&k, &f->at[i], leads_to_it, hops);
    }
    if (found)
        end_words(&w);
    return found;
}

/* ---- threads ---- */

/* Of a function that begins exactly here, in the program itself. */
static bool add_function(struct where *where, uint64_t address, struct spelling *w)
{
    GElf_Off offset = 1;
    GElf_Sym symbol;
    Dwfl_Module *module = where_module_at(where, address);
    const char *found = module && !where_module_of_the_system(module)
                      ? dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL) : NULL;
    if (!found || offset || GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
        return false;
    const char *name = where_call(where, address + 1).function;
    if (name && strncmp(name, "_Z", 2))
        add(w, "%s", name);
    else
        plain_name(found, w);
    return true;
}

/* std::thread's argument is an object whose class has what it is to call in its name: ...tupleIJZ4mainEUlvE_EE... is a lambda of main,
 * as gcc writes it, ...tupleIJZ4mainE3$_0EE... as clang does. */
static bool add_lambda(struct where *where, uint64_t vtable, struct spelling *w)
{
    GElf_Off offset;
    GElf_Sym symbol;
    Dwfl_Module *module = where_module_at(where, vtable);
    const char *found = module ? dwfl_module_addrinfo(module, vtable, &offset, &symbol, NULL, NULL, NULL) : NULL;
    const char *tuple = found && (strstr(found, "EUl") || strstr(found, "$_")) ? strstr(found, "tuple") : NULL, *begin = tuple ? strchr(tuple, 'Z') : NULL;
    char name[256];
    if (!begin)
        return false;
    snprintf(name, sizeof name, "_Z%s", begin + 1);
    add(w, "lambda in ");
    plain_name(name, w);
    return true;
}

bool variable_thread(struct where *where, pid_t pid, uint64_t function, uint64_t argument, char *name, size_t room)
{
    enum { WORDS = 8 };
    struct spelling w = {name, room, 0};
    struct memory_view memory = {.pid = pid};
    uint64_t word;
    if (!where || add_function(where, function, &w))
        return where;
    for (int i = 0; i < WORDS; i++)
        if (memory_view_read(&memory, argument + 8u * (unsigned)i, &word, sizeof word)
            && (i ? add_function(where, word, &w) : add_lambda(where, word, &w)))
            return true;
    return false;
}

bool variable_of_the_system(struct where *where, uint64_t address)
{
    Dwfl_Module *module = where ? where_module_at(where, address) : NULL;
    return module && where_module_of_the_system(module);
}
