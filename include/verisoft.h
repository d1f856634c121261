/* What a program checked with VeriSoft calls. Under the `verisoft` command these operations are controlled; run by itself,
 * the program does the real thing with semaphores and message queues of the operating system.
 *
 * The rules: create objects first, then fork all processes from one parent, then communicate. Not only these calls are
 * controlled, also fork, wait, exit, semget, sleep and their like. Compiles from K&R C to C23 and C++.
 * SPDX-License-Identifier: MIT */
#ifndef VERISOFT_H
#define VERISOFT_H
#pragma GCC system_header            /* variadic macros, also in a program compiled with -std=c89 -pedantic */

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

int  VS_toss(int n);                                     /* any of 0..n: all of them are explored */
void VS_assert(int value);                               /* 0: an error is reported */
void VS_abort(int value);                                /* 0: what follows is not explored */
void VS_print(const char *line);                         /* a note in the scenario */

/* Semaphores live in arrays made by semget. The short forms, without array and n, mean the array created last and 1. */
int  semsetval(int semid, int index, int value);
int  semwait(int semid, int index, int n);               /* waits for n and takes them */
int  semsignal(int semid, int index, int n);

/* Queues of strings, first in first out, of at most `size` messages. A size given again must be the queue's own. */
int   get_bounded_queue(int size);                       /* gives its number */
int   send_to_queue(int queue, int size, const void *message);   /* waits while it is full */
void *rcv_from_queue(int queue, int size);               /* waits while it is empty; valid until the next one from this queue */
int   is_queue_full(int queue, int size);
int   is_queue_empty(int queue, int size);
int   remove_queue(int queue);

/* Objects of a type of your own (object.h says how to write one). A reply gets at most `room` bytes, with the final 0. */
int  VS_object_new(const char *type, int a, int b, int c);
long VS_object_do(int object, int code, int a, int b, int c, const char *text, char *reply, int room);

/* A real call beside this is a visible operation of this kind, on what the name stands for in all processes of the program: "send" and "receive" of a queue
 * ("link", or "link:4" for one that holds 4), "wait" and "signal" of a semaphore ("free:3": it begins with 3), "step" and "look" of what is only kept in
 * order. It is counted and ordered and waits like that, before it returns; the real call carries the data. The words, for the report, can be left out. */
int  VS_event(const char *object, const char *operation, const char *words);

/* ---- how the forms above are told apart; not for use by name ---- */

void  VS_assert_at(int value, const char *expression, const char *file, int line);
void  VS_abort_at(int value, const char *expression);
int   VS_semsetval_latest(int index, int value);
int   VS_semwait_latest(int index);
int   VS_semsignal_latest(int index);
void *VS_rcv_any_size(int queue);
int   VS_is_full_any_size(int queue);
int   VS_is_empty_any_size(int queue);
int   VS_event_plain(const char *object, const char *operation);

#ifdef __cplusplus
}
#endif

#define VS_PICK_2(a, b, name, ...)    name
#define VS_PICK_3(a, b, c, name, ...) name

#define VS_assert(...)      VS_assert_at((__VA_ARGS__) ? 1 : 0, #__VA_ARGS__, __FILE__, __LINE__)
#define VS_abort(...)       VS_abort_at((__VA_ARGS__) ? 1 : 0, #__VA_ARGS__)
#define VS_event(...)       VS_PICK_3(__VA_ARGS__, VS_event, VS_event_plain, VS_needs_object_and_operation, 0)(__VA_ARGS__)
#define semsetval(...)      VS_PICK_3(__VA_ARGS__, semsetval, VS_semsetval_latest, VS_needs_index_and_value, 0)(__VA_ARGS__)
#define semwait(...)        VS_PICK_3(__VA_ARGS__, semwait, VS_needs_semid_index_n, VS_semwait_latest, 0)(__VA_ARGS__)
#define semsignal(...)      VS_PICK_3(__VA_ARGS__, semsignal, VS_needs_semid_index_n, VS_semsignal_latest, 0)(__VA_ARGS__)
#define rcv_from_queue(...) VS_PICK_2(__VA_ARGS__, rcv_from_queue, VS_rcv_any_size, 0)(__VA_ARGS__)
#define is_queue_full(...)  VS_PICK_2(__VA_ARGS__, is_queue_full, VS_is_full_any_size, 0)(__VA_ARGS__)
#define is_queue_empty(...) VS_PICK_2(__VA_ARGS__, is_queue_empty, VS_is_empty_any_size, 0)(__VA_ARGS__)

#endif
