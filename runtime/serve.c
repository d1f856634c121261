/* The talk with the controller: describe what this process stands before, wait, obey.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "rt.h"
#include "sys.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#pragma GCC poison malloc calloc free printf

struct rt   *rt;
enum rt_mode rt_mode;

void rt_die(int status)
{
    for (;;)
        RT_SYS(SYS_exit_group, status);
}

/* The words of the first count; if they do not even reach the controller, it sees the status. */
void rt_fail(const char *words)
{
    uint32_t length = rt_length(words, MAX_MESSAGE);
    if (rt) {
        memcpy(rt->slot->text, words, length);
        rt->slot->text[length] = 0;
        rt_post(EVENT_FAILED);
    }
    rt_die(127);
}

void rt_post(uint32_t event)
{
    __atomic_store_n(&rt->slot->event, event, __ATOMIC_RELEASE);
    __atomic_fetch_add(&rt->wire->bell, 1, __ATOMIC_SEQ_CST);
    RT_SYS(SYS_futex, &rt->wire->bell, FUTEX_WAKE, 1, 0);
}

uint32_t rt_await(void)
{
    uint32_t *word = &rt->slot->command, command;
    struct timespec second = {.tv_sec = 1};
    while ((command = __atomic_load_n(word, __ATOMIC_ACQUIRE)) == COMMAND_NONE) {
        RT_SYS(SYS_futex, word, FUTEX_WAIT, COMMAND_NONE, rt->watches ? &second : NULL);
        if (rt->watches && RT_SYS(SYS_getppid) != rt->wire->controller)
            rt_die(1);
    }
    __atomic_store_n(word, COMMAND_NONE, __ATOMIC_RELEASE);
    return command;
}

void rt_die_with_controller(void)
{
    int signal = 0;
    RT_SYS(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    rt->watches = RT_SYS(SYS_prctl, PR_GET_PDEATHSIG, &signal, 0, 0, 0) < 0 || signal != SIGKILL;
    if (RT_SYS(SYS_getppid) != rt->wire->controller)
        rt_die(1);
}

void rt_describe(const struct rt_call *call, uint64_t place)
{
    struct wire_slot *slot = rt->slot;
    slot->type = call->type;
    slot->code = call->code;
    slot->manual = rt->manual;
    slot->number = call->number;
    slot->index = call->index;
    memcpy(slot->arg, call->arg, sizeof slot->arg);
    slot->place = call->place ? call->place : place;
    slot->text_length = call->text ? rt_length(call->text, MAX_MESSAGE + 1) : 0;
    uint32_t kept = slot->text_length < MAX_MESSAGE ? slot->text_length : MAX_MESSAGE;
    if (kept)
        memcpy(slot->text, call->text, kept);
    slot->text[kept] = 0;
}

/* What does not fit is cut off, and says so. */
void rt_note(const char *line)
{
    static const char more[] = " [more was printed than VeriSoft keeps]";
    enum { ROOM = MAX_NOTES - sizeof more };
    struct wire_slot *slot = rt->slot;
    uint32_t used = slot->notes_length, length = rt_length(line, MAX_NOTES);
    if (used > ROOM)
        return;
    bool fits = used + length < ROOM;
    memcpy(slot->notes + used, line, length = fits ? length : ROOM - used);
    used += length;
    if (!fits) {
        memcpy(slot->notes + used, more, sizeof more - 1);
        used += sizeof more - 1;
    }
    slot->notes[used] = '\n';
    slot->notes_length = used + 1;
}

/* A new process is a child of the controller, not of its original: the controller alone waits for it, and the thread id
 * that the C library remembers stays as it is. The kernel writes the process id into the slot before either goes on. */
static long split(uint32_t target)
{
    struct wire_slot *slot = &rt->wire->slots[target];
    long pid = RT_SYS(SYS_clone, CLONE_PARENT | CLONE_PARENT_SETTID | SIGCHLD, 0, &slot->pid, 0, 0);
    if (pid != 0)
        return pid;
    rt_die_with_controller();
    if (rt->wire->group & GROUP_THREADS)
        rt_allow_debugger();
    rt->slot = slot;
    return 0;
}

static void copy(void)
{
    struct wire_slot *original = rt->slot;
    bool open_files = original->kernel_state;
    long pid = split(original->target);
    if (pid == 0) {
        if (open_files)
            rt_reopen_files();
        return;
    }
    original->outcome = pid < 0 ? (int32_t)pid : 0;
    rt_post(EVENT_COPIED);
}

/* The program's own fork. The child waits for a command where it is; the parent goes on and returns true. */
static bool fork_off(uint64_t *result)
{
    struct wire_slot *parent = rt->slot;
    int32_t child = rt->wire->slots[parent->target].process;
    long pid = split(parent->target);
    if (pid == 0)
        return false;
    if (pid < 0) {
        parent->outcome = (int32_t)pid;
        rt_post(EVENT_COPIED);
        return false;
    }
    *result = (uint64_t)(FIRST_PID + child);
    return true;
}

static uint64_t go_on(struct rt_call *call)
{
    struct wire_slot *slot = rt->slot;
    slot->notes_length = 0;
    call->replied = slot->has_reply;
    if (call->reply && slot->has_reply) {
        uint32_t room = call->room ? call->room - 1 : 0, length = rt_length(slot->reply, room);
        memcpy(call->reply, slot->reply, length);
        memset(call->reply + length, 0, call->room - length);
    }
    return slot->result;
}

/* The handler runs here, on the runtime's stack, with the operations of the program doing nothing any more. */
static _Noreturn void end(bool by_signal)
{
    rt_mode = RT_ENDING;
    uint64_t none = 0;
    if (by_signal) {
        RT_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &none, 0, sizeof none);
        RT_SYS(SYS_tgkill, RT_SYS(SYS_getpid), RT_SYS(SYS_gettid), SIGUSR2);
    }
    rt_die(0);
}

static uint64_t obey(struct rt_call *call)
{
    for (;;) {
        uint64_t result;
        switch (rt_await()) {
        case COMMAND_RUN:  return go_on(call);
        case COMMAND_COPY: copy(); break;
        case COMMAND_FORK: if (fork_off(&result)) return result; break;
        default:           end(rt->slot->result);
        }
    }
}

/* Signals wait while the runtime works: a handler of the program must not run on this stack. Not so those of a crash,
 * which can happen here, too, when the program passes a bad pointer. */
static uint64_t blockable(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    uint64_t mask = ~0ull;
    for (unsigned i = 0; i < sizeof crashes / sizeof *crashes; i++)
        mask &= ~(1ull << (crashes[i] - 1));
    return mask;
}

uint64_t rt_serve(struct rt_call *call, void *frame_address)
{
    uint64_t mask = blockable(), old = 0;
    RT_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &old, sizeof mask);
    rt_describe(call, ((uint64_t *)frame_address)[1]);           /* the return address is above the saved rbp */
    if (call->event == EVENT_OPERATION && !(call->type == TYPE_PROCESS && process_is_end(call->code))) {
        uint64_t stack = *(uint64_t *)__builtin_frame_address(0);        /* rt_enter's frame is the last on the program's stack */
        rt_fingerprint(call, stack, old, rt->slot->fingerprint);
        rt->slot->kernel_state = rt_has_open_files();
    }
    rt_post(call->event);
    uint64_t result = obey(call);
    RT_SYS(SYS_rt_sigprocmask, SIG_SETMASK, &old, 0, sizeof old);
    return result;
}
