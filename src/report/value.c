/* SPDX-License-Identifier: MIT */
#include "report/value.h"

#include "base/prose.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the UTF-8 character that starts here; 0: it is none. */
static size_t character(const unsigned char *c)
{
    size_t length = c[0] < 0x80 ? 1 : c[0] >= 0xc2 && c[0] < 0xe0 ? 2 : (c[0] & 0xf0) == 0xe0 ? 3
                  : c[0] >= 0xf0 && c[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool surrogate = c[0] == 0xed && c[1] >= 0xa0, too_large = c[0] == 0xf4 && c[1] >= 0x90;
    return length > 2 && (overlong || surrogate || too_large) ? 0 : length;
}

json_t *value_text(const char *text)
{
    if (!text)
        return json_null();
    struct prose valid = { 0 };
    while (*text) {
        size_t length = character((const unsigned char *)text);
        if (length)
            prose_bytes(&valid, text, length);
        else
            prose_bytes(&valid, "\xef\xbf\xbd", 3);              /* U+FFFD, the replacement character */
        text += length ? length : 1;
    }
    char *bytes = prose_take(&valid);
    json_t *made = json_string(bytes);
    free(bytes);
    return made;
}

json_t *value_lines(const char *text)
{
    json_t *all = json_array();
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        char *line = prose_make("%.*s", (int)length, text);
        json_array_append_new(all, value_text(line));
        free(line);
        text += length + (text[length] == '\n');
    }
    return all;
}
