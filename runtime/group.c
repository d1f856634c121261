/* The scheduler of a sharing group: runs the steps of a batch (wire.h) as long as each leads to what was foreseen.
 *
 * It works on the runtime's own stack, which is empty whenever a context runs: so it can be left from anywhere (a crash), and
 * nothing of it has to go back with a snapshot.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "accesses.h"
#include "group.h"
#include "journal.h"
#include "pack.h"
#include "sys.h"
#include "thread.h"

#include <link.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#pragma GCC poison malloc calloc free printf

struct rt_context  rt_contexts[MAX_PROCESSES];
int                rt_contexts_end = 1;
struct rt_context *rt_running RT_PRIVATE;
struct rt_core    *rt_core;

int rt_self(void)
{
    return rt_running ? rt_running->process : rt ? rt->slot->process : 0;
}

struct rt_context *rt_current(void)
{
    return rt_running;
}

void rt_kernel_keeps_state(const char *why)
{
    struct wire_batch *batch = rt_core ? rt_core->batch : NULL;
    if (!batch)
        return;
    if (!batch->kernel_state)
        memcpy(batch->kernel_words, why, rt_length(why, sizeof batch->kernel_words - 1));
    batch->kernel_state = 1;
}

/* ---- what a context stands before ---- */

uint64_t rt_place(const struct rt_call *call, const void *frame)
{
    return call->place || !frame ? call->place : rt_caller(frame);
}

static bool is_private(const struct rt_call *call)
{
    return call->object && type_by_address(call->type) && !rt_is_shared((const void *)call->object);
}

static uint64_t fold(uint64_t a, uint64_t b)             /* as in wyhash */
{
    unsigned __int128 product = (unsigned __int128)(a ^ 0xa0761d6478bd642f) * (b ^ 0xe7037ed1a0b428db);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t digest_text(const char *text)
{
    uint64_t digest = 1, word = 0;
    uint32_t length = 0;
    for (; length <= MAX_MESSAGE && text[length]; length++) {
        word = word << 8 | (unsigned char)text[length];
        if (length % 8 == 7)
            digest = fold(digest, word);
    }
    return fold(digest ^ length, word);
}

static uint64_t pair(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }

static uint64_t digest_of(const struct rt_call *call, uint64_t place)
{
    uint64_t what = pair(call->event << 16 | (uint32_t)call->type << 8 | call->code,
                         (uint32_t)call->fresh << 1 | is_private(call));
    uint64_t object = rt_in_first(call->object);
    uint64_t digest = fold(what, object) + 3 * fold(pair((uint32_t)call->arg[0], (uint32_t)call->arg[1]), rt_in_first(place)) +
                      5 * fold(pair((uint32_t)call->arg[2], (uint32_t)call->number), (uint32_t)call->index);
    if (call->text)
        digest += 7 * digest_text(call->text);
    if (call->start)
        digest += 11 * fold(rt_in_first(call->start), 0);        /* threads with other functions are other threads */
    digest = fold(digest, 0);
    return digest ? digest : 1;
}

const struct rt_code *rt_code_at(uint64_t address)
{
    for (uint32_t i = 0; i < rt_core->code_count; i++)
        if (address - rt_core->code[i].lo < rt_core->code[i].bytes)
            return &rt_core->code[i];
    return NULL;
}

/* Can a call return there? It is in the code of the program or a library, behind a call instruction: a direct one, or one
 * through a register or memory, whose length depends on how the address is given. */
static bool is_return(uint64_t address)
{
    enum { DIRECT = 0xe8, INDIRECT = 0xff, WHICH = 0x38, CALL = 0x10, SHORTEST = 2, LONGEST = 7 };
    const struct rt_code *code = rt_code_at(address);
    const unsigned char *p = (const unsigned char *)address;
    if (!code || address - code->lo < LONGEST)
        return false;
    bool call = p[-5] == DIRECT;
    for (int length = SHORTEST; length <= LONGEST; length++)
        call |= p[-length] == INDIRECT && (p[1 - length] & WHICH) == CALL;
    return call;
}

/* As far as frame pointers tell, and they may be anything. `frame`: the saved one, further out than the place. */
void rt_callers(uint64_t frame, uint64_t stack_end, uint64_t below, uint64_t *callers)
{
    int count = 0;
    memset(callers, 0, sizeof rt->slot->callers);
    while (count < MAX_CALLERS && frame % 8 == 0 && frame > below && frame < stack_end && stack_end - frame >= 16) {
        if (!is_return(((uint64_t *)frame)[1]))
            return;
        callers[count++] = ((uint64_t *)frame)[1];
        below = frame;
        frame = *(uint64_t *)frame;
    }
}

static bool is_system(const char *file)
{
    static const char *const names[] = {"/libc.so", "/ld-linux", "/libgcc_s.", "/libstdc++.", "/libm.so", "/libverisoft.so"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(file, names[i]))
            return true;
    return false;
}

static int note_code(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum && rt_core->code_count < RT_CODE; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
            rt_core->code[rt_core->code_count++] =
                (struct rt_code){info->dlpi_addr + segment->p_vaddr, segment->p_memsz, is_system(info->dlpi_name)};
    }
    return 0;
}

