/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/where_internal.h"
#include "base/file.h"
#include "base/memory.h"
#include "wire.h"

#include <assert.h>
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Debug information is taken from the program itself. So what has none (the C library, the runtime) is not its source, and
 * nobody asks a server for it. */
static int no_debuginfo(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base, const char *file,
                        const char *link, GElf_Word crc, char **found)
{
    (void)m, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
    return -1;
}

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = no_debuginfo};

static Dwfl *open_process(pid_t pid)
{
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (!dwfl)
        return NULL;
    if (dwfl_linux_proc_report(dwfl, pid) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0)
        return dwfl;
    dwfl_end(dwfl);
    return NULL;
}

struct where *where_new(pid_t pid, struct err *err)
{
    Dwfl *lines = open_process(pid);
    if (!lines) {
        fail(err, "no debug information of process %d: %s", (int)pid, dwfl_errmsg(-1));
        return NULL;
    }
    struct where *w = memory_get(sizeof *w);
    w->lines = lines;
    return w;
}

void where_look_again(struct where *w, pid_t pid)
{
    assert(w && pid > 0);
    dwfl_report_begin_add(w->lines);
    dwfl_linux_proc_report(w->lines, pid);
    dwfl_report_end(w->lines, NULL, NULL);
    memset(w->known, 0, sizeof w->known);
}

void where_free(struct where *w)
{
    if (!w)
        return;
    variable_fini(w);
    dwfl_end(w->stack);
    dwfl_end(w->lines);
    free(w->view);
    free(w->zeros);
    free(w);
}

/* As the compiler was given it: "main.c", though the debug information has the whole path. */
static const char *name_in_unit(const char *file, Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    const char *folder = unit ? dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)) : NULL;
    size_t length = folder ? strlen(folder) : 0;
    return length && !strncmp(file, folder, length) && file[length] == '/' ? file + length + 1 : file;
}

/* clang leaves out the table by which the unit of an address is found at once (.debug_aranges). */
Dwarf_Die *where_unit(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
    if (unit)
        return unit;
    while ((unit = dwfl_module_nextcu(module, unit, bias)) && dwarf_haspc(unit, address - *bias) <= 0)
        ;
    return unit;
}

static void find_line(Dwarf_Die *unit, Dwarf_Addr address, struct place *place)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    if (file && dwarf_lineno(line, &place->line) == 0)
        place->file = file;
}

/* As it stands in the source; the name that the linker has is another in C++, and says more of what is called as if it were a function. */
static const char *function_name(Dwfl_Module *module, Dwarf_Die *unit, uint64_t address, Dwarf_Addr bias)
{
    Dwarf_Die *scopes = NULL;
    int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    const char *name = NULL;
    for (int i = 0; i < count && !name; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
            name = dwarf_diename(&scopes[i]);
    free(scopes);
    return name && strcmp(name, "operator()") ? name : dwfl_module_addrname(module, address);
}

enum { DEEPEST = 64 };               /* nobody nests more than that: debug information may say anything */

static bool may_hold_code(int tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace || tag == DW_TAG_structure_type
        || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* The function of a lambda stands in another one, in whose code it is not: there dwarf_getscopes does not look. */
static bool find_innermost(Dwarf_Die *from, uint64_t address, int depth, Dwarf_Die *found)
{
    Dwarf_Die child;
    bool any = depth < DEEPEST && dwarf_child(from, &child) == 0;
    for (; any; any = dwarf_siblingof(&child, &child) == 0) {
        bool here = dwarf_haspc(&child, address) > 0;
        if (here)
            *found = child;
        if ((here || may_hold_code(dwarf_tag(&child))) && find_innermost(&child, address, depth + 1, found))
            return true;
        if (here)
            return true;
    }
    return false;
}

int where_scopes(Dwarf_Die *unit, uint64_t address, Dwarf_Die **scopes)
{
    Dwarf_Die *innermost = NULL, found = *unit;
    int count = dwarf_getscopes(unit, address, &innermost);              /* from an inlined call on, these are where it is defined */
    if (count > 1)
        found = innermost[0];
    else
        find_innermost(unit, address, 0, &found);
    free(innermost);
    return dwarf_getscopes_die(&found, scopes);
}

/* What a header of the system has inlined into the program stands where the program calls it. */
static void leave_headers(Dwarf_Die *unit, uint64_t address, struct place *place)
{
    Dwarf_Die *scopes = NULL;
    Dwarf_Files *files;
    size_t file_count;
    int count = dwarf_getsrcfiles(unit, &files, &file_count) ? 0 : where_scopes(unit, address, &scopes);
    for (int i = 0; i < count && place->file && file_is_of_the_system(place->file); i++) {
        Dwarf_Attribute attribute;
        Dwarf_Word file, line;
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine || dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attribute), &file)
            || dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &attribute), &line))
            continue;
        place->file = dwarf_filesrc(files, file, NULL, NULL);
        place->line = (int)line;
    }
    free(scopes);
}

