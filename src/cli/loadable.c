/* SPDX-License-Identifier: MIT */
#include "cli/loadable.h"

#include "base/file.h"
#include "base/memory.h"

#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct image { char *bytes; size_t size; const Elf64_Ehdr *head; };

/* NULL: the file does not have so much. */
static void *at(const struct image *m, uint64_t offset, uint64_t bytes)
{
    return offset <= m->size && bytes <= m->size - offset ? m->bytes + offset : NULL;
}

static const Elf64_Phdr *segment(const struct image *m, uint32_t type)
{
    const Elf64_Phdr *all = at(m, m->head->e_phoff, (uint64_t)m->head->e_phnum * sizeof *all);
    for (int i = 0; all && i < m->head->e_phnum; i++)
        if (all[i].p_type == type)
            return &all[i];
    return NULL;
}

/* What is loaded to this address stands where in the file? NULL: nowhere. */
static void *loaded(const struct image *m, uint64_t address, uint64_t bytes)
{
    const Elf64_Phdr *all = at(m, m->head->e_phoff, (uint64_t)m->head->e_phnum * sizeof *all);
    for (int i = 0; all && i < m->head->e_phnum; i++)
        if (all[i].p_type == PT_LOAD && address >= all[i].p_vaddr && address - all[i].p_vaddr < all[i].p_filesz)
            return at(m, address - all[i].p_vaddr + all[i].p_offset, bytes);
    return NULL;
}

/* ---- what can be done ---- */

static int check(const struct image *m, const char *name, struct err *err)
{
    if (m->head->e_machine != EM_X86_64)
        return fail(err, "%s: is a program of another machine", name);
    if (m->head->e_type != ET_DYN)
        return fail(err, "%s: lies at a fixed address, and several programs in one cannot; compile it with -fPIE -pie, or name its sources", name);
    if (!segment(m, PT_INTERP) || !segment(m, PT_DYNAMIC))
        return fail(err, "%s: is not linked dynamically; only such programs can be checked together, or name its sources", name);
    if (segment(m, PT_TLS))
        return fail(err, "%s: has thread-local variables of its own, and as an executable such a program can only be checked alone; name its sources", name);
    return 0;
}

/* ---- its main ---- */

static const Elf64_Sym *symbol_main(const struct image *m, const Elf64_Shdr *symbols, const Elf64_Shdr *strings)
{
    const Elf64_Sym *all = at(m, symbols->sh_offset, symbols->sh_size);
    for (uint64_t i = 0; all && i < symbols->sh_size / sizeof *all; i++) {
        const char *name = all[i].st_name < strings->sh_size ? at(m, strings->sh_offset + all[i].st_name, sizeof "main") : NULL;
        if (name && !memcmp(name, "main", sizeof "main") && ELF64_ST_TYPE(all[i].st_info) == STT_FUNC && all[i].st_shndx)
            return &all[i];
    }
    return NULL;
}

static uint64_t main_by_name(const struct image *m)      /* 0: it says nothing of it */
{
    const Elf64_Shdr *all = at(m, m->head->e_shoff, (uint64_t)m->head->e_shnum * sizeof *all);
    for (int i = 0; all && i < m->head->e_shnum; i++) {
        const Elf64_Sym *found = all[i].sh_type == SHT_SYMTAB && all[i].sh_link < m->head->e_shnum ? symbol_main(m, &all[i], &all[all[i].sh_link]) : NULL;
        if (found)
            return found->st_value;
    }
    return 0;
}

/* A stripped one: its first instructions say where main is, lea main(%rip), %rdi or mov main@GOT, %rdi, and then call __libc_start_main. */
static uint64_t main_by_start(const struct image *m)
{
    enum { LOOK = 64, INSTRUCTION = 7 };
    const unsigned char *code = loaded(m, m->head->e_entry, LOOK);
    for (uint64_t i = 0; code && i + INSTRUCTION <= LOOK; i++) {
        int32_t distance;
        if (code[i] != 0x48 || code[i + 1] != 0x8d || code[i + 2] != 0x3d)
            continue;
        memcpy(&distance, code + i + 3, sizeof distance);
        return m->head->e_entry + i + INSTRUCTION + (uint64_t)(int64_t)distance;
    }
    return 0;
}

