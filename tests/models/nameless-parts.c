/* expect: none */
#include <pthread.h>
#include <verisoft.h>
struct deep { int k; union { struct { short a, b; union { char p; unsigned char q; }; }; long long all; }; };
static struct deep global = { .a = 1, .q = 200 };
static void *change(void *at)
{
    struct deep *d = at;
    d->b = 7;
    d->p = (char)(d->p + 1);
    return at;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, &global);
    pthread_join(t, NULL);
    VS_assert(global.a == 1 && global.b == 7 && global.q == 201 && (global.all & 0xffff) == 1);
    return 0;
}
