/* Runs several executables as processes of one program, for `verisoft ./server + ./client`: each was made loadable (cli/loadable.c), and is loaded as a library;
 * then a first process starts each in a process of its own, as a shell would, and waits for all. It is a program of its own, and knows nothing of the
 * runtime, which is loaded in front of it as in front of any other.
 *
 *     verisoft-loader COUNT (FILE MAIN NAME LIBRARY... +)... ARGUMENTS of the first + ARGUMENTS of the next + ...
 *
 * What a dynamic linker does for an executable and not for a library: variables of libraries that it uses directly (optind, stdout) are in its own memory, and
 * the libraries use these. That is done here, in the process of that executable (`adopt_variables`); the libraries are loaded first, so that
 * what is copied from them is as their constructors left it.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct program { char *file, *name, *problem; unsigned long main; struct link_map *map; };

static struct program *programs;
static int program_count, arguments;         /* arguments: where those begin, at their mark */

/* ---- loading ---- */

static ElfW(Addr) entry_of(const struct link_map *map, ElfW(Sxword) tag)
{
    const ElfW(Dyn) *d = map->l_ld;
    while (d->d_tag != DT_NULL && d->d_tag != tag)
        d++;
    return d->d_tag == tag ? d->d_un.d_ptr : 0;
}

/* A library that is not found in the usual places may be found by what the program says of it. */
static void load_program(struct program *p, char **libraries, char **end)
{
    for (; libraries < end; libraries++)
        dlopen(*libraries, RTLD_NOW | RTLD_GLOBAL);
    p->map = dlopen(p->file, RTLD_NOW | RTLD_LOCAL);
    p->problem = p->map ? NULL : strdup(dlerror());
}

static int next_mark(int count, char **words, int from)
{
    while (from < count && strcmp(words[from], "+"))
        from++;
    return from;
}

/* Before the program begins, as the constructors of libraries run that an executable is linked with: what they do is no operation. */
__attribute__((constructor)) static void load_all(int count, char **words)
{
    program_count = atoi(words[1]);
    programs = calloc((size_t)program_count, sizeof *programs);
    arguments = 1;
    for (struct program *p = programs; p < programs + program_count; p++) {
        int from = ++arguments;      /* past the mark before it, or the number */
        *p = (struct program){ .file = words[from], .name = words[from + 2], .main = strtoul(words[from + 1], NULL, 0) };
        arguments = next_mark(count, words, from + 3);
        load_program(p, words + from + 3, words + arguments);
    }
}

/* ---- variables of libraries that are the program's ---- */

static const char *name_of(const struct link_map *map, const ElfW(Rela) *r, const ElfW(Sym) **symbol)
{
    *symbol = (const ElfW(Sym) *)entry_of(map, DT_SYMTAB) + ELF64_R_SYM(r->r_info);
    return (const char *)entry_of(map, DT_STRTAB) + (*symbol)->st_name;
}

/* Constants, and tables of addresses, may not be written any more when a program was loaded. */
static void write_protected(void *place, const void *from, size_t bytes)
{
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)place & ~(size - 1);
    if (!mprotect((void *)page, (uintptr_t)place + bytes - page, PROT_READ | PROT_WRITE))
        memcpy(place, from, bytes);
}

/* Whoever of the libraries uses the old variable by this name uses the new one. */
static void redirect(const struct link_map *library, const char *name, void *old, void *new)
{
    const ElfW(Rela) *r = (const ElfW(Rela) *)entry_of(library, DT_RELA);
    const ElfW(Sym) *symbol;
    for (size_t i = 0, count = r ? entry_of(library, DT_RELASZ) / sizeof *r : 0; i < count; i++) {
        unsigned long type = ELF64_R_TYPE(r[i].r_info);
        void **place = (void **)(library->l_addr + r[i].r_offset);
        if ((type == R_X86_64_GLOB_DAT || type == R_X86_64_64) && !strcmp(name_of(library, &r[i], &symbol), name) && *place == old)
            write_protected(place, &new, sizeof new);
    }
}

static void adopt_variables(const struct program *p)
{
    const ElfW(Rela) *r = (const ElfW(Rela) *)entry_of(p->map, DT_RELA);
    const ElfW(Sym) *symbol;
    for (size_t i = 0, count = r ? entry_of(p->map, DT_RELASZ) / sizeof *r : 0; i < count; i++) {
        if (ELF64_R_TYPE(r[i].r_info) != R_X86_64_COPY)
            continue;
        const char *name = name_of(p->map, &r[i], &symbol);
        void *old = dlsym(RTLD_DEFAULT, name), *new = (void *)(p->map->l_addr + r[i].r_offset);
        if (!old || old == new)
            continue;
        write_protected(new, old, symbol->st_size);
        for (const struct link_map *library = p->map; library; library = library->l_prev)
            redirect(library, name, old, new);
        for (const struct link_map *library = p->map->l_next; library; library = library->l_next)
            redirect(library, name, old, new);
    }
}

/* ---- running ---- */

static _Noreturn void run(const struct program *p, int count, char **words)
{
    int (*program)(int, char **, char **);
    void *entry = (void *)(p->map->l_addr + p->main);
    memcpy(&program, &entry, sizeof program);
    words[0] = p->name;
    program_invocation_name = p->name;
    program_invocation_short_name = strrchr(p->name, '/') ? strrchr(p->name, '/') + 1 : p->name;
    adopt_variables(p);
    exit(program(count, words, environ));
}

int main(int count, char **words)
{
    for (const struct program *p = programs; p < programs + program_count; p++)
        if (p->problem)
            __assert_fail(p->problem, p->name, 0, "the program cannot be loaded");        /* the one way to tell it that ends up in a report */
    for (int i = 0, from, end = arguments; i < program_count && end < count; i++) {
        from = end;                  /* the mark's place is for the name */
        end = next_mark(count, words, from + 1);
        words[end] = NULL;
        pid_t child = fork();
        if (child < 0)
            return 2;
        if (child == 0)
            run(&programs[i], end - from, words + from);
    }
    while (wait(NULL) > 0)
        ;
    return 0;
}
