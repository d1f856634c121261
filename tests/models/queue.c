/* expect: assertion */
#include <stdio.h>
#include <string.h>
#include <verisoft.h>
int main(void)
{
    int q = get_bounded_queue(2);
    if (fork() == 0) {
        char text[10];
        for (int i = 0; i < 2; i++) {
            sprintf(text, "n%d", VS_toss(1));
            send_to_queue(q, 2, text);
        }
        exit(0);
    }
    char *first = rcv_from_queue(q, 2);
    int a = first[1] - '0';
    char *second = rcv_from_queue(q, 2);
    VS_assert(a + (second[1] - '0') < 2);
    return 0;
}