static struct place look_up(struct where *w, uint64_t address)
{
    struct place place = {.address = address + 1};
    Dwfl_Module *module = dwfl_addrmodule(w->lines, address);
    if (!module)
        return place;
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = where_unit(module, address, &bias);
    place.function = function_name(module, unit, address, bias);
    if (!unit)
        return place;
    find_line(unit, address - bias, &place);
    leave_headers(unit, address - bias, &place);
    place.file = place.file ? name_in_unit(place.file, unit) : NULL;
    return place;
}

bool where_is_own(struct where *w, uint64_t address)
{
    struct place place = where_call(w, address);
    return place.file && !file_is_of_the_system(place.file);
}

bool where_is_of_program(struct where *w, uint64_t address)
{
    Dwfl_Module *module = w ? dwfl_addrmodule(w->lines, address - 1) : NULL;
    const char *name = module ? dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : NULL;
    return name && !where_module_of_the_system(module) && !strstr(name, "libverisoft.so");
}

static int note_zeros(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, void *self)
{
    (void)data, (void)name, (void)base;
    struct where *w = self;
    GElf_Addr bias;
    size_t count = 0;
    Elf *elf = dwfl_module_getelf(module, &bias);
    for (size_t i = 0; elf && elf_getphdrnum(elf, &count) == 0 && i < count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD || segment.p_memsz <= segment.p_filesz)
            continue;
        ARRAY_GROW(w->zeros, w->zeros_count, w->zeros_room);
        uint64_t begin = bias + segment.p_vaddr;
        w->zeros[w->zeros_count++] = (struct zeros){ begin + segment.p_filesz, begin + segment.p_memsz, module };
    }
    return DWARF_CB_OK;
}

static Dwfl_Module *module_with_zeros(struct where *w, uint64_t address)
{
    if (!w->zeros_known)
        dwfl_getmodules(w->lines, note_zeros, w, 0);
    w->zeros_known = true;
    for (uint32_t i = 0; i < w->zeros_count; i++)
        if (address - w->zeros[i].from < w->zeros[i].to - w->zeros[i].from)
            return w->zeros[i].module;
    return NULL;
}

/* libdwfl gives an address above all modules to the last of them, takes shared memory for one, and knows only what files fill. */
Dwfl_Module *where_module_at(struct where *w, uint64_t address)
{
    Dwfl_Module *module = w ? dwfl_addrmodule(w->lines, address) : NULL;
    Dwarf_Addr start, end;
    const char *name = module ? dwfl_module_info(module, NULL, &start, &end, NULL, NULL, NULL, NULL) : NULL;
    if (name && address - start < end - start && strncmp(name, "/dev/", 5))
        return module;
    return w ? module_with_zeros(w, address) : NULL;
}

bool where_module(struct where *w, uint64_t address)
{
    return where_module_at(w, address);
}

/* The last instruction that has a line is the one that returns, at the closing brace. */
uint64_t where_end(struct where *w, uint64_t address)
{
    Dwfl_Module *module = w ? dwfl_addrmodule(w->lines, address - 1) : NULL;
    Dwarf_Addr bias, low, high;
    Dwarf_Die *unit = module ? where_unit(module, address - 1, &bias) : NULL, *scopes = NULL;
    int count = unit ? dwarf_getscopes(unit, address - 1 - bias, &scopes) : 0;
    uint64_t end = address;
    for (int i = 0; i < count; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram && !dwarf_lowpc(&scopes[i], &low) && !dwarf_highpc(&scopes[i], &high)
            && low + bias == address - 1)
            end = high + bias;
    free(scopes);
    return end;
}

