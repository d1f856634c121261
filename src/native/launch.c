/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/launch.h"
#include "base/child.h"
#include "base/memory.h"
#include "base/limits.h"
#include "native/watch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIRE_FD = 1000 };

/* ---- is it one of ours? ---- */

/* The wire version in one segment of notes; 0: not there. */
static uint32_t version_in(const char *notes, size_t bytes)
{
    for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= bytes;) {
        const Elf64_Nhdr *note = (const Elf64_Nhdr *)(notes + at);
        size_t name = at + sizeof *note, data = name + (note->n_namesz + 3) / 4 * 4;
        if (data > bytes)
            return 0;
        if (note->n_namesz == sizeof WIRE_NOTE && !memcmp(notes + name, WIRE_NOTE, sizeof WIRE_NOTE))
            return note->n_type;
        at = data + (note->n_descsz + 3) / 4 * 4;
    }
    return 0;
}

static uint32_t version_of(int fd, const Elf64_Ehdr *file)
{
    uint32_t version = 0;
    for (int i = 0; i < file->e_phnum && !version; i++) {
        Elf64_Phdr segment;
        if (pread(fd, &segment, sizeof segment, (off_t)(file->e_phoff + (size_t)i * sizeof segment)) != sizeof segment)
            return 0;
        if (segment.p_type != PT_NOTE || segment.p_filesz > 1 << 20)
            continue;
        char *notes = memory_get(segment.p_filesz + 1);
        if (pread(fd, notes, segment.p_filesz, (off_t)segment.p_offset) == (ssize_t)segment.p_filesz)
            version = version_in(notes, segment.p_filesz);
        free(notes);
    }
    return version;
}

static bool is_dynamic(int fd, const Elf64_Ehdr *file)
{
    Elf64_Phdr segment;
    for (int i = 0; i < file->e_phnum; i++)
        if (pread(fd, &segment, sizeof segment, (off_t)(file->e_phoff + (size_t)i * sizeof segment)) == sizeof segment
            && segment.p_type == PT_INTERP)
            return true;
    return false;
}

static bool needs_sanitizer(int fd)
{
    enum { ENOUGH = 64 << 10 };
    char *head = memory_get(ENOUGH);
    ssize_t got = pread(fd, head, ENOUGH, 0);
    bool found = false;
    static const char *const libraries[] = { "libasan.so", "libtsan.so", "libmsan.so" };
    for (size_t i = 0; got > 0 && i < sizeof libraries / sizeof *libraries; i++)
        found |= memmem(head, (size_t)got, libraries[i], strlen(libraries[i])) != NULL;
    free(head);
    return found;
}

/* One that was never linked with the runtime gets it as a library, before all others. */
static int check_stranger(int fd, const Elf64_Ehdr *file, const struct native_settings *s, struct err *err)
{
    if (!is_dynamic(fd, file))
        return fail(err, file->e_type == ET_DYN && !file->e_entry
                    ? "%s is a shared library: name the program that uses it"
                    : "%s is linked statically (-static): nothing can be put between it and the C library. Link it without "
                      "-static, or give verisoft its source files", s->executable);
    if (needs_sanitizer(fd))
        return fail(err, "%s was built with a sanitizer, which must be loaded first and cannot follow threads that VeriSoft runs: "
                    "build it without (-fsanitize=...)", s->executable);
    if (!s->group || !s->preload)
        return fail(err, "%s is not linked with the VeriSoft runtime: give verisoft its source files, or link it with "
                    "verisoft-rt.o", s->executable);
    return 0;
}

