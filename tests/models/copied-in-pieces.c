/* expect: assertion, where it is seen to race.  memcpy, too, is done word by word. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
struct pair { long a, b; } s;
static void *t(void *p) { struct pair n = { 1, 1 }; memcpy(&s, &n, sizeof s); return p; }
int main(void)
{
    pthread_t h;
    struct pair c;
    pthread_create(&h, 0, t, 0);
    memcpy(&c, &s, sizeof c);
    assert(c.a == c.b);
    pthread_join(h, 0);
    return 0;
}