struct place where_exact(struct where *w, uint64_t address)
{
    if (!w)
        return (struct place){.address = address + 1};
    struct place *known = &w->known[address % KNOWN];
    if (known->address != address + 1)
        *known = look_up(w, address);
    return *known;
}

struct place where_call(struct where *w, uint64_t address)
{
    return where_exact(w, address - 1);
}

/* A library of the system may have debug information, too (a sanitizer's has). */
bool where_module_of_the_system(Dwfl_Module *module)
{
    const char *path = module ? dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : NULL;
    return !path || !strncmp(path, "/usr/lib", 8) || !strncmp(path, "/lib", 4);
}

static bool of_the_system(struct where *w, uint64_t address)
{
    return where_module_of_the_system(dwfl_addrmodule(w->lines, address));
}

enum { DEPTH = 128 };

struct callers {
    struct where *where;
    struct place  at[DEPTH];
    int           count;
    bool          skip_next;
};

/* Inside of these two is the runtime, which came to be there from the outer frame: by a crash, or by a call of a function
 * of its own, one frame further out. */
static bool enters_runtime(struct callers *f, const char *function)
{
    bool entered = function && !strcmp(function, WIRE_ENTERS), crashed = function && !strcmp(function, WIRE_CRASHES);
    if (entered || crashed)
        f->count = 0;
    if (entered)
        f->skip_next = true;
    return entered || crashed;
}

static int add_frame(Dwfl_Frame *frame, void *self)
{
    struct callers *f = self;
    Dwarf_Addr pc;
    bool exact;
    if (!dwfl_frame_pc(frame, &pc, &exact))
        return DWARF_CB_ABORT;
    struct place place = exact ? where_exact(f->where, pc) : where_call(f->where, pc);
    if (enters_runtime(f, place.function))
        return DWARF_CB_OK;
    if (place.file && !f->skip_next && !of_the_system(f->where, pc))
        f->at[f->count++] = place;
    f->skip_next = false;
    return f->count < DEPTH ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static bool attach(struct where *w, pid_t pid)
{
    if (w->stack && w->pid == pid)
        return true;
    dwfl_end(w->stack);
    w->stack = open_process(pid);
    w->pid = pid;
    if (w->stack && dwfl_linux_proc_attach(w->stack, pid, false) == 0)
        return true;
    dwfl_end(w->stack);
    w->stack = NULL;
    return false;
}

int where_stack(struct where *w, pid_t pid, struct place *frames, int room)
{
    struct callers f = {.where = w};
    if (!w || !attach(w, pid))
        return -EPERM;
    int result = dwfl_getthread_frames(w->stack, pid, add_frame, &f), given = f.count < room ? f.count : room;
    memcpy(frames, f.at, (size_t)given * sizeof *frames);
    return given || result == 0 ? given : -EPERM;
}

/* ---- all files ---- */

struct visitor {
    void (*each)(void *, const char *file, const char *path);
    void  *arg;
};

static void sources_of_unit(Dwarf_Die *unit, const struct visitor *s)
{
    Dwarf_Lines *lines;
    size_t count;
    const char *last = NULL;
    if (dwarf_getsrclines(unit, &lines, &count))
        return;
    for (size_t i = 0; i < count; i++) {
        const char *path = dwarf_linesrc(dwarf_onesrcline(lines, i), NULL, NULL);
        if (path && path != last && !file_is_of_the_system(path))
            s->each(s->arg, name_in_unit(path, unit), path);
        last = path;
    }
}

static int sources_of_module(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, void *arg)
{
    (void)data, (void)name, (void)base;
    Dwarf_Addr bias;
    Dwarf_Die *unit = NULL;
    while (!where_module_of_the_system(module) && (unit = dwfl_module_nextcu(module, unit, &bias)))
        sources_of_unit(unit, arg);
    return DWARF_CB_OK;
}

void where_sources(struct where *w, void (*each)(void *, const char *file, const char *path), void *arg)
{
    struct visitor s = { each, arg };
    if (w)
        dwfl_getmodules(w->lines, sources_of_module, &s, 0);
}
