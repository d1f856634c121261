/* Variables of an executable by the names that they have in its source, as far as the linker knows them: these stay when its code changes, or its
 * compiler, and all addresses with them. From the file: it need not run.
 *
 * Invariant: a name that linked_at gives is that of one variable only; linked_find finds it there.
 * SPDX-License-Identifier: MIT */
#ifndef LINKED_H
#define LINKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `offset`: from where the program is loaded. False: there is none of this name, or there are several; or none that has this byte. */
bool linked_find(const char *executable, const char *name, uint64_t *offset, uint64_t *size);
bool linked_at(const char *executable, uint64_t offset, char *name, size_t room, uint64_t *begin);

#endif
