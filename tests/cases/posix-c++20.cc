/* expect -std=c++20: complete.  options: --instrument 0.
 * expect -std=c++20 -DWRONG: deadlock.  options: --instrument 0.
 *
 * std::jthread, stop tokens and callbacks, a wait that a stop request ends, latch, barrier, counting_semaphore, atomic wait. Whoever
 * removes a callback that another thread has run waits for it: the library wakes him only if the program has threads, and asks the
 * C library for that. WRONG: two come to a latch for three. What the library does with atomic variables is
 * searched in tests/commands/races/library.cc, part by part: here their numbers would be multiplied.
 * SPDX-License-Identifier: MIT */
#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <thread>

#ifdef WRONG
static const int expected = 3;
#else
static const int expected = 2;
#endif

static void stop_is_called_back()
{
    std::stop_source source;
    int called = 0;
    {
        std::stop_callback callback(source.get_token(), [&] { called++; });
        std::jthread stops([&] { source.request_stop(); });
    }
    assert(called == 1);
}

static void stop_ends_a_wait()
{
    std::mutex lock;
    std::condition_variable_any never;
    bool stopped = false;
    {
        std::jthread waits([&](std::stop_token token) {
            std::unique_lock<std::mutex> held(lock);
            stopped = !never.wait(held, token, [] { return false; });
        });
    }
    assert(stopped);
}

static void all_meet()
{
    std::latch first(expected);
    std::counting_semaphore<2> free(0);
    std::atomic<int> told(0);
    int rounds = 0;
    std::barrier second(2, [&]() noexcept { rounds++; });
    std::jthread other([&] {
        first.arrive_and_wait(); /* ERROR */
        second.arrive_and_wait();
        free.release();
        told = 1;
        told.notify_one();
    });
    first.arrive_and_wait(); /* ERROR */
    second.arrive_and_wait();
    free.acquire();
    told.wait(0);
    assert(rounds == 1);
}

int main()
{
    stop_is_called_back();
    stop_ends_a_wait();
    all_meet();
}
