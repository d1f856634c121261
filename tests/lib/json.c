/* Prints a value of a JSON file by its path, for scripts:  json FILE errors.0.kind  (a number counts in an array; # is its
 * length). A string is printed without its quotes. Ends with 1 when there is no such value.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *follow(json_t *value, char *path)
{
    char *word;
    while (value && (word = strsep(&path, ".")))
        value = !strcmp(word, "#") ? json_integer((json_int_t)json_array_size(value))
              : isdigit((unsigned char)*word) ? json_array_get(value, (size_t)atol(word)) : json_object_get(value, word);
    return value;
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *root = argc == 3 ? json_load_file(argv[1], 0, &error) : NULL;
    if (!root) {
        fprintf(stderr, "%s: %s\n", argc > 1 ? argv[1] : "usage: json FILE PATH", argc == 3 ? error.text : "");
        return 1;
    }
    json_t *value = follow(root, argv[2]);
    if (!value)
        return 1;
    char *text = json_is_string(value) ? strdup(json_string_value(value)) : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    puts(text);
    free(text);
    json_decref(root);
    return 0;
}
