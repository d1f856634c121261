/* Where the parts of the program lie. Where the kernel does not let addresses be fixed, each start of the program has others, but
 * the controller is told, of every address, what it would be in the first start: so what was seen in one start can be compared
 * with another. What the runtime maps itself (heaps, stacks of threads, shared memory) is always in the same place.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"

#include <link.h>
#pragma GCC poison malloc calloc free printf

enum { STACK = 64 << 20, ABOVE_STACK = 4 << 20, STORAGE = 64 << 10 };    /* of the first thread: at most; its arguments; thread-local */

extern char *__libc_stack_end;

static void add_part(uint64_t base, uint64_t below, uint64_t above)
{
    struct wire_layout *first = &rt_core->batch->first;
    uint32_t i = rt_core->part_count;
    if (i == MAX_PARTS)
        rt_fail("more than 254 libraries, where the kernel does not let their addresses be fixed (personality is refused)");
    if (i >= first->count) {
        first->base[i] = base;
        first->count = i + 1;
    }
    rt_core->parts[i] = (struct rt_part){base - below, below + above, first->base[i] - base};
    rt_core->part_count++;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    uint64_t end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz > end)
            end = info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    add_part(info->dlpi_addr, 0, end);
    return 0;
}

void rt_layout_begin(void)
{
    uint64_t storage;
    if (rt->wire->launched & LAUNCH_FIXED_ADDRESSES)
        return;
    __asm__("movq %%fs:0, %0" : "=r"(storage));
    dl_iterate_phdr(add_module, NULL);
    add_part((uint64_t)__libc_stack_end, STACK, ABOVE_STACK);
    add_part(storage, STORAGE, STORAGE);                 /* last: it lies between the libraries */
}

uint64_t rt_in_first(uint64_t address)
{
    for (uint32_t i = 0; i < rt_core->part_count; i++)
        if (address - rt_core->parts[i].lo < rt_core->parts[i].bytes)
            return address + rt_core->parts[i].shift;
    return address;
}

/* A value that may be an address, with something in its highest bits or not: the same in every start, of every run. */
uint64_t rt_value_anywhere(uint64_t value)
{
    uint64_t address = value << 16 >> 16;
    for (uint32_t i = 0; i < rt_core->part_count; i++) {
        uint64_t offset = address - rt_core->parts[i].lo;
        if (offset < rt_core->parts[i].bytes)
            return (value - address) ^ UINT64_C(1) << 63 ^ (uint64_t)i << 40 ^ offset;
    }
    return value;
}

void rt_tell_in_first(struct wire_slot *slot)
{
    if (!rt_core->part_count)
        return;
    slot->place = rt_in_first(slot->place);
    slot->object = rt_in_first(slot->object);
    slot->address = rt_in_first(slot->address);
    slot->function = rt_in_first(slot->function);
    for (int i = 0; i < MAX_CALLERS; i++)
        slot->callers[i] = rt_in_first(slot->callers[i]);
}
