/* SPDX-License-Identifier: MIT */
#include "base/library.h"

#include <assert.h>
#include <string.h>

#define NAME(name) #name,
static const char *const seen[] = {
    LIBRARY_WRAPPED(NAME)
    /* beginning and end, the compiler's own */
    "exit", "_exit", "_Exit", "abort", "atexit", "at_quick_exit", "quick_exit", "__libc_start_main", "__libc_start_call_main", "__assert_fail", "__assert",
    "__assert_perror_fail", "__errno_location", "__h_errno_location", "__stack_chk_fail", "__chk_fail", "__fortify_fail", "__fdelt_chk",
    "__sigsetjmp", "longjmp", "siglongjmp", "__longjmp_chk", "__tls_get_addr", "__register_atfork", "__fentry__", "mcount",
    /* memory: what is given back is told by the runtime */
    "malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "memalign", "aligned_alloc", "valloc", "pvalloc", "malloc_usable_size",
    "malloc_trim", "mmap", "mmap64", "munmap", "mprotect", "mlock", "munlock", "mlockall", "munlockall", "msync", "brk", "sbrk", "shmat", "shmdt", "shmget",
    "shm_open", "shm_unlink",
    /* numbers */
    "abs", "labs", "llabs", "imaxabs", "div", "ldiv", "lldiv", "ffs", "ffsl", "ffsll", "rand", "srand", "random", "srandom", "drand48", "lrand48", "mrand48",
    "srand48", "arc4random", "arc4random_uniform", "htonl", "htons", "ntohl", "ntohs", "toupper", "tolower", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit",
    "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "toascii", "isascii", "__ctype_b_loc", "__ctype_tolower_loc",
    "__ctype_toupper_loc", "__ctype_get_mb_cur_max", "difftime", "bsearch", "ldexp", "ldexpf", "scalbn", "copysign", "finite", "isinf", "isnan",
    /* who and when */
    "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "getpgrp", "getpgid", "getsid", "setsid", "setpgid", "isatty", "sysconf", "getpagesize",
    "get_nprocs", "get_nprocs_conf", "getauxval", "sched_yield", "sched_getcpu", "sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep", "pause", "alarm",
    "ualarm", "clock", "time", "clock_gettime", "gettimeofday", "gnu_get_libc_version", "strerror",
    "strsignal", "gai_strerror",
    /* processes and signals */
    "fork", "vfork", "_Fork", "wait", "waitpid", "raise", "kill", "killpg", "tgkill", "signal", "sigaction",
    "sigprocmask", "sigsuspend", "sigwait", "sigwaitinfo", "sigtimedwait", "sigqueue", "sigaltstack", "eventfd",
    "semget", "semop", "semctl", "semtimedop", "msgget", "msgctl", "mq_close", "mq_unlink", "mq_open", "timer_create", "timer_settime",
    "timer_delete", "timer_getoverrun", "setitimer", "timerfd_create", "timerfd_settime", "signalfd",
    /* files: what is read and written is told by the runtime, or it is none of the program's variables */
    "read", "__read_chk", "write", "recv", "__recv_chk", "send", "open", "open64", "openat", "creat", "close", "lseek", "lseek64", "dup", "dup2", "dup3", "pipe",
    "pipe2", "fcntl", "fcntl64", "poll", "__poll_chk", "ppoll", "select", "pselect", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "socket",
    "socketpair", "bind", "listen", "accept", "accept4", "connect", "shutdown", "setsockopt", "unlink", "access", "mkdir", "rmdir", "truncate", "rename", "ftruncate",
    "fsync", "fdatasync", "chdir", "umask", "remove", "fopen", "fopen64", "fdopen", "freopen", "fclose",
    "fflush", "setlinebuf", "fileno", "feof", "ferror", "clearerr", "fseek", "fseeko", "ftell", "ftello", "rewind", "fgetc", "getc",
    "getchar", "ungetc", "fputc", "putc", "putchar", "_IO_putc", "_IO_getc", "putchar_unlocked", "putc_unlocked", "getc_unlocked", "getchar_unlocked",
    "fputc_unlocked", "flockfile", "funlockfile", "ftrylockfile", "tmpfile", "fcloseall", "__overflow", "__uflow", "localeconv", "dlclose", "dlerror",
    "pthread_getattr_np", "sched_getparam", "sched_setparam", "sched_getscheduler", "sched_setscheduler", "sched_getaffinity", "sched_setaffinity", "sched_get_priority_max",
    "sched_get_priority_min", "dl_iterate_phdr", "_dl_find_object", "call_once" };

/* Objects by which threads synchronise; what the library of C++ and the compiler are made of; operations of VeriSoft; hooks. */
static const char *const families[] = { "pthread_", "__pthread_", "_pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_", "__cxa_", "__gxx_", "_Unwind_", "_Z",
                                        "__gcc_", "__atomic_", "__tsan_", "__wrap_", "__sync_", "VS_", "__libc_", "__isoc_", "_ITM_" };

bool library_is_seen(const char *name)
{
    assert(*name);
    bool about_attributes = strstr(name, "attr_") != NULL;               /* told one by one */
    for (size_t i = 0; i < sizeof families / sizeof *families && !about_attributes; i++)
        if (!strncmp(name, families[i], strlen(families[i])))
            return true;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        if (!strcmp(name, seen[i]))
            return true;
    return false;
}