static int check_file(int fd, const struct native_settings *s, struct err *err)
{
    const char *path = s->executable;
    Elf64_Ehdr file;
    struct stat about;
    if (fstat(fd, &about) < 0)
        return fail_errno(err, "%s", path);
    if (S_ISDIR(about.st_mode))
        return fail(err, "%s is a folder, not a program", path);
    if (about.st_mode & (S_ISUID | S_ISGID))
        return fail(err, "%s runs with the rights of another user (setuid or setgid), so it cannot be controlled: check a copy without "
                    "(cp %s /tmp; chmod ug-s)", path, path);
    if (pread(fd, &file, sizeof file, 0) != sizeof file || memcmp(file.e_ident, ELFMAG, SELFMAG) ||
        file.e_ident[EI_CLASS] != ELFCLASS64 || file.e_machine != EM_X86_64 || file.e_phentsize != sizeof(Elf64_Phdr))
        return fail(err, "%s is not an executable program for this machine (x86-64 Linux)", path);
    uint32_t version = version_of(fd, &file);
    if (!version && check_stranger(fd, &file, s, err))
        return -EINVAL;
    if (version && version != WIRE_VERSION)
        return fail(err, "%s was made for another version of VeriSoft (wire %u, this one is %u): compile it again", path,
                    version, WIRE_VERSION);
    return access(path, X_OK) < 0 ? fail(err, "%s is not executable: chmod +x %s", path, path) : 0;
}

bool native_linked(const char *path)
{
    Elf64_Ehdr file;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool linked = fd >= 0 && pread(fd, &file, sizeof file, 0) == sizeof file && file.e_phentsize == sizeof(Elf64_Phdr)
               && version_of(fd, &file);
    if (fd >= 0)
        close(fd);
    return linked;
}

/* What a machine must let us do: look at processes, and end them. */
static int check_machine(struct err *err)
{
    if (access("/proc/self/maps", R_OK))
        return fail_errno(err, "/proc/self/maps: processes cannot be looked at; is /proc mounted?");
    if (kill(getpid(), 0))
        return fail_errno(err, "processes cannot be ended, because kill is refused");
    siginfo_t info;
    bool none = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && errno != ECHILD;
    return none ? fail_errno(err, "processes cannot be waited for, because waitid is refused") : 0;
}

int launch_check(const struct native_settings *s, struct err *err)
{
    int failed = check_machine(err);
    if (failed)
        return failed;
    int fd = open(s->executable, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        fail_errno(err, "%s", s->executable);
        return -EINVAL;
    }
    int result = check_file(fd, s, err);
    close(fd);
    return result;
}

/* ---- the environment ----
 *
 * It is the same wherever the program is started. What cannot be (the program's name, and what the dynamic linker must know) stands
 * at the upper end of the stack, of which it takes a round number of bytes: so that all that comes below is where it always is. */

enum { OWN_VARIABLES = 16, ROUND = 8192 };
struct environment { char **variables; int count; size_t varying; };     /* varying: bytes that are not the same everywhere */

static void add_variable(struct environment *e, const char *name, const char *value)
{
    if (!value)
        return;
    size_t bytes = strlen(name) + strlen(value) + 2;
    e->variables[e->count] = memory_get(bytes);
    snprintf(e->variables[e->count++], bytes, "%s=%s", name, value);
}

static void add_varying(struct environment *e, const char *name, const char *value)
{
    add_variable(e, name, value ? value : "");
    e->varying += value ? strlen(value) : 0;
}

static void add_padding(struct environment *e)
{
    size_t bytes = ROUND - e->varying % ROUND;
    char *padding = memory_get(bytes + 1);
    memset(padding, '.', bytes);
    add_variable(e, "VERISOFT_PADDING", padding);
    free(padding);
}

/* NAME=VALUE, or NAME: as it is here. */
static void add_wanted(struct environment *e, const char *wanted)
{
    char *name = strndup(wanted, strcspn(wanted, "="));
    add_variable(e, name, strchr(wanted, '=') ? strchr(wanted, '=') + 1 : getenv(name));
    free(name);
}

