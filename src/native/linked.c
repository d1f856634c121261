/* SPDX-License-Identifier: MIT */
#include "native/linked.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 256 };              /* what is longer is cut off, and mostly not the only one then */

/* What is looked for: a name, or what has a byte; and what was found. */
struct quest {
    const char *name;                /* NULL: what has the byte at `offset` */
    uint64_t    offset;
    char        found[LONGEST];
    GElf_Sym    symbol;
    int         count;
};

static bool is_variable(const GElf_Sym *s)
{
    return GELF_ST_TYPE(s->st_info) == STT_OBJECT && s->st_shndx != SHN_UNDEF && s->st_size;
}

/* A variable of a function has more in its name than the program says, which is another with each compiler: last.1, up.last. */
static void own_name(const char *symbol, char name[LONGEST])
{
    const char *begin = symbol, *end = symbol + strcspn(symbol, ".");
    for (const char *dot = end; *dot; dot += strcspn(dot, ".")) {
        const char *part = ++dot;
        size_t length = strcspn(part, ".");
        if (length > strspn(part, "0123456789")) {
            begin = part;
            end = part + length;
        }
    }
    snprintf(name, LONGEST, "%.*s", (int)(end - begin), begin);
}

static void look_at(struct quest *q, const char *symbol, const GElf_Sym *s)
{
    char name[LONGEST];
    own_name(symbol, name);
    bool is_it = q->name ? !strcmp(name, q->name) : q->offset - s->st_value < s->st_size;
    bool same = q->count && s->st_value == q->symbol.st_value && s->st_size == q->symbol.st_size;        /* it has two names */
    if (!is_it || same || !*name)
        return;
    q->count++;
    q->symbol = *s;
    memcpy(q->found, name, sizeof name);
}

static void look_through(struct quest *q, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym s;
    for (int i = 0; data && header->sh_entsize && (uint64_t)i < header->sh_size / header->sh_entsize && gelf_getsym(data, i, &s); i++) {
        const char *name = is_variable(&s) ? elf_strptr(elf, header->sh_link, s.st_name) : NULL;
        if (name)
            look_at(q, name, &s);
    }
}

/* Is it one variable? */
static bool look(struct quest *q, const char *executable)
{
    int fd = open(executable, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section));)
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
            look_through(q, elf, section, &header);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return q->count == 1;
}

bool linked_find(const char *executable, const char *name, uint64_t *offset, uint64_t *size)
{
    struct quest q = { .name = name };
    bool one = look(&q, executable);
    *offset = q.symbol.st_value;
    *size = q.symbol.st_size;
    return one;
}

bool linked_at(const char *executable, uint64_t offset, char *name, size_t room, uint64_t *begin)
{
    struct quest q = { .offset = offset };
    uint64_t again, size;
    bool found = look(&q, executable) && linked_find(executable, q.found, &again, &size) && strlen(q.found) < room;
    if (!found || again != q.symbol.st_value)            /* it is another file by now */
        return false;
    snprintf(name, room, "%s", q.found);
    *begin = q.symbol.st_value;
    return true;
}
