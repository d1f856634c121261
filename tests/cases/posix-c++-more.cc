/* expect -std=c++17: complete.
 * expect -std=c++17 -DWRONG: assertion in process 1.
 *
 * std::call_once, recursive_mutex, timed_mutex, shared_mutex, thread_local with a destructor, exceptions in threads and a
 * thread that is moved. WRONG: a check and its act are locked one by one.
 * SPDX-License-Identifier: MIT */
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::once_flag once;
static std::recursive_mutex outer;
static std::timed_mutex timed;
static std::shared_mutex shared;
static int prepared, balance = 1, ended;

struct farewell { ~farewell() { std::lock_guard<std::recursive_mutex> guard(outer); ended++; } };

static bool enough()
{
    std::shared_lock<std::shared_mutex> guard(shared);
    return balance > 0;
}

static void take()
{
    std::unique_lock<std::shared_mutex> guard(shared);
    balance--;
}

static void customer()
{
    static thread_local farewell bye;
    (void)&bye;
    std::call_once(once, [] { prepared++; });
    try {
        std::lock_guard<std::recursive_mutex> guard(outer), again(outer);
#ifdef WRONG
        throw std::runtime_error("early");
#endif
        if (enough())
            take();
    } catch (const std::runtime_error &) {
        if (enough())
            take();
    }
}

int main()
{
    std::vector<std::thread> threads;
    threads.push_back(std::thread(customer));
    threads.emplace_back(customer);
    if (timed.try_lock_for(std::chrono::milliseconds(1)))
        timed.unlock();
    for (std::thread &t : threads)
        t.join();
    assert(balance == 0);                                        /* ERROR */
    assert(prepared == 1 && ended == 2);
    return 0;
}
