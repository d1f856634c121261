/* expect: complete.
 *
 * A thread that has cancelled itself ends at the next cancellation point, also if that is a call that would do nothing.
 * SPDX-License-Identifier: MIT */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { READ_NOTHING, WRITE_NOTHING, READS };
static int came_back;

static void *canceller(void *what)
{
    char byte;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cancel(pthread_self());
    assert(read(99, &byte, 1) == -1);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    came_back += (int)((long)what == READ_NOTHING ? read(99, &byte, 1) : write(99, &byte, 1));
    came_back++;
    return NULL;
}

int main(void)
{
    for (long what = READ_NOTHING; what < READS; what++) {
        pthread_t thread;
        void *value;
        pthread_create(&thread, NULL, canceller, (void *)what);
        pthread_join(thread, &value);
        assert(value == PTHREAD_CANCELED && came_back == 0);
    }
    return 0;
}
