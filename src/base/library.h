/* Functions of the C library, by what is seen of them in a program that tells of its reads and writes: a data race in a buffer is found only if the
 * function that reads or writes it tells, too.
 * SPDX-License-Identifier: MIT */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stdbool.h>

/* Those in whose place the linker puts the runtime's (--wrap), which tell what they read and write: runtime/accessed.inc. */
#define LIBRARY_WRAPPED(X) \
    X(memcpy) X(memmove) X(memset) X(memcmp) X(bzero) X(bcopy) X(strlen) X(strcmp) X(strcpy) X(stpcpy) X(strncpy) X(strcat) X(sprintf) X(snprintf) \
    X(__memcpy_chk) X(__memmove_chk) X(__memset_chk) X(__strcpy_chk) X(__stpcpy_chk) X(__strncpy_chk) X(__strcat_chk) X(__sprintf_chk) X(__snprintf_chk) \
    X(memchr) X(strchr) X(strrchr) X(strncmp) X(strnlen) X(strstr) X(strdup) X(atoi) X(atol) X(atof) X(strtol) X(strtoul) X(strtod) X(qsort) X(puts) \
    X(fputs) X(fwrite) X(printf) X(fprintf) X(vprintf) X(vfprintf) X(vsnprintf) X(__printf_chk) X(__fprintf_chk) X(__vprintf_chk) X(__vfprintf_chk) \
    X(__vsnprintf_chk) X(strtok_r) X(__isoc23_strtol) X(__isoc23_strtoul) X(sigemptyset) X(sigfillset) \
    X(sigaddset) X(sigdelset) X(sigismember) X(getopt) X(getopt_long) X(posix_memalign)

/* Does it tell, or touch nothing that threads of the program share? It has no pointers, or what it is given is none of the program's variables (streams,
 * memory that it gives or takes back, objects by which threads synchronise), or is told by the runtime (runtime/given.c). All others are named in the report. */
bool library_is_seen(const char *name);

#endif
