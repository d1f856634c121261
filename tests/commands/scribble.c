/* Does all that it can to the memory by which VeriSoft talks to it. Arguments: a seed, how, and for two kinds of programs a third one
 * that makes its processes threads.
 *
 *     bytes    random bytes at random places, at random moments
 *     fields   the fields of slots, batch and header, with values at which tables end
 *     forge    tells operations and events that never happened
 *     beside   a thread of the kernel, of which nobody knows, does the first two all the time
 *
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <verisoft.h>
#include <wire.h>

static struct wire *const wire = (struct wire *)0x200000000000;          /* runtime/start.c */
static uint32_t slots;               /* as it was at the start */
static uint64_t seed, others_seed;
static const char *how;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Not through the runtime, which would refuse it. */
static long kernel(long number, long a, long b, long c, long d)
{
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
    return result;
}

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return *state;
}

static uint64_t draw_of(uint64_t *state, uint64_t below) { return next(state) % below; }
static uint64_t draw(uint64_t below) { return draw_of(&seed, below); }

static uint64_t value(uint64_t *state)
{
    static const int64_t edges[] = {0, 1, 2, 3, 5, 7, 8, 9, 27, 28, 29, 31, 32, 33, 62, 63, 64, 65, 100, 101, 102, 103, 127, 128, 254, 255, 256,
                                    4094, 4095, 4096, 8191, 8192, 16383, 32767, 32768, 65535, 65536, 1 << 20, (1 << 24) - 1, 1 << 24,
                                    INT32_MAX, INT32_MAX - 1, INT32_MIN, -1, -2, -32, -33, UINT32_MAX - 1, INT64_MAX};
    switch (draw_of(state, 4)) {
    case 0:  return next(state);
    case 1:  return draw_of(state, 70);
    default: return (uint64_t)edges[draw_of(state, sizeof edges / sizeof *edges)];
    }
}

/* ---- bytes and fields ---- */

static void write_at(uint64_t *state, char *at)
{
    uint64_t v = value(state);
    switch (draw_of(state, 3)) {
    case 0:  *(volatile char *)at = (char)v; break;
    case 1:  *(volatile uint32_t *)((uintptr_t)at & ~(uintptr_t)3) = (uint32_t)v; break;
    default: *(volatile uint64_t *)((uintptr_t)at & ~(uintptr_t)7) = v; break;
    }
}

static struct wire_batch *batch(void) { return (struct wire_batch *)&wire->slots[slots]; }

static char *somewhere(uint64_t *state)
{
    char *base = (char *)wire;
    size_t bytes = sizeof *wire + slots * sizeof *wire->slots + sizeof *batch();
    switch (draw_of(state, 5)) {
    case 0:  return base + draw_of(state, sizeof *wire);
    case 1:  return (char *)&wire->slots[draw_of(state, 4)] + draw_of(state, offsetof(struct wire_slot, text) + 8);
    case 2:  return (char *)batch() + draw_of(state, offsetof(struct wire_batch, steps) + 20 * sizeof(struct wire_step));
    case 3:  return (char *)&wire->slots[draw_of(state, slots)] + draw_of(state, sizeof *wire->slots);
    default: return base + draw_of(state, bytes - 8);
    }
}

/* Mostly what is looked at next: of the first slots, and how far the batch is. */
static char *field(uint64_t *state)
{
    static const size_t fields[] = {
#define F(name) offsetof(struct wire_slot, name)
        F(command), F(event), F(pid), F(process), F(target), F(outcome), F(result), F(has_reply), F(type), F(code), F(kernel_state), F(manual),
        F(number), F(index), F(arg[0]), F(arg[1]), F(arg[2]), F(text_length), F(notes_length), F(place), F(address), F(fingerprint), F(object),
        F(digest), F(callers), F(argument), F(stack), F(object_stack), F(fresh), F(private_memory), F(restore), F(snapshot), F(text), F(notes)
#undef F
    };
    struct wire_slot *slot = &wire->slots[draw_of(state, draw_of(state, 3) ? 3 : slots)];
    switch (draw_of(state, 6)) {
    case 0:  return (char *)batch() + 4 * draw_of(state, 8);
    case 1:  return (char *)&batch()->steps[draw_of(state, 20)] + draw_of(state, sizeof(struct wire_step));
    case 2:  return (char *)wire + 4 * draw_of(state, 16);
    default: return (char *)slot + fields[draw_of(state, sizeof fields / sizeof *fields)];
    }
}

static void scribble_by(uint64_t *state)
{
    for (uint64_t i = 1 + draw_of(state, 8); i > 0; i--)
        write_at(state, !strcmp(how, "bytes") || draw_of(state, 2) ? somewhere(state) : field(state));
}

/* ---- operations that never happened ---- */

static void post(struct wire_slot *slot, uint32_t event)
{
    __atomic_store_n(&slot->event, event, __ATOMIC_RELEASE);
    __atomic_fetch_add(&wire->bell, 1, __ATOMIC_SEQ_CST);
    kernel(SYS_futex, (long)&wire->bell, FUTEX_WAKE, 1, 0);
}

static void wait_for_command(struct wire_slot *slot)
{
    struct timespec moment = {.tv_nsec = 200000};
    for (int i = 0; i < 200 && !__atomic_load_n(&slot->command, __ATOMIC_ACQUIRE); i++)
        kernel(SYS_nanosleep, (long)&moment, 0, 0, 0);
    __atomic_store_n(&slot->command, COMMAND_NONE, __ATOMIC_RELEASE);
}

