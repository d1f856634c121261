/* expect: crash in process 2.  message: "died: uncaught exception std::system_error: Resource deadlock avoided, in".  needs: addresses.
 * expect -DTYPE: crash in process 2.  message: "uncaught exception house::fire, in".  needs: addresses.
 * expect -DSECOND: crash in process 2.  message: "uncaught exception house::flood: water, everywhere, in".  needs: addresses.
 * expect -DFORBIDDEN: crash in process 2.  message: "exception std::runtime_error: not here, in".  needs: addresses.
 * expect -DHANDLER: crash in process 2.  message: "uncaught exception house::silent, in".
 * expect -DCAUGHT: crash in process 2.  message: "aborted (SIGABRT)".
 * expect -DTERMINATE: crash in process 2.  message: "std::terminate was called, in".  needs: addresses.
 * expect -DALONE: crash in process 1.  message: "uncaught exception std::runtime_error: alone, in".  needs: addresses.
 * expect -DCHILD: crash in process 1.  message: "process 2, ended by uncaught exception std::runtime_error: the child, in".
 *
 * What ends a C++ program is told by its type and what it says of itself: in a thread, before there are any, in a child process;
 * of a type that is no std::exception, or has it as its second base; thrown where nothing may be. HANDLER: the program has its own
 * handler, and what() fails, but nobody else calls it. CAUGHT: abort() has nothing to do with the exception.
 * SPDX-License-Identifier: MIT */
#include <cstdlib>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace house {
struct fire { int rooms; };
struct place { virtual ~place() {} long number = 0; };
struct flood : place, std::logic_error { flood() : std::logic_error("water,\neverywhere") {} };
struct silent : std::exception { const char *what() const noexcept override { return *(const char *const volatile *)16; } };
}

static std::mutex lock;

[[noreturn]] static void give_up() { abort(); }                  /* ERROR */

[[noreturn]] static void raise(const char *words)
{
    (void)words;
#if defined(TYPE)
    throw house::fire{3};                                        /* ERROR */
#elif defined(SECOND)
    throw house::flood();                                        /* ERROR */
#elif defined(HANDLER)
    throw house::silent();                                       /* ERROR */
#elif defined(FORBIDDEN) || defined(ALONE) || defined(CHILD) || defined(CAUGHT)
    throw std::runtime_error(words);                             /* ERROR */
#else
    throw std::system_error(std::make_error_code(std::errc::resource_deadlock_would_occur));     /* ERROR */
#endif
}

static void careless() noexcept
{
    raise("not here");                                           /* ERROR */
}

static void work()
{
    std::lock_guard<std::mutex> guard(lock);
#if defined(FORBIDDEN)
    careless();                                                  /* ERROR */
#elif defined(CAUGHT)
    try {
        raise("caught");
    } catch (const std::exception &) {
        give_up();                                               /* ERROR */
    }
#elif defined(TERMINATE)
    std::terminate();                                            /* ERROR */
#else
    raise("");                                                   /* ERROR */
#endif
}

int main()
{
    (void)careless;
    (void)give_up;
#ifdef HANDLER
    std::set_terminate(give_up);
#endif
#ifdef ALONE
    raise("alone");                                              /* ERROR */
#endif
#ifdef CHILD
    if (fork() == 0)
        raise("the child");                                      /* ERROR */
    wait(nullptr);                                               /* ERROR */
    return 0;
#endif
    std::thread other(work);                                     /* ERROR */
    other.join();                                                /* ERROR */
    return 0;
}
