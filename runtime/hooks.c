/* An instrumented program by itself: what a compiler calls before each access does nothing, and the atomic operations are themselves.
 * `verisoft cc` links this library; under VeriSoft another one, with the same names, is loaded in front of it (instrument.c).
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RT_API __attribute__((visibility("default")))
#define plain(p, bytes, code, place)                                             ((void)(p), (void)(bytes))
#define told(p, bytes, code, place)                                              ((void)(p), (void)(bytes))
#define of_volatile(p, bytes, writes, place)                                     ((void)(p))
#define atomic(p, bytes, code, order, failed, operand, desired, place)           ((void)(p), (void)(order), (void)(failed))
#define copy(to, from, bytes, place)                                             memmove(to, from, bytes)
#define set_bytes(to, byte, bytes, place)                                        memset(to, byte, bytes)
#define strings(format, list, place)                                             ((void)0)
#define fence(order, place)                                                      ((void)(order))
#define watches()                                                                0
#define begin()                                                                  ((void)0)

enum { ACQUIRE = 2, RELEASE = 3 };   /* as the compilers number the orders */

#include "accessed.inc"
