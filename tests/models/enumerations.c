/* expect: none */
#include <assert.h>
#include <pthread.h>
typedef enum { RED, GREEN = 5, BLUE } color, *color_pointer;
typedef enum { ON, OFF } *only_pointer;
static color c = GREEN, colors[3] = { [1] = BLUE };
static color_pointer p = &c;
static enum { LESS = -1, SAME } order = LESS;
static struct { enum { FIRST, SECOND } which; color c; } s = { SECOND, RED };
static color next(color x) { return x == RED ? GREEN : x == GREEN ? BLUE : RED; }
static void *work(void *arg)
{
    enum { THREE = 3 } local = THREE;
    only_pointer o = arg;
    *p = next(c);
    colors[0] = next(*p);
    order++;
    s.c = BLUE;
    s.which = FIRST;
    c = (color)(local + 3);
    return o;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(c == BLUE && colors[0] == RED && colors[1] == BLUE && order == SAME && s.which == FIRST && s.c == BLUE);
    color below = RED;
    below--;
    assert(below > RED);                         /* it is unsigned */
    return 0;
}
