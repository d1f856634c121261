/* Two workers and two accounts that are locked in either order. The same lock is released in two places, by unlock and by a destructor.
 * SPDX-License-Identifier: MIT */
#include <thread>
#include <mutex>
#include <condition_variable>
#include <cassert>
#include <vector>
struct Account { std::mutex m; int balance = 100; };
static Account a, b;
static std::mutex qm; static std::condition_variable cv; static std::vector<int> work; static bool done = false;
static void transfer(Account &from, Account &to, int n) {
    std::lock_guard<std::mutex> x(from.m);
    std::lock_guard<std::mutex> y(to.m);
    from.balance -= n; to.balance += n;
}
static void worker() {
    for (;;) {
        std::unique_lock<std::mutex> l(qm);
        cv.wait(l, [] { return done || !work.empty(); });
        if (work.empty()) return;
        int w = work.back(); work.pop_back();
        l.unlock();
        if (w & 1) transfer(a, b, w); else transfer(b, a, w);
    }
}
int main() {
    std::thread t1(worker), t2(worker);
    { std::lock_guard<std::mutex> l(qm); work = {1, 2}; }
    cv.notify_all();
    { std::lock_guard<std::mutex> l(qm); done = true; }
    cv.notify_all();
    t1.join(); t2.join();
    assert(a.balance + b.balance == 200);
}
