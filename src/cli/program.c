/* SPDX-License-Identifier: MIT */
#include "cli/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct { const char *extension; enum program_part part; } named[] = {
    { "c", PART_C }, { "cc", PART_CXX }, { "cpp", PART_CXX }, { "cxx", PART_CXX }, { "c++", PART_CXX }, { "C", PART_CXX },
    { "o", PART_OBJECT }, { "a", PART_OBJECT },
};

/* Its place in `named`, or -1. */
static int by_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof named / sizeof *named; i++)
        if (!strcmp(dot + 1, named[i].extension))
            return (int)i;
    return -1;
}

bool program_source_name(const char *path)
{
    return by_name(path) >= 0;
}

/* What the file begins with; false, with errno: it cannot be read. A shorter one is filled up with zeros. */
static bool read_head(const char *path, Elf64_Ehdr *head)
{
    *head = (Elf64_Ehdr){ 0 };
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, head, sizeof *head);
    int why = errno;
    if (file >= 0)
        close(file);
    errno = why;
    return got >= 0;
}

static bool runs(const Elf64_Ehdr *head)
{
    return !memcmp(head->e_ident, ELFMAG, SELFMAG) && (head->e_type == ET_EXEC || head->e_type == ET_DYN);
}

bool program_is_executable(const char *path)
{
    Elf64_Ehdr head;
    return read_head(path, &head) && runs(&head);
}

static int check_file(const char *path, struct err *err)
{
    struct stat s;
    if (stat(path, &s))
        return fail_errno(err, "%s", path);
    if (S_ISDIR(s.st_mode))
        return fail(err, "%s: is a folder; name the source files in it", path);
    if (!S_ISREG(s.st_mode))
        return fail(err, "%s: is not a file", path);
    if (access(path, R_OK))
        return fail_errno(err, "%s: cannot be read", path);
    if (!s.st_size)
        return fail(err, "%s: the file is empty; a program needs at least a function main", path);
    return 0;
}

/* What a file holds counts before its name does: a test suite may call its executables x.c. */
int program_part(const char *path, enum program_part *part, struct err *err)
{
    int failed = check_file(path, err);
    if (failed)
        return failed;
    Elf64_Ehdr head;
    if (!read_head(path, &head))
        return fail_errno(err, "%s: cannot be read", path);
    int name = by_name(path);
    if (!runs(&head) && name >= 0) {
        *part = named[name].part;
        return 0;
    }
    if (!memcmp(head.e_ident, "#!", 2))
        return fail(err, "%s: is a script; name the executable that it runs, or the source files", path);
    if (!runs(&head))
        return fail(err, "%s: is neither C or C++ source (.c .cc .cpp .cxx .C), nor an object file or archive (.o .a), "
                    "nor an executable", path);
    if (access(path, X_OK))
        return fail_errno(err, "%s: cannot be run (chmod +x?)", path);
    *part = PART_EXECUTABLE;
    return 0;
}
