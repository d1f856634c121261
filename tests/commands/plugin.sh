# A program in C that opens a library of C++ for its own use: new and delete are the library's. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
command -v ${CXX:-c++} > /dev/null || { echo "${CXX:-c++} is not installed"; exit 77; }
cat > plugin.cc << 'END'
#include <mutex>
#include <string>
#include <thread>
extern "C" int plugin_run()
{
    std::mutex lock;
    std::string *text = new std::string("a text that is too long to be kept in place");
    std::thread other([&] { std::lock_guard<std::mutex> held(lock); text->append("!"); });
    { std::lock_guard<std::mutex> held(lock); text->append("!"); }
    other.join();
    int length = (int)text->size();
    delete text;
    return length == 45 ? 0 : 1;
}
END
cat > opens.c << 'END'
#include <assert.h>
#include <dlfcn.h>
int main(void)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
    assert(plugin);
    int (*run)(void) = (int (*)(void))dlsym(plugin, "plugin_run");
    assert(run && run() == 0);
    return 0;
}
END
cat > later.c << 'END'
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *opener(void *name)
{
    pthread_mutex_lock(&lock);
    void *plugin = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    assert(plugin);
    int (*run)(void) = (int (*)(void))dlsym(plugin, "plugin_run");
    pthread_mutex_unlock(&lock);
    assert(run);
    pthread_mutex_lock(&lock);
    assert(run() == 0);
#ifdef CLOSES
    dlclose(plugin);
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, opener, "./small.so");
    opener("./other.so");
    pthread_join(thread, NULL);
    return 0;
}
END
echo 'static int calls; int plugin_run(void) { return calls++; }' > small.c
echo 'static int calls = 7; static char room[300000]; int plugin_run(void) { room[calls] = 1; return calls++ - 7; }' > other.c
must ${CC:-cc} -g -shared -fPIC -o small.so small.c
must ${CC:-cc} -g -shared -fPIC -o other.so other.c
must ${CC:-cc} -g -o later later.c -pthread -ldl
must ${CC:-cc} -g -DCLOSES -o closes later.c -pthread -ldl
must ${CXX:-c++} -g -shared -fPIC -o plugin.so plugin.cc -pthread
must ${CC:-cc} -g -o opens opens.c -ldl
./opens || { echo "it fails by itself"; exit 77; }
verisoft ./opens --json report.json --quiet
is "exit status" 0 $?
is "result" complete "$(json report.json result)"
is "processes" 2 "$(json report.json processes)"

# Loaded in the middle, in any order, and unloaded: memory that is put back finds what was mapped then.
for program in later closes; do
    for how in "" --restart; do
        verisoft ./$program --json report.json --quiet $how
        is "exit status of $program $how" 0 $?
        is "executions of $program $how" 6 "$(json report.json executions)"
    done
done

# What nobody has is named, as the dynamic linker would: no error of the program's, but it cannot be used.
echo 'void *_Znwm(unsigned long); int plugin_run(void) { return _Znwm(8) ? 0 : 1; }' > plugin.c
must ${CC:-cc} -g -shared -fPIC -o plugin.so plugin.c
verisoft ./opens > said 2>&1
is "exit status without new" 2 $?
grep -q 'calls: _Znwm' said || { cat said; failed=1; }
exit $failed
