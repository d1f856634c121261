/* expect: none */
#include <verisoft.h>
typedef enum { LOW, MIDDLE = 5, HIGH } level;
typedef struct list { struct list *next; level l; } list, *list_pointer;
static list last = { 0, HIGH }, first = { &last, MIDDLE };
static level highest(list_pointer p) { level h = LOW; for (; p; p = p->next) if (p->l > h) h = p->l; return h; }
int main(void)
{
    enum { LOCAL = 9 } e = LOCAL;
    struct { int x; } s = { VS_toss(1) };
    VS_assert(highest(&first) == HIGH && HIGH == 6 && e == 9 && s.x < 2);
    return 0;
}
