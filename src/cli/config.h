/* system_file.VS: parameters and structural properties, one a line (doc/system_file.md has the format).
 * Invariant: any bytes at all are read or refused with a message that names the line; nothing is believed about them.
 * SPDX-License-Identifier: MIT */
#ifndef CONFIG_H
#define CONFIG_H

#include "cli/settings.h"
#include "system/structure.h"

#define CONFIG_NAME    "system_file.VS"      /* looked for in the current folder */
#define CONFIG_VERSION 1

/* What stands before the number in the first line of a file that says its version; a file without it is version 1. */
#define CONFIG_HEADER  "# VeriSoft system file, version "

/* Operations on objects of types loaded with --object are known once those types are loaded. */
int config_load(const char *path, struct settings *, struct structure *, struct err *);
int config_read(const char *path, const char *bytes, size_t length, struct settings *, struct structure *, struct err *);

#endif
