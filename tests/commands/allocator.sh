# Programs with an allocator of their own, as tcmalloc and jemalloc are: in a library, with malloc, new and sbrk, on top of the C library's
# __sbrk and of locks. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
command -v ${CXX:-c++} > /dev/null || { echo "c++ is not installed"; exit 77; }
cat > allocator.cc <<'END2'
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <unistd.h>

extern "C" void *__sbrk(intptr_t);
extern "C" void *sbrk(intptr_t bytes) noexcept { return __sbrk(bytes); }

static std::mutex lock;
static char *next, *end;

static void *get(size_t size)
{
    std::lock_guard<std::mutex> hold(lock);
    size = (size + 31) & ~size_t(15);
    if (!next || next + size > end) {
        next = static_cast<char *>(sbrk(1 << 20));
        end = next + (1 << 20);
        next += 16 - reinterpret_cast<uintptr_t>(next) % 16;
    }
    char *got = next;
    next += size;
    return got;
}

extern "C" void *malloc(size_t size)             { return get(size); }
extern "C" void  free(void *)                    { }
void *operator new(size_t size)                  { return get(size); }
void  operator delete(void *) noexcept           { }
void  operator delete(void *, size_t) noexcept   { }
END2
cat > program.cc <<'END2'
#include <cassert>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::unique_ptr<std::string>> all;

static void work(int n)
{
    for (int i = 0; i < 2; i++) {
        auto one = std::make_unique<std::string>(40 + 1000 * n, 'x');
        std::lock_guard<std::mutex> hold(lock);
        all.push_back(std::move(one));
    }
}

int main()
{
    std::thread one(work, 1), two(work, 2);
    one.join();
    two.join();
    assert(all.size() == 4);
}
END2
must ${CXX:-c++} -g -O1 -shared -fPIC -o liballocator.so allocator.cc
must ${CXX:-c++} -g -std=c++17 -o plain program.cc -pthread
must ${CXX:-c++} -g -std=c++17 -o own program.cc -pthread -Wl,--no-as-needed -L. -lallocator -Wl,-rpath,"$PWD"
must ./own
for options in "" "--restart 1" "--reduction sleep"; do
    for program in plain own; do
        verisoft ./$program $options --json $program.json > said 2>&1
        is "status of $program $options" 0 $? || cat said
    done
    is "transitions, $options" "$(json plain.json transitions)" "$(json own.json transitions)"
done
[ $failed = 0 ] || cat said
exit $failed
