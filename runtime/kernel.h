/* State that the kernel keeps for a process and that can be asked for: part of its fingerprint.
 * SPDX-License-Identifier: MIT */
#ifndef RT_KERNEL_H
#define RT_KERNEL_H

#include <stdint.h>

struct rt_kernel {
    void  *self;
    void (*add)(void *self, const void *bytes, uint64_t count);
};

void rt_remember_standard_files(void);           /* as they are at the start */
void rt_kernel_state(struct rt_kernel *);

#endif