void rt_group_describe(const struct rt_call *call, uint64_t place)
{
    struct wire_slot *slot = rt->slot;
    rt_describe(call, place);
    slot->object = call->object;
    slot->fresh = call->fresh;
    slot->private_memory = is_private(call);
    slot->ending = rt_thread.leaving;
    slot->begun = rt_thread.begun;
    slot->digest = digest_of(call, place);
    slot->address = call->start;
    slot->argument = call->argument;
    slot->function = rt->wire->group & GROUP_OUTSIDE ? rt_begins_with(&rt_thread) : 0;
    slot->stack = slot->object_stack = 0;
    memset(slot->callers, 0, sizeof slot->callers);
}

/* The object may be a variable of a function that another thread is in: then it is there that its name is found. */
static uint64_t stack_with(uint64_t object)
{
    for (const struct rt_context *c = rt_contexts; c < rt_contexts + rt_contexts_end; c++)
        if (c->state == RT_LIVE && c != rt_running && object - (uint64_t)c->stack < (uint64_t)(c->stack_end - c->stack))
            return c->stack_pointer;
    return 0;
}

static void describe(const struct rt_context *context)
{
    uint64_t *frame = context->frame;
    rt_group_describe(context->call, rt_place(context->call, frame));
    rt->slot->stack = rt_kernel_threads ? (uint64_t)frame | WIRE_FRAME : context->stack_pointer;
    rt->slot->object_stack = rt_kernel_threads ? 0 : stack_with(context->call->object);
    if (frame)
        rt_callers(*frame, (uint64_t)context->stack_end, (uint64_t)frame, rt->slot->callers);
}

/* ---- the talk with the controller and with other hosts ---- */

static bool tells_states(void) { return rt_core->states; }

/* Before anybody hears where the group stands. */
static void note_state(void)
{
    const struct wire_batch *batch = rt_core->batch;
    if (tells_states())
        rt_running->call->fresh = false;                 /* it was told, and is no state */
    if (tells_states())
        rt_journal_note(batch->at ? batch->steps[batch->at - 1].depth : 0, rt->slot->memory);
}

static void take_turn(void)
{
    struct wire_slot *slot = rt->slot;
    if (tells_states()) {
        if (slot->restore)
            rt_journal_back(slot->restore - 1);
        slot->restore = 0;
        return;
    }
    struct wire_batch *batch = rt_core->batch;
    uint32_t restore = slot->restore, snapshot = slot->snapshot, shared_restore = batch->restore, shared = batch->snapshot;
    slot->restore = slot->snapshot = batch->restore = batch->snapshot = 0;
    rt_core->copying = true;
    if (restore)
        rt_restore(restore - 1);
    if (shared_restore)
        rt_shared_restore(shared_restore - 1);
    if (snapshot)
        rt_snapshot(snapshot - 1);
    if (shared)
        rt_shared_snapshot(shared - 1);
    rt_core->copying = false;
}

static void go_back(uint32_t snapshot)
{
    if (tells_states()) {
        rt_journal_back(snapshot);
        return;
    }
    rt_core->copying = true;
    rt_restore(snapshot);
    rt_shared_restore(snapshot);
    rt_core->copying = false;
}

static void keep(uint32_t snapshot)
{
    rt_core->copying = true;
    rt_snapshot(snapshot);
    rt_shared_snapshot(snapshot);
    rt_core->copying = false;
}

static void copy_reply(struct rt_call *call, const char *text)
{
    uint32_t room = call->room ? call->room - 1 : 0, length = rt_length(text, room);
    memcpy(call->reply, text, length);
    memset(call->reply + length, 0, call->room - length);
}

static void give(struct rt_context *context, uint32_t result, const char *text)
{
    struct rt_call *call = context->call;
    rt->slot->notes_length = 0;
    context->result = result;
    call->replied = text;
    if (text && call->reply)
        copy_reply(call, text);
}

