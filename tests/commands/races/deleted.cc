// Nothing of C++ but new and delete: the library that has them is there all the same.
#include <pthread.h>
struct item { int value; };
static item *it;
static void *last(void *nothing) { delete it; return nothing; }
int main()
{
    pthread_t thread;
    it = new item{3};
#ifdef RIGHT
    int value = it->value;
    pthread_create(&thread, nullptr, last, nullptr);
#else
    pthread_create(&thread, nullptr, last, nullptr);
    int value = it->value;
#endif
    pthread_join(thread, nullptr);
    return value - 3;
}
