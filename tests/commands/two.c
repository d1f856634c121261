/* Two processes and a queue: the second process sends a toss, the first prints it and wants it to be 0.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <verisoft.h>

int main(void)
{
    int queue = get_bounded_queue(1);
    if (fork() == 0) {
        char text[8];
        sprintf(text, "%d", VS_toss(1));
        VS_print("the toss was made");
        send_to_queue(queue, 1, text);
        exit(0);
    }
    const char *text = rcv_from_queue(queue, 1);
    printf("received %s\n", text);
    VS_assert(*text == '0');
    return 0;
}
