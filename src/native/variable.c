/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/spelling.h"
#include "native/variable.h"
#include "wire.h"

#include <assert.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
            if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && dwarf_diename(&l.die) && type_of_die(&l.die, &l.type)
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
    if (l->in_register || k->address - l->at >= type_size(&l->type))
        return false;
    spell(k->w, "%s", dwarf_diename(&l->die));
    spell_part(&l->type, k->address - l->at, k->w);
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
    uint64_t size = type_size(type), offset = k->address - pointer;
    bool known = type_strip(&plain), small = known && dwarf_tag(&plain) == DW_TAG_base_type;
    bool node = known && dwarf_diename(&plain) && type_is_reserved(dwarf_diename(&plain));    /* of a std::map: more than its type says */
    if (!pointer || k->address < pointer || !size || (small && offset) || (node && offset >= size))
        return false;
    uint64_t block = block_from(k, pointer);
    if (offset >= block)
        return false;
    if (known && type_is_aggregate(dwarf_tag(&plain)) && spell_open_end(&plain, offset, k->w))
        return true;
    if (is_array || offset >= size || (block >= 2 * size && !is_shared(pointer)))
        spell(k->w, "[%llu]", (unsigned long long)(offset / size));
    else
        spell(k->w, "->");
    spell_part(type, offset % size, k->w);
    return true;
}

static bool reach(struct seek *k, Dwarf_Die *type, uint64_t at, int hops, const char *name);

static bool reach_pointer(struct seek *k, Dwarf_Die *type, uint64_t pointer, int hops, const char *name)
{
    Dwarf_Die target;
    if (!type_of_die(type, &target))
        return false;
    if (hops == 0)
        return points_to_it(k, pointer, &target, name && !strcmp(name, "_M_start"));
    Dwarf_Die plain = target;
    if (!pointer || !type_strip(&plain) || !type_is_aggregate(dwarf_tag(&plain)))
        return false;
    enum { MANY = 64 };
    uint64_t size = type_size(&target), count = size && name && !strcmp(name, "_M_start") ? block_from(k, pointer) / size : 1;
    size_t used = k->w->used;
    for (uint64_t i = 0; i < count && i < MANY; i++) {
        if (count == 1)
            spell(k->w, "->");
        else
            spell(k->w, "[%llu]", (unsigned long long)i);
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
        if (!type_is_member(&member) || !type_of_die(&member, &its_type))
            continue;
        const char *name = dwarf_tag(&member) == DW_TAG_inheritance ? NULL : dwarf_diename(&member);
        spell_member(name, k->w);
        if (reach(k, &its_type, at + type_number(&member, DW_AT_data_member_location, 0), hops, name))
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
    if (k->reads <= 0 || !type_strip(&plain))
        return false;
    int tag = dwarf_tag(&plain);
    if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type)
        return read_word(k, at, &pointer) && reach_pointer(k, &plain, pointer, hops, name);
    return type_is_aggregate(tag) && reach_members(k, &plain, at, hops);
}

static bool leads_to_it(struct seek *k, struct local *l, int hops)
{
    Dwarf_Die plain = l->type;
    const char *name = dwarf_diename(&l->die);
    if (!strcmp(name, "this") && hops)
        return false;
    spell(k->w, "%s", name);
    int tag = type_strip(&plain) ? dwarf_tag(&plain) : 0;
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
        if (!type_of_die(&g->all[i].die, &type))
            continue;
        spell_global(&g->all[i], k->w);
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
        spell(w, "%s", name);
    else
        spell_symbol(found, w);
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
    spell(w, "lambda in ");
    spell_symbol(name, w);
    return true;
}

void variable_function(const char *function, char *name, size_t room)
{
    struct spelling w = {name, room, 0};
    assert(function && room);
    bool mangled = !strncmp(function, "_Z", 2);
    for (const char *at = function; mangled && (at = strstr(at, "EN")); at += 2)         /* the operator() of a class in a function */
        if (!strncmp(at, "ENKUl", 5) || !strncmp(at, "ENUl", 4) || !strncmp(at, "ENK3$_", 6) || !strncmp(at, "EN3$_", 5))
            spell(&w, "lambda in ");
    spell_symbol(function, &w);
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
