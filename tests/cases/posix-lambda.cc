/* expect: crash in process 2.  message: "in lambda in main()".
 * expect -DNESTED: crash in process 2.  message: "in lambda in lambda in main()".
 * expect -DFUNCTOR: crash in process 2.  message: "in house::caller()".
 *
 * Functions that have no name in the source are told by where they stand. SPDX-License-Identifier: MIT */
#include <thread>

namespace house {
struct caller { void operator()() { *where = 1; } volatile int *where = nullptr; };  /* ERROR */
}

int main()
{
    volatile int *nowhere = nullptr;
    (void)nowhere;
#if defined NESTED
    std::thread t([&] { [&] { *nowhere = 1; }(); });  /* ERROR */
#elif defined FUNCTOR
    std::thread t{house::caller()};
#else
    std::thread t([&] { *nowhere = 1; });  /* ERROR */
#endif
    t.join();
}
