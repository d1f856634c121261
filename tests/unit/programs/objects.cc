/* C++: methods, containers, a lambda in a std::thread.        SPDX-License-Identifier: MIT */
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Counter {
    std::mutex       m;
    std::vector<int> values;
    std::string      name;
public:
    explicit Counter(const char *n) : name(n) {}
    int add(int v)
    {
        std::lock_guard<std::mutex> hold(m);
        values.push_back(v);
        int sum = 0;
        for (int x : values)
            sum += x;
        return sum;
    }
};

static Counter counter("total");

int main()
{
    std::thread one([] {
        int got = counter.add(5);
        got++;
        counter.add(got);
    });
    one.join();
}
