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
    X(sigaddset) X(sigdelset) X(sigismember) X(getopt) X(getopt_long) X(posix_memalign) \
    X(getenv) X(secure_getenv) X(ftok) X(perror) X(setlocale) X(pthread_attr_init) \
    X(pthread_attr_destroy) X(pthread_mutexattr_init) X(pthread_mutexattr_destroy) X(pthread_condattr_init) X(pthread_condattr_destroy) \
    X(pthread_rwlockattr_init) X(pthread_rwlockattr_destroy) X(pthread_barrierattr_init) X(pthread_barrierattr_destroy) \
    X(pthread_attr_setdetachstate) X(pthread_attr_getdetachstate) X(pthread_attr_setguardsize) X(pthread_attr_getguardsize) \
    X(pthread_attr_setinheritsched) X(pthread_attr_getinheritsched) X(pthread_attr_setschedpolicy) X(pthread_attr_getschedpolicy) \
    X(pthread_attr_setscope) X(pthread_attr_getscope) X(pthread_attr_setstacksize) X(pthread_attr_getstacksize) X(pthread_mutexattr_settype) \
    X(pthread_mutexattr_gettype) X(pthread_mutexattr_setpshared) X(pthread_mutexattr_getpshared) X(pthread_mutexattr_setrobust) \
    X(pthread_mutexattr_getrobust) X(pthread_mutexattr_setprotocol) X(pthread_mutexattr_getprotocol) X(pthread_mutexattr_setprioceiling) \
    X(pthread_mutexattr_getprioceiling) X(pthread_condattr_setclock) X(pthread_condattr_getclock) X(pthread_condattr_setpshared) \
    X(pthread_condattr_getpshared) X(pthread_rwlockattr_setpshared) X(pthread_rwlockattr_getpshared) X(pthread_rwlockattr_setkind_np) X(pthread_rwlockattr_getkind_np) X(pthread_barrierattr_setpshared) \
    X(pthread_barrierattr_getpshared)

/* Does it tell, or touch nothing that threads of the program share? It has no pointers, or what it is given is none of the program's variables (streams,
 * memory that it gives or takes back, objects by which threads synchronise), or is told by the runtime (runtime/given.c). All others are named in the report. */
bool library_is_seen(const char *name);

#endif
