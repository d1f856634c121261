/* expect: none */
#include <verisoft.h>
typedef struct { int a; unsigned char b; } pair;
typedef union { unsigned word; unsigned char parts[4]; } both;
static pair moved(pair p, int by) { p.a += by; p.b += by; return p; }
static both split(unsigned word) { return (both){ .word = word }; }
int main(void)
{
    pair p = moved(moved((pair){ 1, 250 }, 3), 4);
    VS_assert(VS_toss(1) <= 1);
    VS_assert(p.a == 8 && p.b == 1 && moved(p, 1).a == 9 && split(0x01020304).parts[1] == 3);
    return 0;
}
