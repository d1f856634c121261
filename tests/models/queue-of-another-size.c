/* expect: assertion.  A size that is given again must be the queue's own. */
#include <stdlib.h>
#include "verisoft.h"
int main(void)
{
    int q = get_bounded_queue(2);
    if (!fork()) {
        send_to_queue(q, 2, "a");
        exit(0);
    }
    rcv_from_queue(q, 3);
    return 0;
}
