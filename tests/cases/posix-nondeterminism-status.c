/* expect: nondeterminism.  searches: none, sleep, source.  message: "but to end of the process with exit status".
 *
 * A program that ends with another status each time: both are told. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int count;

static void *thread(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;
    FILE *file = fopen("counter", "r");
    if (file) {
        if (fscanf(file, "%d", &count) != 1)
            abort();
        fclose(file);
    }
    file = fopen("counter", "w");
    fprintf(file, "%d\n", count + 1);
    fclose(file);
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return count % 100;
}
