/* expect: incomplete.  searches: auto.
 * expect: complete.  searches: optimal.
 *
 * A loop that does nothing but look and count, as far as the compiler tells, and ends by itself after many rounds: what the C library does in it is not
 * seen, and it waits for nobody. Where its looks are seen, not each round is searched by itself; where they are not, there is nothing to be left out.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 400000 };

static char letter;

static void *writes(void *stream)
{
    for (int i = 0; i < ROUNDS; i++)
        fputc(letter, stream);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    letter = 'a';
    pthread_create(&thread, NULL, writes, stream);
    pthread_join(thread, NULL);
    fclose(stream);
    assert(length == ROUNDS);
    free(text);
    return 0;
}
