/* What the test programs share: threads that must start and end, and checks that say what they found.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_H
#define TEST_H

#include <pthread.h>

/* Ends the program with a message when the condition is false. */
#define CHECK(condition) ((condition) ? (void)0 : test_failed(#condition, __FILE__, __LINE__))
/* The two numbers are the same; both are said when not. */
#define CHECK_EQUAL(found, expected) test_equal((found), (expected), #found, __FILE__, __LINE__)

_Noreturn void test_failed(const char *what, const char *file, int line);
void           test_equal(long found, long expected, const char *what, const char *file, int line);

pthread_t test_start(void *(*function)(void *), void *argument);
void     *test_join(pthread_t);

/* The number at argv[i], or `otherwise` when there is none; ends the program when it is not one from 1 to `most`. */
int       test_number(int argc, char **argv, int i, int otherwise, int most);

#endif
