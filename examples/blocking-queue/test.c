/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s is false\n", file, line, what);
    assert(!"a check failed");
    abort();
}

void test_equal(long found, long expected, const char *what, const char *file, int line)
{
    if (found == expected)
        return;
    fprintf(stderr, "%s:%d: %s is %ld, expected %ld\n", file, line, what, found, expected);
    assert(!"a check failed");
}

pthread_t test_start(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, function, argument);
    if (error) {
        fprintf(stderr, "cannot start a thread: %s\n", strerror(error));
        exit(2);
    }
    return thread;
}

void *test_join(pthread_t thread)
{
    void *value = NULL;
    CHECK_EQUAL(pthread_join(thread, &value), 0);
    return value;
}

int test_number(int argc, char **argv, int i, int otherwise, int most)
{
    if (i >= argc)
        return otherwise;
    char *end;
    long value = strtol(argv[i], &end, 10);
    if (*argv[i] == '\0' || *end != '\0' || value < 1 || value > most) {
        fprintf(stderr, "%s: not a number from 1 to %d\n", argv[i], most);
        exit(2);
    }
    return (int)value;
}
