/* What the C++ library makes of atomic variables, waiting and spinning: a stop token and its callback (1), a wait that a stop request
 * ends (2), a latch (3), a barrier (4), a semaphore (5), wait and notify (6), shared_ptr counts (7), and a wait on other
 * types (8). -DWRONG: too few come to the latch, one shared_ptr is changed by two, and who waits is not notified.
 * SPDX-License-Identifier: MIT */
#include <cassert>
#include <thread>
#if WHICH == 2                       /* each only where it is looked at: they take the compiler long */
#include <condition_variable>
#elif WHICH == 3
#include <latch>
#elif WHICH == 4
#include <barrier>
#elif WHICH == 5
#include <semaphore>
#elif WHICH == 6 || WHICH == 8
#include <atomic>
#elif WHICH == 7
#include <memory>
#endif

struct pair { int one, other; };

#if WHICH == 1
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

#elif WHICH == 2
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
#endif

#ifdef WRONG
static const int expected = 3;
#else
static const int expected = 2;
#endif

int main()
{
#if WHICH == 1
    stop_is_called_back();
#elif WHICH == 2
    stop_ends_a_wait();
#elif WHICH == 3
    int data = 0;
    std::latch both(expected);
    std::jthread other([&] { data = 1; both.arrive_and_wait(); });
    both.arrive_and_wait();
    assert(data == 1);
#elif WHICH == 4
    int rounds = 0;
    std::barrier both(2, [&]() noexcept { rounds++; });
    std::jthread other([&] { both.arrive_and_wait(); });
    both.arrive_and_wait();
    assert(rounds == 1);
#elif WHICH == 5
    int data = 0;
    std::counting_semaphore<2> free(0);
    std::jthread other([&] { data = 1; free.release(); });
    free.acquire();
    assert(data == 1);
#elif WHICH == 6
    int data = 0;
    std::atomic<int> told(0);
    std::jthread other([&] { data = 1; told = 1; told.notify_one(); });
    told.wait(0);
    assert(data == 1);
#elif WHICH == 8
    int data = 0;
    std::atomic<TYPE> told(TYPE{});
    std::jthread other([&] {
        data = 1;
        told = TYPE{1};
#ifndef WRONG
        told.notify_one();
#endif
    });
    told.wait(TYPE{});
    assert(data == 1);
#else
    std::shared_ptr<int> shared = std::make_shared<int>(1);
#ifdef WRONG
    std::jthread other([&] { shared = std::make_shared<int>(2); });
    shared = std::make_shared<int>(3);
#else
    std::jthread other([copy = shared] { assert(*copy == 1); });
    shared = nullptr;
#endif
#endif
}
