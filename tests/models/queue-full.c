/* expect: deadlock */
#include <verisoft.h>
int main(void)
{
    int there = get_bounded_queue(1), back = get_bounded_queue(1);
    if (fork() == 0) {
        send_to_queue(back, 1, "a");
        send_to_queue(back, 1, "b");
        rcv_from_queue(there, 1);
        exit(0);
    }
    send_to_queue(there, 1, "x");
    if (is_queue_full(there, 1))
        send_to_queue(there, 1, "y");
    rcv_from_queue(back, 1);
    return 0;
}
