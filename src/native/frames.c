/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "native/frames.h"
#include "native/where_internal.h"
#include "base/memory.h"
#include "wire.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- memory ---- */

/* Where the call below is refused; to open and close a file takes longer than to read it. */
static bool read_file(pid_t pid, uint64_t address, void *to, size_t bytes)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/mem", (int)pid);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t got = pread(fd, to, bytes, (off_t)address);
    close(fd);
    return got == (ssize_t)bytes;
}

static bool read_now(pid_t pid, uint64_t address, void *to, size_t bytes)
{
    struct iovec here = { to, bytes }, there = { (void *)(uintptr_t)address, bytes };
    return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)bytes || read_file(pid, address, to, bytes);
}

static void note_page(struct memory_view *v, uint64_t page)
{
    uint32_t i = 0;
    while (i < MAX_TOLD_PAGES && v->pages[i] && v->pages[i] != page)
        i++;
    if (i < MAX_TOLD_PAGES)
        v->pages[i] = page;
}

static bool read_told(struct memory_view *v, uint64_t address, void *to, size_t bytes)
{
    for (uint32_t i = 0; i < MAX_TOLD_PAGES && v->pages[i]; i++)
        if (address >= v->pages[i] && address + bytes <= v->pages[i] + TOLD_PAGE) {
            memcpy(to, v->told[i] + (address - v->pages[i]), bytes);
            return true;
        }
    v->missed = true;
    return false;
}

bool memory_view_read(struct memory_view *v, uint64_t address, void *to, size_t bytes)
{
    uint64_t begin = address & ~(uint64_t)(MEMORY_WINDOW - 1);
    if (v->told)
        return read_told(v, address, to, bytes);
    if (begin != (address + bytes - 1) / MEMORY_WINDOW * MEMORY_WINDOW)
        return read_now(v->pid, address, to, bytes);
    if (v->begin != begin) {
        v->begin = 0;
        if (!begin || !read_now(v->pid, begin, v->window, MEMORY_WINDOW))
            return false;
        v->begin = begin;
        note_page(v, begin);
    }
    memcpy(to, v->window + (address - begin), bytes);
    return true;
}

/* Of the process that is being unwound. */
struct view { struct memory_view memory; uint64_t saved; };

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *self)
{
    (void)dwfl;
    return memory_view_read(&((struct view *)self)->memory, address, result, sizeof *result);
}

/* ---- the one thread that is unwound ---- */

static pid_t next_thread(Dwfl *dwfl, void *self, void **thread)
{
    (void)dwfl;
    struct view *v = self;
    if (*thread)
        return 0;
    *thread = v;
    return v->memory.pid;
}

static bool set_registers(Dwfl_Thread *thread, void *self)
{
    enum { RBX = 3, RBP = 6, RSP = 7, R12 = 12, RIP = 16 };              /* numbers of the ABI */
    struct view *v = self;
    struct wire_saved s = { 0 };
    struct { uint64_t rbp, back; } frame;
    uint64_t rsp = v->saved + sizeof s;
    if (v->saved & WIRE_FRAME) {
        if (!memory_view_read(&v->memory, v->saved - WIRE_FRAME, &frame, sizeof frame))
            return false;
        s.rbp = frame.rbp;
        s.back = frame.back;
        rsp = v->saved - WIRE_FRAME + sizeof frame;
    } else if (!memory_view_read(&v->memory, v->saved, &s, sizeof s)) {
        return false;
    }
    Dwarf_Word all[FRAME_REGISTERS] = {
        [RBX] = s.rbx, [RBP] = s.rbp, [RSP] = rsp, [R12] = s.r12, s.r13, s.r14, s.r15, [RIP] = s.back };
    return dwfl_thread_state_registers(thread, 0, FRAME_REGISTERS, all);
}

static const Dwfl_Thread_Callbacks callbacks = {
    .next_thread = next_thread, .memory_read = read_memory, .set_initial_registers = set_registers };

static int add_frame(Dwfl_Frame *frame, void *self)
{
    enum { RSP = 7 };
    struct frames *f = self;
    assert(f->count < MOST_FRAMES);
    struct call_frame *to = &f->at[f->count];
    Dwarf_Addr pc;
    *to = (struct call_frame){ 0 };
    if (!dwfl_frame_pc(frame, &pc, NULL))
        return DWARF_CB_ABORT;
    to->pc = pc;
    for (unsigned r = 0; r < FRAME_REGISTERS - 1; r++)
        if (dwfl_frame_reg(frame, r, &to->registers[r]) == 0)
            to->known |= 1u << r;
    if (f->count && to->known >> RSP & 1)
        f->at[f->count - 1].cfa = to->registers[RSP];
    return ++f->count < MOST_FRAMES ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static int each_thread(Dwfl_Thread *thread, void *self)
{
    dwfl_thread_getframes(thread, add_frame, self);
    return DWARF_CB_OK;
}

void frames_of(struct where *w, pid_t pid, uint64_t saved, struct frames *f)
{
    f->count = 0;
    if (!w || !saved)
        return;
    if (!w->view) {
        w->view = memory_get(sizeof *w->view);
        if (!dwfl_attach_state(w->lines, NULL, pid, &callbacks, w->view))
            w->view->memory.pid = -1;
    }
    if (w->view->memory.pid < 0)
        return;
    w->view->memory.pid = pid;
    w->view->memory.begin = 0;
    w->view->saved = saved;
    dwfl_getthreads(w->lines, each_thread, f);
}
