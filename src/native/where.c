/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/where.h"
#include "base/memory.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct where {
    Dwfl *lines;                     /* for all processes: they have the same layout */
    Dwfl *stack;                     /* attached to one process */
    pid_t pid;                       /* that one */
};

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

void where_free(struct where *w)
{
    if (!w)
        return;
    dwfl_end(w->stack);
    dwfl_end(w->lines);
    free(w);
}

/* As the compiler was given it: "main.c", though the debug information has the whole path. */
static const char *short_name(const char *file, Dwfl_Module *module, uint64_t address)
{
    Dwarf_Addr bias;
    Dwarf_Attribute attribute;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
    const char *folder = unit ? dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)) : NULL;
    size_t length = folder ? strlen(folder) : 0;
    return length && !strncmp(file, folder, length) && file[length] == '/' ? file + length + 1 : file;
}

/* As it stands in the source; the name that the linker has is another in C++. */
static const char *function_name(Dwfl_Module *module, uint64_t address)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias), *scopes = NULL;
    int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    const char *name = NULL;
    for (int i = 0; i < count && !name; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
            name = dwarf_diename(&scopes[i]);
    free(scopes);
    return name ? name : dwfl_module_addrname(module, address);
}

struct place where_exact(struct where *w, uint64_t address)
{
    struct place place = {.address = address + 1};
    Dwfl_Module *module = w ? dwfl_addrmodule(w->lines, address) : NULL;
    if (!module)
        return place;
    place.function = function_name(module, address);
    Dwfl_Line *line = dwfl_module_getsrc(module, address);
    const char *file = line ? dwfl_lineinfo(line, NULL, &place.line, NULL, NULL, NULL) : NULL;
    if (file)
        place.file = short_name(file, module, address);
    return place;
}

struct place where_call(struct where *w, uint64_t address)
{
    return where_exact(w, address - 1);
}

/* The names in a symbol of C++, without types: _ZN5inner4lockE is inner::lock. Anything else stays as it is. */
static void plain_name(const char *symbol, char *out, size_t room)
{
    const char *p = symbol;
    size_t used = 0;
    if (strncmp(p, "_Z", 2)) {
        snprintf(out, room, "%s", symbol);
        return;
    }
    for (p += 2; *p && !(*p >= '0' && *p <= '9'); p++)   /* N: nested, L: of this file only, ... */
        ;
    while (*p >= '0' && *p <= '9' && used + 3 < room) {
        char *end;
        size_t length = strtoul(p, &end, 10);
        if (length > strlen(end))
            break;
        used += (size_t)snprintf(out + used, room - used, "%s%.*s", used ? "::" : "", (int)length, end);
        p = end + length;
    }
    if (!used)
        snprintf(out, room, "%s", symbol);
}

bool where_variable(struct where *w, uint64_t address, unsigned size, char *name, size_t room)
{
    GElf_Off offset;
    GElf_Sym symbol;
    Dwfl_Module *module = w ? dwfl_addrmodule(w->lines, address) : NULL;
    const char *found = module ? dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL) : NULL;
    if (!found || offset >= symbol.st_size)
        return false;
    char plain[200];
    plain_name(found, plain, sizeof plain);
    if (size && symbol.st_size > size && symbol.st_size % size == 0 && offset % size == 0)
        snprintf(name, room, "%s[%u]", plain, (unsigned)(offset / size));
    else
        snprintf(name, room, offset ? "%s+%u" : "%s", plain, (unsigned)offset);
    return true;
}

/* A library of the system may have debug information, too (a sanitizer's has). */
static bool of_the_system(struct where *w, uint64_t address)
{
    Dwfl_Module *module = dwfl_addrmodule(w->lines, address);
    const char *path = module ? dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : NULL;
    return !path || !strncmp(path, "/usr/lib", 8) || !strncmp(path, "/lib", 4);
}

enum { DEPTH = 128 };

struct frames {
    struct where *where;
    struct place  at[DEPTH];
    int           count;
    bool          skip_next;
};

/* Inside of these two is the runtime, which came to be there from the outer frame: by a crash, or by a call of a function
 * of its own, one frame further out. */
static bool enters_runtime(struct frames *f, const char *function)
{
    bool entered = function && !strcmp(function, "rt_enter"), crashed = function && !strcmp(function, "rt_crashed");
    if (entered || crashed)
        f->count = 0;
    if (entered)
        f->skip_next = true;
    return entered || crashed;
}

static int add_frame(Dwfl_Frame *frame, void *self)
{
    struct frames *f = self;
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
    struct frames f = {.where = w};
    if (!w || !attach(w, pid))
        return -EPERM;
    int result = dwfl_getthread_frames(w->stack, pid, add_frame, &f), given = f.count < room ? f.count : room;
    memcpy(frames, f.at, (size_t)given * sizeof *frames);
    return given || result == 0 ? given : -EPERM;
}