static struct wire_slot *own_slot(void)
{
    long pid = kernel(SYS_getpid, 0, 0, 0, 0);
    for (uint32_t i = 0; i < slots; i++)
        if (wire->slots[i].pid == pid)
            return &wire->slots[i];
    return &wire->slots[0];
}

/* Operations of each type. */
static const uint8_t codes[TYPE_COUNT] = {
    [TYPE_PROCESS] = PROCESS_ALONE + 1, [TYPE_TOSS] = 1, [TYPE_ASSERT] = 2, [TYPE_ABORT] = 1, [TYPE_SEMAPHORE] = SEMAPHORE_REMOVE + 1,
    [TYPE_QUEUE] = QUEUE_REMOVE + 1, [TYPE_MUTEX] = MUTEX_DESTROY + 1, [TYPE_COND] = COND_DESTROY + 1, [TYPE_RWLOCK] = RWLOCK_DESTROY + 1,
    [TYPE_BARRIER] = BARRIER_DESTROY + 1, [TYPE_ONCE] = ONCE_UNDO + 1, [TYPE_COUNTER] = COUNTER_DESTROY + 1, [TYPE_STREAMS] = STREAMS_SHUT + 1,
    [TYPE_SEMSET] = SEMSET_SIGNAL + 1, [TYPE_MESSAGES] = MESSAGES_REMOVE + 1, [TYPE_ACCESS] = ACCESS_WRITE + 1, [TYPE_FUTEX] = COND_DESTROY + 1,
};

static void forge_one(struct wire_slot *slot)
{
    slot->type = (uint8_t)(draw(10) ? draw(TYPE_COUNT) : value(&seed));
    slot->code = (uint8_t)(slot->type < TYPE_COUNT && draw(10) ? draw(codes[slot->type]) : value(&seed));
    slot->manual = (uint8_t)draw(2);
    slot->number = draw(2) ? (int32_t)draw(3) : (int32_t)value(&seed);
    slot->index = draw(2) ? -1 : (int32_t)value(&seed);
    for (int i = 0; i < 3; i++)
        slot->arg[i] = draw(3) ? (int32_t)draw(34) : (int32_t)value(&seed);
    slot->object = draw(4) ? 1 + draw(5) : value(&seed);
    slot->fresh = (uint32_t)draw(2);
    slot->digest = next(&seed) | 1;
    slot->text_length = (uint32_t)(draw(4) ? 3 : value(&seed));
    slot->place = draw(2) ? (uint64_t)&forge_one : value(&seed);
    memcpy(slot->text, "text", 5);
    if (draw(4))
        batch()->at++;
    else if (!draw(4))
        batch()->at = (uint32_t)value(&seed);
    post(slot, (uint32_t)(draw(6) ? EVENT_OPERATION : draw(2) ? draw(EVENT_FAILED + 1) : value(&seed)));
    wait_for_command(slot);
}

static void forge(void)
{
    struct wire_slot *slot = own_slot();
    for (uint64_t i = 1 + draw(12); i > 0; i--)
        forge_one(slot);
}

/* ---- a thread of the kernel ---- */

static char stack[1 << 16] __attribute__((aligned(64)));

static void beside(void)
{
    struct timespec moment = {0};
    for (;;) {
        scribble_by(&others_seed);
        moment.tv_nsec = (long)draw_of(&others_seed, 300000);
        kernel(SYS_nanosleep, (long)&moment, 0, 0, 0);
    }
}

static void start_beside(void)
{
    long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, result;
    void **top = (void **)(stack + sizeof stack - 64);
    *top = (void *)beside;
    __asm__ volatile("syscall\n"
                     "test %%rax, %%rax\n"
                     "jnz 1f\n"
                     "xorl %%ebp, %%ebp\n"
                     "call *(%%rsp)\n"
                     "ud2\n"
                     "1:\n"
                     : "=a"(result) : "a"(SYS_clone), "D"(flags), "S"(top) : "rcx", "r11", "memory");
}

/* ---- the programs ---- */

static void harm(void)
{
    if (!strcmp(how, "forge")) {
        if (!draw(4))
            forge();
    } else if (strcmp(how, "beside") && !draw(3)) {
        scribble_by(&seed);
    }
}

static void *work(void *argument)
{
    for (int i = 0; i < 3; i++) {
        harm();
        pthread_mutex_lock(&lock);
        harm();
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void threads(void)
{
    pthread_t other[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&other[i], NULL, work, NULL);
    if (fork() == 0) {
        work(NULL);
        _exit(0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(other[i], NULL);
}

static void processes(void)
{
    int semaphore = semget(IPC_PRIVATE, 1, 0600), queue = get_bounded_queue(2);
    semsetval(semaphore, 0, 1);
    fork();
    for (int i = 0; i < 3; i++) {
        harm();
        semwait(semaphore, 0, 1);
        VS_toss((int)draw(2));
        harm();
        if (!is_queue_full(queue, 2))
            send_to_queue(queue, 2, "message");
        semsignal(semaphore, 0, 1);
    }
}

int main(int argc, char **argv)
{
    seed = 0x9e3779b97f4a7c15u * (uint64_t)(1 + atoi(argv[1]));
    others_seed = ~seed | 1;
    how = argv[2];
    slots = wire->slots_count;
    if (!strcmp(how, "beside"))
        start_beside();
    harm();
    if (argc > 3)
        threads();
    else
        processes();
    return 0;
}
