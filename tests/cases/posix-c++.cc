/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * std::thread, mutex, condition_variable, lock_guard and unique_lock. WRONG: the consumer does not look before it waits.
 * SPDX-License-Identifier: MIT */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

static std::mutex lock;
static std::condition_variable filled;
static std::queue<int> queue;

static void produce(int from)
{
    std::lock_guard<std::mutex> guard(lock);
    queue.push(from);
    filled.notify_one();
}

static int consume()
{
    std::unique_lock<std::mutex> guard(lock);
#ifdef WRONG
    filled.wait(guard);                                          /* ERROR */
#else
    filled.wait(guard, [] { return !queue.empty(); });
#endif
    int item = queue.front();
    queue.pop();
    return item;
}

int main()
{
    std::thread producer(produce, 7);
    assert(consume() == 7);
    producer.join();
    return 0;
}
