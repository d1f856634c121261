/* SPDX-License-Identifier: MIT */
extern int counter;                  /* of a shared library */
void count(void);
void twice(void (*)(void));          /* of an archive */