/* True: a command to go on outside of the batch, with the answer to a request, which is no step. */
static bool await_turn(void)
{
    for (;;)
        switch (rt_await()) {
        case COMMAND_BATCH:
            take_turn();
            return false;
        case COMMAND_RUN:
            give(rt_running, rt->slot->result, rt->slot->has_reply ? rt->slot->reply : NULL);
            rt_core->batch->at--;
            return true;
        default:
            rt_die(0);
        }
}

static void hand_over(uint32_t host)
{
    uint32_t *word = &rt->wire->slots[host].command;
    __atomic_store_n(word, COMMAND_BATCH, __ATOMIC_RELEASE);
    RT_SYS(SYS_futex, word, FUTEX_WAKE, 1, 0);
}

/* ---- steps ---- */

static struct rt_context *start_step(const struct wire_step *step)
{
    struct rt_context *context = &rt_contexts[step->process];
    if (context->state != RT_LIVE)
        rt_fail(RT_DISAGREE);
    rt_core->stepping = true;
    rt_accesses_step(rt_core->batch->at);
    rt_running = context;
    give(context, step->result, step->reply ? rt_core->batch->data + step->reply - 1 : NULL);
    rt_context_enter(context);
    return context;
}

static struct rt_context *next(void)
{
    struct wire_batch *batch = rt_core->batch;
    for (;;) {
        const struct wire_step *step = &batch->steps[batch->at];
        bool none = batch->at >= batch->count;
        if (!none && step->process == STEP_BACK) {
            go_back(step->result);
            batch->at++;
            continue;
        }
        if (!none && step->process == STEP_KEEP) {
            keep(step->result);
            batch->at++;
            continue;
        }
        if (!none && &rt->wire->slots[step->host] == rt->slot)
            return start_step(step);
        if (none)
            rt_post(EVENT_OPERATION);                    /* there was only memory to put back */
        else
            hand_over(step->host);
        await_turn();
    }
}

struct rt_context *rt_group_next(uint32_t event)
{
    if (event) {
        note_state();
        rt_tell_in_first(rt->slot);
        rt_post(event);
    }
    if (!await_turn())
        return next();
    rt_core->stepping = true;
    rt_context_enter(rt_running);
    return rt_running;
}

static bool goes_on(uint32_t event)                      /* can it have been foreseen? */
{
    return event != EVENT_REFUSE && event != EVENT_GROUP && event != EVENT_VISIBLE && event != EVENT_CRASH && event != EVENT_COPIED;
}

/* The last step was only tried, and the group stands where it led. What somebody printed on the way is not told. */
static void tell_led(uint64_t digest)
{
    struct wire_batch *batch = rt_core->batch;
    uint32_t number = batch->steps[batch->at - 1].tries - 1u;
    bool all = number < MAX_TRIES && !rt->slot->notes_length;
    for (uint32_t i = 0; all && i < MAX_TOLD_PAGES && batch->pages[i]; i++)
        all = rt_journal_copy(batch->pages[i], batch->told[number][i]);
    if (number < MAX_TRIES)
        batch->led[number] = (struct wire_led){all ? digest : 0, {rt->slot->memory[0], rt->slot->memory[1]}};
}

/* Gives the digest of what it came to, if the batch goes on from there; else 0. */
static uint64_t foreseen(const struct rt_context *context)
{
    struct wire_batch *batch = rt_core->batch;
    if (!rt_core->stepping)
        return 0;
    uint32_t at = batch->at++;
    rt_core->stepping = false;
    rt_accesses_done(at);
    const struct rt_call *call = context->call;
    if (batch->kernel_state && batch->at < batch->count && batch->steps[batch->at].process == STEP_BACK)
        return 0;                    /* it cannot go back by itself any more: the controller starts it again */
    if (batch->at >= batch->count || !goes_on(call->event))
        return 0;
    uint64_t digest = digest_of(call, rt_place(call, context->frame));
    bool any = batch->steps[at].tries && !batch->steps[at].expect;
    return any || digest == batch->steps[at].expect ? digest : 0;
}

struct rt_context *rt_group_schedule(struct rt_call *call, void *frame)
{
    struct rt_context *context = rt_running;
    context->call = call;
    context->frame = frame;
    context->result = 0;
    bool yields = call->type == TYPE_PROCESS && call->code == PROCESS_YIELD;
    if (yields)
        context->looks.idle += rt_watching && context->looks.idle < RT_IDLE;
    else if (!call->tries && (call->type != TYPE_LOCATION || rt_called))
        rt_looks_away();
    context->looks.object = 0;
    rt_called = false;
    rt_accesses_wipe(context);
    uint64_t digest = foreseen(context);
    if (digest) {
        note_state();
        if (rt_core->batch->steps[rt_core->batch->at - 1].tries)
            tell_led(digest);
        return next();
    }
    if (rt_core->quiet) {
        rt_core->quiet = false;
        return rt_group_next(EVENT_NONE);
    }
    describe(context);
    return rt_group_next(call->event);
}

