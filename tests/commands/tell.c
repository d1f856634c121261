/* Tells VeriSoft what never happened: for each word EVENT,TYPE,CODE,ARG0,ARG1,ARG2,OBJECT,FRESH,AT an event in its slot. AT: what the batch
 * says of how many steps are done, -1: one more. A first word "threads" makes it a program with threads before.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <verisoft.h>
#include <wire.h>

static struct wire *const wire = (struct wire *)0x200000000000;          /* runtime/start.c */

/* Not through the runtime, which would refuse it. */
static long kernel(long number, long a, long b, long c, long d)
{
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
    return result;
}

static void tell(struct wire_slot *slot, const char *word)
{
    struct timespec moment = {.tv_nsec = 1000000};
    struct wire_batch *batch = (struct wire_batch *)&wire->slots[wire->slots_count];
    long v[9] = {0};
    sscanf(word, "%li,%li,%li,%li,%li,%li,%li,%li,%li", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8]);
    slot->type = (uint8_t)v[1];
    slot->code = (uint8_t)v[2];
    slot->manual = 1;
    slot->number = 0;
    slot->index = -1;
    for (int i = 0; i < 3; i++)
        slot->arg[i] = (int32_t)v[3 + i];
    slot->object = (uint64_t)v[6];
    slot->fresh = (uint32_t)v[7];
    slot->private_memory = 0;
    slot->text_length = 0;
    slot->text[0] = 0;
    slot->digest = 1 + (uint64_t)v[1] * 77 + (uint64_t)v[2] * 7777 + (uint64_t)v[3];
    batch->at = v[8] < 0 ? batch->at + 1 : (uint32_t)v[8];
    __atomic_store_n(&slot->event, (uint32_t)v[0], __ATOMIC_RELEASE);
    __atomic_fetch_add(&wire->bell, 1, __ATOMIC_SEQ_CST);
    kernel(SYS_futex, (long)&wire->bell, FUTEX_WAKE, 1, 0);
    while (!__atomic_load_n(&slot->command, __ATOMIC_ACQUIRE))
        kernel(SYS_nanosleep, (long)&moment, 0, 0, 0);
    __atomic_store_n(&slot->command, COMMAND_NONE, __ATOMIC_RELEASE);
}

static void *nothing(void *unused) { return unused; }

int main(int argc, char **argv)
{
    int first = 1;
    if (argc > 1 && !strcmp(argv[1], "threads")) {
        pthread_t t;
        pthread_create(&t, NULL, nothing, NULL);
        pthread_join(t, NULL);
        first = 2;
    }
    for (int i = first; i < argc; i++)
        tell(&wire->slots[0], argv[i]);
    return 0;
}
