// An exception that several threads hold, and whoever lets go of it last destroys: the library counts, where nobody sees it. WHICH=1: an exception_ptr;
// 2: by a future; 3: one is read when it may be gone. SPDX-License-Identifier: MIT
#include <exception>
#include <future>
#include <thread>

struct failure {
    int code;
    explicit failure(int c) : code(c) {}
    failure(const failure &) = default;
    ~failure() { code = -1; }
};

static std::exception_ptr make() { return std::make_exception_ptr(failure(3)); }
static const failure *kept;

static void look(std::exception_ptr &p)
{
    try {
        std::rethrow_exception(p);
    } catch (const failure &e) {
        kept = &e;
        if (e.code != 3)
            std::terminate();
    }
    p = nullptr;
}

static int by_pointer(bool late)
{
    std::exception_ptr p = make();
    std::thread other([q = p]() mutable {
        try {
            std::rethrow_exception(q);
        } catch (const failure &e) {
            if (e.code != 3)
                std::terminate();
        }
        q = nullptr;
    });
    look(p);
    int code = late ? kept->code : 0;
    other.join();
    return code == 4;
}

static int by_future()
{
    std::promise<int> promise;
    std::shared_future<int> future = promise.get_future().share();
    auto get = [](std::shared_future<int> f) {
        try {
            f.get();
        } catch (const failure &e) {
            if (e.code != 3)
                std::terminate();
        }
    };
    std::thread other([future, get] { get(future); });
    promise.set_exception(make());
    get(future);
    future = {};
    other.join();
    return 0;
}

int main()
{
    return WHICH == 2 ? by_future() : by_pointer(WHICH == 3);
}
