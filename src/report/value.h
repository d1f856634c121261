/* Strings as JSON. Those of the program may hold any bytes: what is no character becomes the replacement character.
 * SPDX-License-Identifier: MIT */
#ifndef VALUE_H
#define VALUE_H

#include <jansson.h>

json_t *value_text(const char *text);                            /* gives; null for NULL */
json_t *value_lines(const char *text);                           /* gives an array, empty for NULL */

#endif
