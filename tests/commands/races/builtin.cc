// A copy of constant size that the compiler is told to make itself; -DLOCK: with a lock. SPDX-License-Identifier: MIT
#include <mutex>
#include <thread>
static struct { long a, b; } shared;
static std::mutex mutex;
#ifdef LOCK
#define LOCKED std::lock_guard<std::mutex> locked(mutex)
#else
#define LOCKED (void)0
#endif
int main()
{
    std::thread other([] { LOCKED; __builtin_memset(&shared, 0, sizeof shared); });
    { LOCKED; shared.b = 1; }
    other.join();
}
