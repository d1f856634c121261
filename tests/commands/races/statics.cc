// A static variable of a function, which C++ makes once; with -fno-threadsafe-statics whoever comes makes it. SPDX-License-Identifier: MIT
#include <cassert>
#include <pthread.h>

static int made;
struct thing {
    int value;
    thing() : value(1) { made++; }
};

static void *use(void *unused)
{
    static thing one;
    assert(one.value == 1);
    return unused;
}

int main()
{
    pthread_t a, b;
    pthread_create(&a, nullptr, use, nullptr);
    pthread_create(&b, nullptr, use, nullptr);
    pthread_join(a, nullptr);
    pthread_join(b, nullptr);
    assert(made == 1);
}
