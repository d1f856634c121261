/* expect: complete.  optimal: 1 executions, 0 sleep_cut.  searches: optimal, source.
 *
 * Twice the same with other functions: a std::thread is made by a call that looks the same each time, and what it is to do stands in memory.
 * SPDX-License-Identifier: MIT */
#include <mutex>
#include <thread>

static std::mutex m;

static void first() { m.try_lock(); }
static void second() { m.try_lock(); }

static void with_lock(void (*f)())
{
    std::lock_guard<std::mutex> lock(m);
    std::thread(f).join();
}

int main()
{
    with_lock(first);
    with_lock(second);
    return 0;
}
