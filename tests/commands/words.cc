// The line is the program's own, though a library made the call. SPDX-License-Identifier: MIT
#include <condition_variable>
#include <iostream>                  // which sets itself up by pthread_once
#include <mutex>
#include <thread>

static std::mutex m;

static void stop(std::thread &t)
{
    t.join();                        // here it waits
}

int main()
{
    std::thread t([] { std::lock_guard<std::mutex> guard(m); });
    m.lock();
    stop(t);
    m.unlock();
}
