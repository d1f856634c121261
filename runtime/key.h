/* Destructors of thread-specific data.
 * SPDX-License-Identifier: MIT */
#ifndef RT_KEY_H
#define RT_KEY_H

#include <pthread.h>

void rt_key_destructor(pthread_key_t, void (*)(void *));         /* that of a new key; NULL: none, or the key is gone */

#endif