/* ---- ends ---- */

static struct rt_call crash_call = {.event = EVENT_CRASH, .type = TYPE_PROCESS, .code = PROCESS_CRASH, .index = -1};

void rt_group_crashed(void *stack_pointer)
{
    struct rt_context *context = rt_running;
    context->call = &crash_call;
    context->frame = NULL;
    if ((char *)stack_pointer >= context->stack && (char *)stack_pointer < context->stack_end)
        context->stack_pointer = (uint64_t)stack_pointer;
    if (rt_core->stepping)
        rt_accesses_done(rt_core->batch->at++);
    rt_core->stepping = rt_core->unwinding = false;
    if (rt_kernel_threads)
        rt_thread_crashed();
    rt_context_abandon();
}

void rt_group_abandoned(void)
{
    rt_context_resume(rt_group_next(EVENT_CRASH));
}

/* ---- fork ---- */

/* The new UNIX process has only the context that called fork, under the number of the child. */
static void become(int child)
{
    struct rt_context self = *rt_running;
    memset(rt_contexts, 0, sizeof rt_contexts);
    self.process = self.host = child;
    rt_contexts[child] = self;
    rt_running = &rt_contexts[child];
    rt_contexts_end = child + 1;
}

static void stand_at_start(void)
{
    struct rt_call call = {.event = EVENT_OPERATION, .type = TYPE_PROCESS, .code = PROCESS_START, .index = -1};
    rt_group_enter(&call, NULL);
}

int rt_fork(int child)
{
    struct wire_slot *slot = &rt->wire->slots[child];
    if (tells_states())
        rt_kernel_keeps_state("fork");
    rt_accesses_watch();
    long pid = RT_SYS(SYS_clone, CLONE_PARENT | CLONE_PARENT_SETTID | SIGCHLD, 0, &slot->pid, 0, 0);
    if (pid)
        return pid < 0 ? (int)pid : 1;
    rt_die_with_controller();
    rt->slot = slot;
    rt_snapshots_drop();
    become(child);
    if (rt_kernel_threads)
        rt_threads_begin();
    rt_core->stepping = false;
    rt_core->quiet = true;
    stand_at_start();
    return 0;
}

/* ---- the first process ---- */

/* In small pages: only those that were touched need to be copied. */
bool rt_try_map(uint64_t at, uint64_t bytes, int flags)
{
    flags |= MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (RT_SYS(SYS_mmap, at, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) != (long)at)
        return false;
    RT_SYS(SYS_madvise, at, bytes, MADV_NOHUGEPAGE);
    return true;
}

/* Where the user limits memory (RLIMIT_AS, RLIMIT_DATA), no part of it takes more than its share. */
uint64_t rt_fair_share(void)
{
    enum { PARTS = 16 };
    struct rlimit space = {RLIM_INFINITY, 0}, data = {RLIM_INFINITY, 0};
    RT_SYS(SYS_prlimit64, 0, RLIMIT_AS, 0, &space);
    RT_SYS(SYS_prlimit64, 0, RLIMIT_DATA, 0, &data);
    uint64_t least = space.rlim_cur < data.rlim_cur ? space.rlim_cur : data.rlim_cur;
    return least == RLIM_INFINITY ? UINT64_MAX : least / PARTS;
}

uint64_t rt_map_most(uint64_t at, uint64_t most, uint64_t least, int flags)
{
    uint64_t share = rt_fair_share();
    while (most >= least && (most > share || !rt_try_map(at, most, flags)))
        most /= 2;
    if (most < least)
        rt_fail(RT_NO_MEMORY);
    return most;
}

void *rt_map(uint64_t at, uint64_t bytes, int flags)
{
    if (!rt_try_map(at, bytes, flags))
        rt_fail(RT_NO_MEMORY);
    return (void *)at;
}

void rt_group_begin(void)
{
    rt_core = rt_map(RT_CORE_AT, sizeof *rt_core, MAP_PRIVATE);
    rt_core->batch = wire_batch(rt->wire);
    rt_core->states = rt->wire->group & GROUP_STATES;
    dl_iterate_phdr(note_code, NULL);
    rt_core->fast = rt_pack_fast();
    rt_layout_begin();
    rt_shared_begin();
    rt_contexts_begin();
    rt_accesses_begin();
    rt_warm_unwinder();
    if (rt->wire->group & GROUP_THREADS)
        rt_threads_begin();
    rt_mode = RT_GROUP;
    stand_at_start();
}