static struct environment make_environment(int wire_fd, const struct native_settings *s)
{
    char number[16];
    int wanted = 0;
    while (s->environment && s->environment[wanted])
        wanted++;
    struct environment e = {.variables = memory_get((size_t)(OWN_VARIABLES + wanted) * sizeof *e.variables)};
    for (int i = 0; i < wanted; i++)
        add_wanted(&e, s->environment[i]);
    snprintf(number, sizeof number, "%d", wire_fd);
    add_variable(&e, "PATH", "/usr/local/bin:/usr/bin:/bin");
    add_variable(&e, "HOME", "/");
    add_variable(&e, "LC_ALL", "C");
    add_variable(&e, "TZ", "UTC");
    add_variable(&e, "LD_BIND_NOW", "1");                /* or the first call of each library function changes memory */
    add_variable(&e, "GLIBC_TUNABLES", "glibc.pthread.rseq=0");      /* or the kernel writes there which core it runs on */
    add_variable(&e, "ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0");         /* what a sanitizer finds is a crash */
    add_variable(&e, "UBSAN_OPTIONS", "halt_on_error=1:abort_on_error=1");
    e.varying = 2 * strlen(s->executable);               /* its path and its name are there, too */
    add_varying(&e, "LD_LIBRARY_PATH", getenv("LD_LIBRARY_PATH"));
    add_varying(&e, "LD_PRELOAD", s->preload);
    add_varying(&e, WIRE_VARIABLE, number);
    add_padding(&e);
    return e;
}

static char **make_arguments(const struct native_settings *s)
{
    int count = 0;
    while (s->arguments && s->arguments[count])
        count++;
    char **all = memory_get((size_t)(count + 2) * sizeof *all);
    all[0] = (char *)s->executable;
    if (count)
        memcpy(all + 1, s->arguments, (size_t)count * sizeof *all);
    return all;
}

/* ---- in the child, up to exec ---- */

static void put_file(int fd, int place)
{
    if (fd == place)
        fcntl(fd, F_SETFD, 0);
    else
        dup2(fd, place);
}

