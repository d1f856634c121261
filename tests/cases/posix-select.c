/* expect: complete.
 * expect -DWRONG: assertion in process 1.
 *
 * select with readers, writers and a timeout. WRONG: a select that may time out is taken to mean that there is something to
 * read.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *argument)
{
    fd_set out;
    FD_ZERO(&out);
    FD_SET(ends[1], &out);
    assert(select(ends[1] + 1, NULL, &out, NULL, NULL) == 1 && FD_ISSET(ends[1], &out));
    assert(write(ends[1], "x", 1) == 1);
    return argument;
}

int main(void)
{
    pthread_t other;
    fd_set in;
    char c;
    struct timeval second = { .tv_sec = 1 };
    assert(pipe(ends) == 0);
    pthread_create(&other, NULL, writer, NULL);
    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    int ready = select(ends[0] + 1, &in, NULL, NULL, &second);
#ifdef WRONG
    assert(ready == 1);                                          /* ERROR */
#endif
    assert(ready == !!FD_ISSET(ends[0], &in));
    if (ready == 0) {
        FD_SET(ends[0], &in);
        assert(select(ends[0] + 1, &in, NULL, NULL, NULL) == 1);
    }
    assert(FD_ISSET(ends[0], &in) && read(ends[0], &c, 1) == 1 && c == 'x');
    pthread_join(other, NULL);
    return 0;
}
