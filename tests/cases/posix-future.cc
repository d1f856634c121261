/* expect: complete.
 * expect -DWRONG: deadlock.
 *
 * A promise and its future, which the library of C++ makes of a futex. WRONG: nobody keeps the promise.
 * SPDX-License-Identifier: MIT */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&] {
#ifndef WRONG
        promise.set_value(7);
#endif
    });
    assert(future.get() == 7);                           /* ERROR */
    thread.join();
}