static void close_on_exec(void)
{
    if (syscall(SYS_close_range, 3, ~0u, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    for (int fd = 3; fd < 4096; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static void place_files(const struct native_settings *s, int wire, int wire_fd, int input)
{
    int output = s->output >= 0 ? s->output : open("/dev/null", O_WRONLY);
    wire = fcntl(wire, F_DUPFD, 3);                      /* out of the way of the three that come next */
    output = fcntl(output, F_DUPFD, 3);
    dup2(input, 0);
    dup2(output, 1);
    dup2(output, 2);
    close_on_exec();
    put_file(wire, wire_fd);
}

static void say(struct wire *wire, uint32_t launched)
{
    __atomic_store_n(&wire->launched, launched, __ATOMIC_RELEASE);
    __atomic_fetch_add(&wire->bell, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &wire->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static _Noreturn void become(const struct native_settings *s, struct line *line, pid_t controller, int input, int wire_fd,
                             char **arguments, char **variables)
{
    struct rlimit no_core = {0, 0};
    sigset_t none;
    sigemptyset(&none);
    setsid();                                            /* out of reach of the terminal's Ctrl-C */
    child_dies_with(controller);                         /* before PTRACE_TRACEME: nobody else may become its tracer */
    setrlimit(RLIMIT_CORE, &no_core);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    place_files(s, line->fd, wire_fd, input);
    uint32_t launched = LAUNCH_READY;
    if (personality((unsigned)personality(0xffffffff) | ADDR_NO_RANDOMIZE) >= 0)
        launched |= LAUNCH_FIXED_ADDRESSES;
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
        launched |= LAUNCH_TRACED;
    if (launched & LAUNCH_TRACED && prctl(PR_SET_TSC, PR_TSC_SIGSEGV) < 0)       /* see answer_clock_reading */
        launched &= ~(uint32_t)LAUNCH_FIXED_ADDRESSES;   /* then two starts differ all the same */
    say(line->wire, launched);
    execve(s->executable, arguments, variables);
    say(line->wire, launched | LAUNCH_FAILED | (uint32_t)errno << LAUNCH_ERRNO_SHIFT);
    _exit(127);
}

/* ---- in the controller ---- */

/* The kernel gives every program 16 random bytes, from which the C library makes its stack canary and pointer guard. */
static bool set_random_bytes(pid_t pid)
{
    char path[64];
    Elf64_auxv_t entry;
    uint64_t at = 0;
    snprintf(path, sizeof path, "/proc/%d/auxv", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && !at && read(fd, &entry, sizeof entry) == sizeof entry && entry.a_type != AT_NULL)
        if (entry.a_type == AT_RANDOM)
            at = entry.a_un.a_val;
    if (fd >= 0)
        close(fd);
    return at && ptrace(PTRACE_POKEDATA, pid, at, 0x6b2a1f9d3c5e7800) == 0 &&
           ptrace(PTRACE_POKEDATA, pid, at + 8, 0x1d8e4b7a5c3f9600) == 0;
}

/* And leaves it to be waited for. The kernel tells here, unasked, also that a traced process has stopped. */
static bool has_died(pid_t pid)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
        return true;
    return info.si_pid == pid && (info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED);
}

static uint32_t wait_until_ready(struct line *line, pid_t pid)
{
    uint32_t launched, bell;
    while (bell = line_bell(line), !(launched = __atomic_load_n(&line->wire->launched, __ATOMIC_ACQUIRE)) && !has_died(pid))
        line_wait(line, bell, 100);
    return launched;
}

/* The dynamic linker reads the processor's time stamp counter and leaves what it read in memory and on the stack. So the
 * counter is switched off, reading it is a fault, and it seems to be 0. (Later the runtime answers with its own clock.) */
static bool answer_clock_reading(pid_t pid)
{
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, pid, NULL, &registers) < 0)
        return false;
    uint64_t code = (uint64_t)ptrace(PTRACE_PEEKTEXT, pid, registers.rip, NULL);
    bool rdtsc = (code & 0xffff) == 0x310f, rdtscp = (code & 0xffffff) == 0xf9010f;
    if (!rdtsc && !rdtscp)
        return false;
    registers.rip += rdtsc ? 2 : 3;
    registers.rax = registers.rdx = 0;
    if (rdtscp)
        registers.rcx = 0;
    return ptrace(PTRACE_SETREGS, pid, NULL, &registers) == 0;
}

/* A process that is on its way to its main function, and may hang there. */
struct journey { struct line *line; pid_t pid; const struct native_settings *settings; struct watch watch; int looks; bool hangs; };

/* It computes for ever, or waits for something: much longer than one that computes, for nobody knows what it waits for. */
static bool hangs(struct journey *w)
{
    enum { MANY = 3000 };            /* looks at one that stands still, 20 milliseconds each */
    enum finding found = watch_look(&w->watch, w->settings->divergence_limit);
    w->looks = found == FOUND_BLOCKED ? w->looks + 1 : 0;
    return found == FOUND_SPINNING || w->looks == MANY;
}

/* Gives the signal that stopped it; 0: it has ended. What hangs is ended, and so it is when we are asked to stop. */
static int wait_for_stop(struct journey *w)
{
    int status;
    for (;;) {
        uint32_t bell = line_bell(w->line);
        pid_t got = waitpid(w->pid, &status, WNOHANG);
        if (got == w->pid)
            return WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
        if (got < 0 && errno != EINTR)
            return 0;
        bool asked = w->settings->interrupt && *w->settings->interrupt;
        if (!asked && line_wait(w->line, bell, 20))
            continue;
        w->hangs |= !asked && hangs(w);
        if (asked || w->hangs)
            kill(w->pid, SIGKILL);
    }
}

/* Brings a traced process through its exec to the point where the runtime is ready. False: it has ended before. */
static bool guide(struct journey *w, bool *comparable)
{
    pid_t pid = w->pid;
    bool started = false;
    for (int signal; (signal = wait_for_stop(w)) != 0;) {
        if (signal == SIGSTOP && started)
            return ptrace(PTRACE_DETACH, pid, NULL, NULL) == 0;
        if (signal == SIGTRAP && !started) {
            started = true;
            ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL);     /* if we die now, so does it */
            *comparable &= set_random_bytes(pid);
            signal = 0;
        } else if (signal == SIGSEGV && answer_clock_reading(pid))
            signal = 0;
        ptrace(PTRACE_CONT, pid, NULL, signal);
    }
    return false;
}

bool launch_connected(const struct line *line)
{
    return (line->own.launched | line->wire->launched) & LAUNCH_CONNECTED;
}

int launch_failed(struct line *line, const char *path, struct err *err)
{
    enum { MOST_ERRNO = 4095 };
    uint32_t launched = line->wire->launched, error = launched >> LAUNCH_ERRNO_SHIFT;
    if (launched & LAUNCH_FAILED && error <= MOST_ERRNO) {           /* else the program wrote there */
        errno = (int)error;
        fail_errno(err, "%s cannot be run", path);
        return -EINVAL;
    }
    if (line_event(line, 0) == EVENT_FAILED)
        fail(err, "%s: %.*s", path, MAX_MESSAGE, line->wire->slots[0].text);
    else
        fail(err, "%s ended before its main function; run it by itself to see why", path);
    limits_of_start(err);
    return -EINVAL;
}

static int wire_fd_number(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur <= WIRE_FD)
        return (int)files.rlim_cur - 1;
    return WIRE_FD;
}

/* Each start has a place of its own in the file. */
static int open_input(const struct native_settings *s, int nobody, struct err *err)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", s->input);
    int fd = s->input < 0 ? fcntl(nobody, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? fail_errno(err, "the standard input of %s cannot be opened", s->executable) : fd;
}

static int await_runtime(const struct native_settings *s, struct line *line, pid_t pid, bool *comparable, struct err *err)
{
    struct journey w = {.line = line, .pid = pid, .settings = s};
    watch_begin(&w.watch, pid);
    line_hear(HEAR_STOPS);
    bool came = guide(&w, comparable);
    line_hear(HEAR_DEATHS);
    if (came)
        return 0;
    if (s->interrupt && *s->interrupt)
        return fail(err, "interrupted"), -EINTR;
    if (w.hangs)
        return fail(err, "%s does not come to its main function: it computes or waits without end; run it by itself to see why", s->executable);
    return launch_failed(line, s->executable, err);
}

int64_t launch_cache_size(void)
{
    struct stat cache;
    return stat("/etc/ld.so.cache", &cache) ? -1 : cache.st_size;
}

int launch(const struct native_settings *s, struct line *line, int nobody, pid_t *pid, bool *comparable, struct err *err)
{
    int wire_fd = wire_fd_number(), input = open_input(s, nobody, err);
    if (input < 0)
        return input;
    char **arguments = make_arguments(s);
    struct environment environment = make_environment(wire_fd, s);
    line->wire->launched = 0;
    pid_t self = getpid();
    *pid = fork();
    if (*pid == 0)
        become(s, line, self, input, wire_fd, arguments, environment.variables);
    close(input);
    free(arguments);
    for (int i = 0; i < environment.count; i++)
        free(environment.variables[i]);
    free(environment.variables);
    if (*pid < 0)
        return fail_errno(err, "no new process for %s", s->executable);
    uint32_t launched = line->own.launched = wait_until_ready(line, *pid);      /* so far it is our own code that says so */
    *comparable = launched & LAUNCH_FIXED_ADDRESSES && launched & LAUNCH_TRACED;
    if (!(launched & LAUNCH_TRACED))
        return 0;
    int failed = await_runtime(s, line, *pid, comparable, err);
    *comparable &= !(line->wire->launched & LAUNCH_SANITIZED);
    return failed;
}
