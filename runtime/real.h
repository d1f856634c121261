/* The second mode: with no controller the operations are those of the operating system. Semaphores are SysV semaphores; a
 * queue is a SysV message queue and a semaphore that counts its free places.
 * SPDX-License-Identifier: MIT */
#ifndef RT_REAL_H
#define RT_REAL_H

#include <sys/types.h>

/* Each gives -1 with errno when it fails. A semid LATEST (wire.h) is the array made last. */
int   real_semget(key_t, int count, int flags);
int   real_semctl(int semid, int index, int command, long argument);
int   real_semsetval(int semid, int index, int value);
int   real_semadd(int semid, int index, int n);          /* negative: waits until there are as many */

int   real_queue_new(int size);
int   real_queue_send(int queue, const char *message);
void *real_queue_receive(int queue);                     /* NULL: it was removed */
int   real_queue_is_full(int queue);
int   real_queue_is_empty(int queue);
int   real_queue_remove(int queue);

int   real_toss(int n);
void  real_print(const char *line);
_Noreturn void real_violated(const char *expression, const char *file, int line);
_Noreturn void real_aborted(void);
_Noreturn void real_impossible(const char *message);     /* there is no such thing without a controller */

#endif