/* ---- its libraries, and the mark ---- */

static uint64_t value_of(const Elf64_Dyn *dynamic, uint64_t count, int64_t tag)
{
    for (uint64_t i = 0; i < count && dynamic[i].d_tag != DT_NULL; i++)
        if (dynamic[i].d_tag == tag)
            return dynamic[i].d_un.d_val;
    return 0;
}

static void add_once(struct words *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i], name))
            return;
    words_add(list, name);
}

static void free_of_mark(const struct image *m, struct words *words, struct words *usual)
{
    const Elf64_Phdr *where = segment(m, PT_DYNAMIC);
    assert(where);
    Elf64_Dyn *dynamic = at(m, where->p_offset, where->p_filesz);
    uint64_t count = dynamic ? where->p_filesz / sizeof *dynamic : 0;
    uint64_t strings = value_of(dynamic, count, DT_STRTAB), bytes = value_of(dynamic, count, DT_STRSZ);
    const char *names = loaded(m, strings, bytes);
    bool elsewhere = value_of(dynamic, count, DT_RPATH) || value_of(dynamic, count, DT_RUNPATH);         /* only the program knows where */
    for (uint64_t i = 0; i < count && dynamic[i].d_tag != DT_NULL; i++) {
        uint64_t value = dynamic[i].d_un.d_val;
        if (dynamic[i].d_tag == DT_FLAGS_1)
            dynamic[i].d_un.d_val = value & ~(uint64_t)(DF_1_PIE | DF_1_NOOPEN);
        if (dynamic[i].d_tag != DT_NEEDED || !names || value >= bytes || !memchr(names + value, 0, bytes - value))
            continue;
        words_add(words, names + value);
        if (!elsewhere)
            add_once(usual, names + value);
    }
}

static int write_copy(const struct image *m, const char *path, struct err *err)
{
    FILE *f = fopen(path, "we");
    if (!f)
        return fail_errno(err, "%s", path);
    bool written = fwrite(m->bytes, 1, m->size, f) == m->size;
    if (fclose(f) || !written)
        return fail_errno(err, "%s: cannot be written", path);
    return chmod(path, 0700) ? fail_errno(err, "%s", path) : 0;
}

static int copy_image(const struct image *m, const char *executable, const char *copy, struct words *words, struct words *usual, struct err *err)
{
    int failed = check(m, executable, err);
    if (failed)
        return failed;
    uint64_t named = main_by_name(m), entry = named ? named : main_by_start(m);
    if (!entry || !loaded(m, entry, 1))
        return fail(err, "%s: it cannot be seen where its main is; name its sources, or an executable that was not stripped", executable);
    words_add(words, copy);
    words_add_format(words, "0x%llx", (unsigned long long)entry);
    words_add(words, executable);
    free_of_mark(m, words, usual);
    return write_copy(m, copy, err);
}

static int read_image(struct image *m, const char *path, struct err *err)
{
    struct stat s;
    FILE *f = file_open(path, "the executable", err);
    if (!f)
        return -EINVAL;
    m->size = fstat(fileno(f), &s) || s.st_size < (off_t)sizeof *m->head ? 0 : (size_t)s.st_size;
    m->bytes = memory_get(m->size + 1);
    m->head = (const Elf64_Ehdr *)m->bytes;
    bool whole = m->size && fread(m->bytes, 1, m->size, f) == m->size;
    fclose(f);
    return whole ? 0 : fail(err, "%s: cannot be read as an executable", path);
}

int loadable_make(const char *executable, const char *copy, struct words *words, struct words *usual, struct err *err)
{
    struct image m = { 0 };
    assert(executable && copy && words && usual);
    int failed = read_image(&m, executable, err);
    if (!failed)
        failed = copy_image(&m, executable, copy, words, usual, err);
    free(m.bytes);
    return failed;
}
